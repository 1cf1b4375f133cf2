"""What a judge looked at: which files of which side it was given or opened, and what follows for its verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.examination import Extent, FileAttention, Place, ToolCall
from comparator.domain.pair.view import BlindedPair, ViewedFile
from comparator.judges.tools.arguments import TOOLS, Compare, Look, Read, Search, Table
from comparator.judges.tools.material import PLACES
from comparator.judges.tools.missing_content import is_given_whole, opens_more
from comparator.outputs.view.sharing import MARK

UNEVEN = 3.0
"""From how many times as much on one side as on the other attention is uneven."""
_LITTLE = 4_000
"""Bytes below which nobody has looked at much of anything."""


class Attention(NamedTuple):
    """What one reading looked at."""

    files: tuple[FileAttention, ...]
    calls: int
    opened: PerOutput[bool]
    """Whether a tool opened a file of each output of which something was not given, if there is one."""
    uneven: bool
    """Whether one output got much more attention: three times the bytes, where either was not given whole."""


def attention(pair: BlindedPair, calls: Iterable[ToolCall]) -> Attention:
    """What was seen of a pair, whose views were part of the request."""
    made = [call for call in calls if not call.refused]
    answered = [(call, set(_subjects(call))) for call in made if not call.problem]
    files: list[FileAttention] = []
    opened: dict[Place, bool] = {}
    for place in PLACES:
        view = pair.view(place)
        lacking: list[int] = []
        for file in view.files if view is not None else ():
            subjects = {(place, file.name), (place, None)}
            count = sum(bool(own & subjects) and _goes_on(call, file) for call, own in answered)
            shown = bool(file.blocks) or file.page is not None
            extent = Extent.IN_PART if shown or count else Extent.NEVER
            if not file.size or (shown and is_given_whole(file)):
                extent = Extent.WHOLLY
            files.append(FileAttention(place=place, file=file.name, extent=extent, calls=count))
            lacking += [count] if opens_more(file) else []
        own_files = [each for each in files if each.place == place]
        never = bool(own_files) and all(each.extent is Extent.NEVER for each in own_files)
        opened[place] = any(lacking) if lacking else not never
    read: Counter[Place] = Counter()
    for call, subjects in answered:
        places = {place for place, _ in subjects}
        for place in places:
            # A call that is about both sides counts for each with its share.
            read[place] += call.size // len(places)
    less, more = sorted(read[label.value] for label in Label)
    whole = all(each.extent is Extent.WHOLLY for each in files if each.place in ("A", "B"))
    much_more = more > _LITTLE and more > UNEVEN * less
    both = PerOutput[bool](A=opened["A"], B=opened["B"])
    return Attention(tuple(files), len(made), both, not whole and (much_more or not (both.A and both.B)))


def _subjects(call: ToolCall) -> Iterator[tuple[Place, str | None]]:
    """The sides that a call shows something of, each with the file, or with None for all of its files."""
    match asked := TOOLS[call.tool].model_validate(call.arguments):
        case Compare():
            yield asked.side, asked.file
            yield asked.other_side, asked.other or asked.file
        case Read() | Table() | Look() | Search() if asked.side:
            yield asked.side, asked.file
        case Search():
            yield from (("A", None), ("B", None))


def _goes_on(call: ToolCall, file: ViewedFile) -> bool:
    """Whether a call showed more than the beginning of a text that was given without its middle."""
    beginning, *rest = MARK.split(file.text, maxsplit=1)
    last = call.arguments.get("last")
    return not (rest and call.tool == "read" and isinstance(last, int) and last <= beginning.count("\n"))
