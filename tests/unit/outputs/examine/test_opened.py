"""What is opened for a judge's tools."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

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


def test_the_child_is_started_at_once_and_has_drawn_a_page_before_anybody_asks_for_one() -> None:
    child = Recorded()

    Opener(Nothing(), child)

    ((task, body),) = child.prepared
    assert task == "examine"
    drawn, done = answer(body)
    assert (drawn.head["kind"], done.head["kind"]) == ("picture", "done")
    # There is a word on it, so that fonts are loaded.
    assert min(Image.open(BytesIO(drawn.body)).convert("L").tobytes()) < 128
