"""Outputs of 100 MB go out beside the lines and come back as they were, with bounded memory."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.workflow.exporting.test_formats import reveal_all
from tests.integration.workflow.exporting.test_lines import stored
from tests.worlds.files.import_files import folder_eval

ROOT = Path(__file__).parents[4]
MEGABYTES = 100
MOST_TO_WRITE = 250
"""Megabytes of memory for an export: one of the outputs alone would take 100."""
MOST_TO_READ = 1_000
"""As for the workspace itself: an output is looked through as a whole."""
COMMAND = """
import sys
from typer.testing import CliRunner
from comparator.cli import app
from tests.worlds.own_memory import own_megabytes
done = CliRunner().invoke(app, sys.argv[1:])
assert done.exit_code == 0, done.output
print(done.stdout)
print(own_megabytes())
"""


def run(*arguments: str, most: int) -> dict[str, object]:
    """What a command says in a process of its own, which takes at most so many megabytes."""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments, "--json"],
        env={**os.environ, "PYTHONPATH": os.fspath(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    said, _, megabytes = done.stdout.rstrip().rpartition("\n")
    assert int(megabytes) < most
    found: dict[str, object] = json.loads(said)
    return found


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", ["log.txt", "data.bin"])
def test_two_outputs_of_100_mb_come_back_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMPARATOR_JUDGE", "offline")
    monkeypatch.chdir(tmp_path)
    root = tmp_path / "big-workspace"
    draw = random.Random(name)
    folder_eval(
        root / "iteration-1",
        "packing",
        id=1,
        # Bytes alone would get no verdict from the offline check, and so no line.
        outputs={
            "with_skill": {name: "", "notes.md": "# Packing\n\n- boots\n- a rope\n"},
            "without_skill": {name: "", "notes.md": "boots"},
        },
    )
    for side in ("with_skill", "without_skill"):
        with (root / "iteration-1/packing" / side / "outputs" / name).open("wb") as file:
            for number in range(MEGABYTES):
                words = f"{side[:4]} {number:06} Grüße\n".encode() * 60_000
                file.write(words[:1_000_000] if name == "log.txt" else draw.randbytes(1_000_000))
    run("import", str(root), "--project", "Big", "--judge", "now", most=MOST_TO_READ)
    reveal_all("Big")

    run("export", "jsonl", "--project", "Big", "--out", "out.jsonl", most=MOST_TO_WRITE)
    again = run("import", "out.jsonl", "--project", "Big", most=MOST_TO_READ)
    other = run("import", "out.jsonl", "--project", "Copy", most=MOST_TO_READ)

    assert (tmp_path / "out.jsonl").stat().st_size < 100_000
    assert (again["new"], again["already"], again["left_out"]) == (0, 1, [])
    assert (other["new"], other["left_out"]) == (1, [])
    assert stored("Copy") == stored("Big")
