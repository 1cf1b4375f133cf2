"""Files with odd values, and whole workspaces with broken small files, come in on both databases without a loss."""

import os
import stat
from pathlib import Path

from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.run import dry_run, import_path
from comparator.workflow.services import Services
from tests.worlds.files.import_files import PROMPTS, workspace, write


def quiet(_: str) -> None:
    """Nobody looks on."""


def test_what_is_refused_inside_an_output_is_told_once_with_why(services: Services, tmp_path: Path) -> None:
    root = workspace(tmp_path)
    place = root / "iteration-1/packing/with_skill/outputs"
    (place / "passwd").symlink_to("/etc/passwd")
    os.mkfifo(place / "pipe")
    os.mknod(place / "socket", stat.S_IFSOCK | 0o600)
    write(root / "evals.json", {"evals": [{"id": 1, "prompt": PROMPTS[1], "files": ["given"]}]})
    write(root / "given/in.csv", "a,b")
    os.mkfifo(root / "given/pipe")
    request = ImportRequest(path=root)

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
