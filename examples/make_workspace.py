"""Lays the six examples out as a workspace of one experiment, ready for `comparator import`.

python examples/make_workspace.py harvest-workspace
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parent


def make_workspace(target: Path) -> None:
    """Write `iteration-1/TASK/CANDIDATE/outputs` for each example below `target`, with what was asked beside it."""
    for number, file in enumerate(sorted(EXAMPLES.glob("*/task.json")), start=1):
        task = json.loads(file.read_text(encoding="utf-8"))
        place = target / "iteration-1" / task["key"]
        for side, name in task["candidates"].items():
            shutil.copytree(file.parent / side, place / name / "outputs")
        asked = {
            "eval_id": number,
            "eval_name": task["key"],
            "prompt": task["prompt"],
            "expectations": task["expectations"],
        }
        (place / "eval_metadata.json").write_text(json.dumps(asked, indent=2), encoding="utf-8")


if __name__ == "__main__":
    make_workspace(Path(sys.argv[1] if len(sys.argv) > 1 else "examples-workspace"))
