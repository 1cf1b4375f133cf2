"""What is opened for a judge's tools."""

from __future__ import annotations

from comparator.domain.pair.view import Family, TextBlock, ViewedFile
from comparator.outputs.child.frames import Frame
from comparator.outputs.examine.opened import Opener
from comparator.outputs.examine.worker import answer


class Nothing:
    def get(self, digest: str) -> bytes:
        raise AssertionError(f"nobody asked for {digest}")


class Recorded:
    """A child that notes what it is asked, and what it is to make ready for."""

    def __init__(self) -> None:
        self.prepared: list[tuple[str, bytes]] = []

    def ask(self, task: str, body: bytes, *, seconds: float) -> tuple[Frame, ...]:
        return tuple(answer(body))

    def ahead(self, task: str, body: bytes) -> None:
        self.prepared.append((task, body))


def test_the_first_opened_file_has_the_child_started_so_that_a_comparison_does_not_wait_for_it() -> None:
    child = Recorded()
    opener = Opener(Nothing(), child)
    files = [
        ViewedFile(id=name, name=name, family=Family.TEXT, size=4, blocks=(TextBlock(text="one\n"),))
        for name in ("a.txt", "b.txt")
    ]

    before = list(child.prepared)
    for file in files:
        opener.open(file, None)

    assert not before
    ((task, body),) = child.prepared
    assert task == "examine"
    assert [frame.head["kind"] for frame in answer(body)] == ["changed", "done"]
