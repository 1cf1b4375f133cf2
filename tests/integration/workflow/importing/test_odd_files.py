"""Files with odd values, and whole workspaces with broken small files, come in on both databases without a loss."""

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from comparator.interop.imported import Format
from comparator.store.pairs import comparisons, labels
from comparator.workflow.importing.pairs import ImportRequest, Pairing
from comparator.workflow.importing.run import dry_run, import_path
from comparator.workflow.services import Services
from tests.unit.interop.samples import ROWS, comparator_file, lines, promptfoo_row
from tests.worlds.files.import_files import PROMPTS, workspace, write

ODD: tuple[Any, ...] = ("a\0b", "\ud800", "x" * 3000, "\u2028\u202e", 10**400, [], {"a": "\0"})


def quiet(_: str) -> None:
    """Nobody looks on."""


def odd_rows() -> list[dict[str, Any]]:
    row = {**ROWS[0], "expectations": ["It greets"], "tags": ["t"], "task_id": "t", "reference": "Hello"}
    return [row, *({**row, name: odd} for name in row for odd in ODD)]


def odd_files() -> dict[Format, str]:
    example = comparator_file()["examples"][0]
    examples = [{**example, "input_text": f"Draw {odd}", "custom_fields": {"a": odd}} for odd in ODD]
    cells = [
        {**promptfoo_row(number, side, f"{odd} by {side}"), "vars": {"n": odd}, "score": odd}
        for number, odd in enumerate(ODD)
        for side in (0, 1)
    ]
    return {
        Format.JSONL: lines(odd_rows()),
        Format.LLM_COMPARATOR: json.dumps({**comparator_file(), "examples": examples}),
        Format.PROMPTFOO: json.dumps({"results": {"version": 3, "results": cells}}),
    }


@pytest.mark.slow
@pytest.mark.parametrize("kind", odd_files())
def test_odd_values_are_stored_or_told_also_dry(services: Services, tmp_path: Path, kind: Format) -> None:
    request = ImportRequest(path=write(tmp_path / "odd.json", odd_files()[kind]), format=kind)

    tried = dry_run(services, request, on_step=quiet)
    done = import_path(services, request, on_step=quiet)
    again = import_path(services, request, on_step=quiet)

    assert done.report == tried
    assert len(done.comparisons) == tried.new > 0
    assert (again.report.new, again.report.already) == (0, tried.new)
    with services.database.read() as connection:
        for id in done.comparisons:
            assert comparisons.get(connection, id).prompt
            labels.of_comparison(connection, id)


def test_what_is_refused_inside_an_output_is_told_once_with_why(services: Services, tmp_path: Path) -> None:
    root = workspace(tmp_path)
    place = root / "iteration-1/packing/with_skill/outputs"
    (place / "passwd").symlink_to("/etc/passwd")
    os.mkfifo(place / "pipe")
    os.mknod(place / "socket", stat.S_IFSOCK | 0o600)
    write(root / "evals.json", {"evals": [{"id": 1, "prompt": PROMPTS[1], "files": ["given"]}]})
    write(root / "given/in.csv", "a,b")
    os.mkfifo(root / "given/pipe")
    request = ImportRequest(path=root, pairs=Pairing.ALL)

    tried = dry_run(services, request, on_step=quiet)
    done = import_path(services, request, on_step=quiet).report

    assert done == tried
    assert done.runs == 8
    assert [(left.file, left.reason) for left in done.left_out] == [
        (str(root / "given/pipe"), "it is a device, socket or pipe"),
        (str(place / "passwd"), "it is a link"),
        (str(place / "pipe"), "it is a device, socket or pipe"),
        (str(place / "socket"), "it is a device, socket or pipe"),
        ("inputs of eval-1: pipe", "it is a device, socket or pipe"),
    ]
