"""Becomes a project's render command after it has given up what the command must not have."""

from __future__ import annotations

import os
import sys
from pathlib import Path

if __name__ == "__main__":
    # Started by path with -I, which keeps the environment and the current folder out of the import path.
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from comparator.outputs.pictures.command import limit_answer
from comparator.outputs.pictures.network import cut_off
from comparator.outputs.pictures.processes import keep_descendants


def main() -> None:
    """`command_child.py BYTES PROGRAM ARGUMENT…`."""
    keep_descendants()
    limit_answer(int(sys.argv[1]))
    cut_off()
    os.execv(sys.argv[2], sys.argv[2:])  # noqa: S606 # no shell is wanted


if __name__ == "__main__":
    main()
