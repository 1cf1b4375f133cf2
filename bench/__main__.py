"""`python -m bench [NAME]...`: measure, print a table, write build/bench.json."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.figures import Figure, show, write

MEASURED = Path(__file__).parent / "measured"
OUT = MEASURED.parents[1] / "build" / "bench.json"
FOREIGN = ("ANTHROPIC_", "COMPARATOR_", "STREAMLIT_")


def main(asked: Sequence[str]) -> int:
    """Measure what is asked for, or everything; 0 unless a name is unknown.

    A missed goal is told in the table and does not fail: the figures of a busy machine are no verdict.
    """
    known = sorted(path.stem for path in MEASURED.glob("[!_]*.py"))
    if unknown := set(asked).difference(known):
        print(f"There is no benchmark {', '.join(unknown)}. There are: {', '.join(known)}.", file=sys.stderr)
        return 2
    figures: list[Figure] = []
    for name in asked or known:
        # Neither this machine's settings nor what was measured before shall reach the servers.
        for variable in [variable for variable in os.environ if variable.startswith(FOREIGN)]:
            del os.environ[variable]
        print(f"Measuring {name} …", file=sys.stderr, flush=True)
        figures.extend(importlib.import_module(f"bench.measured.{name}").measure())
        write(figures, OUT)
    show(figures)
    print(f"Written: {os.path.relpath(OUT)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
