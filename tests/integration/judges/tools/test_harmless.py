"""Tools only read: while every one of them works, nothing is written, started or connected."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from comparator.domain.pair.examination import ToolLimits
from comparator.judges.tools.answering import TOOLS_BY_NAME
from comparator.judges.tools.examination import Examination
from tests.integration.judges.tools.test_tools import CSV, PDF, slides, two_sheets
from tests.loopback import players
from tests.worlds.files.examined import Bench, Files
from tests.worlds.files.outputs import picture

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGES = (
    "os.mkdir",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.link",
    "os.symlink",
    "os.chmod",
    "os.truncate",
)
STARTS = ("subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.spawn")
CONNECTS = ("socket.connect", "socket.bind", "socket.send", "socket.getaddrinfo", "socket.gethostbyname")
_watching: list[list[str]] = []


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if not _watching:
        return
    written = event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITES
    if written or event.startswith((*CHANGES, *STARTS, *CONNECTS)):
        _watching[-1].append(f"{event} {arguments}"[:300])


@contextmanager
def watched() -> Iterator[list[str]]:
    """What was written, started or connected meanwhile, by any thread."""
    found: list[str] = []
    if not getattr(watched, "hooked", False):
        # A hook cannot be taken away again; it looks at nothing while nobody watches.
        sys.addaudithook(_hook)
        watched.hooked = True  # type: ignore[attr-defined]
    _watching.append(found)
    try:
        yield found
    finally:
        _watching.remove(found)


def test_whatever_is_asked_nothing_is_written_started_or_connected(bench: Bench) -> None:
    files: Files = {
        "plan.md": "# Plan\nStep 1\n", "rows.csv": CSV, "book.xlsx": two_sheets(), "plan.pdf": PDF,
        "talk.pptx": slides(), "map.png": picture(size=(640, 320)),
        "page.html": "<img src='http://192.0.2.1/x.png'><p>Harvest</p>",
    }  # fmt: skip
    other: Files = {**files, "plan.md": "# Plan\nStep 2\n"}
    asked: list[tuple[str, Any]] = [
        (tool, {"side": side, "file": name} if tool != "compare" else {"file": name})
        for tool in ("list", "read", "table", "look", "compare")
        for side in ("A", "B")
        for name in files
    ]
    asked += [("list", {}), ("compare", {}), ("search", {"text": "Step"})]
    hostile = players.hostile({"messages": []})
    assert not isinstance(hostile, players.Verdict)
    asked += [(each.tool, each.arguments) for each in hostile]

    def reading() -> Examination:
        material = bench.material(files, other, inputs={"brief.txt": "41"})
        return Examination(material, limits=ToolLimits(calls=1_000))

    def use(examination: Examination) -> None:
        for tool, arguments in asked:
            examination.call(tool, arguments)

    # The first time modules are imported, and the process that reads documents, which cannot write either, is started.
    use(reading())
    examination = reading()
    with watched() as done:
        use(examination)

    assert {call.tool for call in examination.calls if not call.problem} == set(TOOLS_BY_NAME)
    assert done == []


def test_what_is_watched_for_is_seen(tmp_path: Any) -> None:
    with watched() as done:
        (tmp_path / "written.txt").write_text("x")
        (tmp_path / "written.txt").unlink()

    assert [each.split()[0] for each in done] == ["open", "os.remove"]
