"""Judges that the loopback server plays: what they ask of the tools, turn by turn, until they give a verdict."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tests.loopback.acts import Answer
from tests.loopback.brain import Taste

Body = dict[str, Any]


class Asked(NamedTuple):
    """A tool that is asked for; arguments as text go out as they are, broken or not."""

    tool: str
    arguments: dict[str, Any] | str

    @property
    def json(self) -> str:
        """The arguments as they go over the wire."""
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


class Verdict(NamedTuple):
    """The usual answer in this taste, changed in place by `edit`."""

    taste: Taste | None = None
    edit: Callable[[Answer], object] = lambda _: None


_OVERVIEW = (
    Asked("list", {}),
    Asked("compare", {}),
    Asked("search", {"text": ".", "pattern": True, "most": 100}),
)
_LISTED = re.compile(r"^\d+\. (A|B|input|reference): (.+?) \| ", re.MULTILINE)
Player = Callable[[Body], Sequence[Asked] | Verdict]


def results_of(body: Body) -> list[dict[str, Any]]:
    """What the tools answered so far, in order."""
    return [
        block
        for message in body["messages"]
        if isinstance(message["content"], list)
        for block in message["content"]
        if block["type"] == "tool_result"
    ]


def told_in(body: Body) -> str:
    """All words that the tools answered so far."""
    return "\n".join(
        part["text"] for block in results_of(body) for part in block["content"] if part["type"] == "text"
    )


def may_ask(body: Body) -> bool:
    """Whether tools are offered in this request."""
    return bool(body.get("tools")) and body.get("tool_choice", {}).get("type") != "none"


def good(calls: Sequence[tuple[str, dict[str, Any]]], decide: Callable[[Body], Verdict]) -> Player:
    """Makes these calls, all at once, then decides by what it was told and shown."""

    def play(body: Body) -> Sequence[Asked] | Verdict:
        if may_ask(body) and not results_of(body):
            return [Asked(tool, arguments) for tool, arguments in calls]
        return decide(body)

    return play


def greedy(body: Body) -> Sequence[Asked] | Verdict:
    """Reads on and on, ten calls a turn, stops when it is told to, and names no winner."""
    if not may_ask(body):
        return Verdict(Taste.TIE)
    # From the middle on, where views are cut.
    first = 501 + 100 * len(results_of(body))
    return [
        Asked("read", {"side": "AB"[n % 2], "file": "plan.md", "first": first + n, "last": first + n + 99})
        for n in range(10)
    ]


def never_ending(_body: Body) -> Sequence[Asked] | Verdict:
    """Asks for tools whether they are offered or not."""
    return [Asked("list", {})]


def careful(body: Body) -> Sequence[Asked] | Verdict:
    """Lists the files, compares them and searches both, all at once, then decides; for pairs of whatever content."""
    if may_ask(body) and not results_of(body):
        return [Asked("list", {}), Asked("compare", {}), Asked("search", {"text": "the"})]
    return Verdict()


def thorough(body: Body) -> Sequence[Asked] | Verdict:
    """Lists and searches everything, then opens each file that was listed with every tool, and decides."""
    done = len(results_of(body))
    if not may_ask(body) or done > len(_OVERVIEW):
        return Verdict()
    if not done:
        return _OVERVIEW
    listed = [{"side": place, "file": name} for place, name in _LISTED.findall(told_in(body))]
    requests = [Asked(tool, file) for file in listed for tool in ("list", "read", "table", "look")]
    return [*requests, *(Asked("compare", {"file": file["file"]}) for file in listed if file["side"] == "A")]


def lazy(_body: Body) -> Sequence[Asked] | Verdict:
    """Opens nothing."""
    return Verdict()


def hostile(body: Body) -> Sequence[Asked] | Verdict:
    """Tries to get out of the pair."""
    if results_of(body):
        return Verdict(Taste.TIE)
    return [
        *(Asked("read", {"side": "A", "file": name})
          for name in ("../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "..\\secret", "plan.md\0.txt")),
        Asked("bash", {"command": "id"}),
        Asked("look", {"side": "A", "file": "http://169.254.169.254/"}),
        Asked("search", {"text": "(a+)+$" * 60, "pattern": True}),
        Asked("search", {"text": "x" * 100_000}),
        Asked("read", {"side": "candidate", "file": "plan.md"}),
        Asked("table", {"side": "A", "file": "plan.md", "columns": ["x"] * 5_000}),
    ]  # fmt: skip


def malformed(body: Body) -> Sequence[Asked] | Verdict:
    """Sends arguments that are none."""
    if results_of(body):
        return Verdict(Taste.TIE)
    return [
        Asked("read", '{"side": "A", "file": '),
        Asked("read", "[1, 2]"),
        Asked("read", {"side": "A"}),
        Asked("read", {"side": "A", "file": "plan.md", "first": -3}),
        Asked("", {}),
        Asked("search", {"text": "(unclosed", "pattern": True}),
        Asked("compare", {"file": 7}),
    ]
