"""What is opened for a judge's tools."""

from __future__ import annotations

import subprocess
import sys
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


FIRST_SEARCH = """
import sys, threading
from comparator.outputs.examine.lines import Lines, Pattern
from comparator.outputs.examine.opened import Opener

class Idle:
    def ahead(self, task, body):
        pass

Opener(None, Idle())
for thread in threading.enumerate():
    if thread is not threading.main_thread():
        thread.join()
loaded = set(sys.modules)
Lines.of(b"one\\ntwo\\n").find(Pattern("t.o", regex=True, match_case=True), most=5)
print(sorted(set(sys.modules) - loaded))
"""


def test_what_the_first_search_takes_is_loaded_before_it() -> None:
    done = subprocess.run([sys.executable, "-c", FIRST_SEARCH], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
