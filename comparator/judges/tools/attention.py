"""What a judge looked at: which files of which side wholly, in part or never, and what follows for its verdict."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from comparator.domain.labels import Frozen, Label, PerOutput
from comparator.domain.pair.examination import Extent, FileAttention, Place, SeenUnits, ToolCall
from comparator.domain.pair.view import BlindedPair, Family, ViewedFile
from comparator.judges.tools.answering import BY_PROGRAM, PAGES, PICTURES
from comparator.judges.tools.material import PLACES
from comparator.judges.tools.missing_content import Lack, lacking, opens_more
from comparator.outputs.view.sharing import MARK

UNEVEN = 3.0
"""From how many times as much on one side as on the other attention is uneven."""
_LITTLE = 4_000
"""Bytes below which nobody has looked at much of anything."""
_LOOKS = (PAGES, "desktop", "phone")
"""Parts of which a tool showed pictures: of all pages of a document, or of a web page."""


class Attention(Frozen):
    """What one reading looked at. `bytes_seen` counts what tools returned of each side."""

    files: tuple[FileAttention, ...]
    calls: int
    bytes_seen: dict[Place, int]
    missing: PerOutput[dict[str, bool]]
    """Files of each output of which something was not given, and whether a tool reached it."""

    def of(self, place: Place) -> tuple[FileAttention, ...]:
        """The files of a side."""
        return tuple(file for file in self.files if file.place == place)

    def opened(self, label: Label) -> bool:
        """Whether an output was opened; one without files has nothing to open.

        Where files of it are cut or not given, a tool has to have reached what is missing of one of them.
        """
        own = self.of(label.value)
        if missing := self.missing[label]:
            return any(missing.values())
        return not own or any(file.extent is not Extent.NEVER for file in own)

    @property
    def uneven(self) -> bool:
        """Whether one output got much more attention: three times the bytes, where either was not seen wholly."""
        if all(file.extent is Extent.WHOLLY for label in Label for file in self.of(label.value)):
            return False
        if not all(self.opened(label) for label in Label):
            return True
        less, more = sorted(self.bytes_seen.get(label.value, 0) for label in Label)
        return more > _LITTLE and more > UNEVEN * less


def attention(pair: BlindedPair, calls: Iterable[ToolCall]) -> Attention:
    """What was seen of a pair, whose views were part of the request."""
    spans: defaultdict[tuple[Place, str], dict[str, list[SeenUnits]]] = defaultdict(lambda: defaultdict(list))
    counts: defaultdict[tuple[Place, str], int] = defaultdict(int)
    read: defaultdict[Place, int] = defaultdict(int)
    made = [call for call in calls if not call.refused]
    for call in made:
        touched = {(seen.place, seen.file) for seen in call.seen}
        for key in touched:
            counts[key] += 1
        shown = [seen.place for seen in call.seen if seen.part != BY_PROGRAM]
        for place in sorted(set(shown)):
            # A call that shows both sides counts for each with its share.
            read[place] += call.size * shown.count(place) // len(shown)
        for seen in call.seen:
            spans[seen.place, seen.file][seen.part].append(seen)
    files = []
    for place in PLACES:
        view = pair.view(place)
        for file in view.files if view is not None else ():
            key = (place, file.name)
            extent = _extent(file, spans.get(key, {}))
            files.append(FileAttention(place=place, file=file.name, extent=extent, calls=counts[key]))

    def missing(label: Label) -> dict[str, bool]:
        own = [file for file in pair.outputs[label].files if opens_more(file)]
        return {file.name: _reached(file, spans.get((label.value, file.name), {})) for file in own}

    return Attention(
        files=tuple(files),
        calls=len(made),
        bytes_seen=dict(read),
        missing=PerOutput[dict[str, bool]](A=missing(Label.A), B=missing(Label.B)),
    )


def _reached(file: ViewedFile, seen: dict[str, list[SeenUnits]]) -> bool:
    """Whether a tool showed something of a file that was not given: of a cut text, lines beyond its two ends."""
    ends = MARK.split(file.text, maxsplit=1)
    if len(ends) == 1 or any(seen):
        return any(seen.values())
    first, after = (end.count("\n") for end in ends)
    return any(span.last > first and span.first <= span.total - after for span in seen.get("", ()))


def _extent(file: ViewedFile, seen: dict[str, list[SeenUnits]]) -> Extent:
    shown = bool(file.blocks) or file.page is not None
    lacks = set(lacking(file)) if shown else {Lack.TEXT, *lacking(file)}
    if any(_whole(own) for part, own in seen.items() if part in _LOOKS):
        # Who has seen every page has read it, but a picture of a web page shows nothing of its source.
        lacks -= {Lack.LOOKS} if file.family is Family.HTML else {Lack.LOOKS, Lack.TEXT}
    # A file of several sheets is wholly read only as far as can be told here where each of those read was.
    texts = {part: own for part, own in seen.items() if part not in (*_LOOKS, PICTURES)}
    if any(map(_whole, texts.values())) and not any(part.isdigit() for part in texts):
        lacks.discard(Lack.TEXT)
    if not lacks:
        return Extent.WHOLLY
    if seen or shown:
        return Extent.IN_PART
    return Extent.NEVER if file.size else Extent.WHOLLY


def _whole(seen: list[SeenUnits]) -> bool:
    """Whether spans together cover all of their part."""
    reached = 0
    for span in sorted(seen, key=lambda each: each.first):
        if span.first > reached + 1:
            return False
        reached = max(reached, span.last)
    return reached >= seen[0].total
