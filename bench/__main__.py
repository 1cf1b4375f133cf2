"""`python -m bench [NAME]...`: measure, print a table, write build/bench.json."""

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from bench.figures import Figure

MEASURED = Path(__file__).parent / "measured"
OUT = MEASURED.parents[1] / "build" / "bench.json"
FOREIGN = ("ANTHROPIC_", "COMPARATOR_", "STREAMLIT_")


def main(names: Sequence[str]) -> int:
    """Measure what is asked for, or everything. A missed goal is told in the table and does not fail: the figures of a
    busy machine are no verdict."""
    known = sorted(path.stem for path in MEASURED.glob("[!_]*.py"))
    if unknown := set(names).difference(known):
        print(f"There is no benchmark {', '.join(unknown)}. There are: {', '.join(known)}.", file=sys.stderr)
        return 2
    figures: list[Figure] = []
    table = pd.DataFrame()
    for name in names or known:
        # Neither this machine's settings nor what was measured before shall reach the servers.
        for variable in [variable for variable in os.environ if variable.startswith(FOREIGN)]:
            del os.environ[variable]
        print(f"Measuring {name} …", file=sys.stderr, flush=True)
        figures.extend(importlib.import_module(f"bench.measured.{name}").measure())
        OUT.parent.mkdir(parents=True, exist_ok=True)
        table = pd.DataFrame(figures).astype({"floor": float, "ratio": float})
        table.to_json(OUT, orient="records", indent=2, force_ascii=False)
    table["holds"] = table["holds"].map({True: "yes", False: "NO"})
    print(table.to_string(index=False, float_format="{:,.4g}".format, na_rep=""))
    print(f"Written: {os.path.relpath(OUT)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
