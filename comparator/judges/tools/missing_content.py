"""What a judge lacks of a file that it was given: by what is in the view, and by our own notes on it."""

import re
from collections.abc import Iterable, Sequence

from comparator.domain.labels import PerOutput
from comparator.domain.pair.notes import Limitation, limitation_of
from comparator.domain.pair.view import BlindedPair, Family, OutputView, TextBlock, ViewedFile
from comparator.domain.scoring.judgment import Tools
from comparator.domain.usage import CHARACTERS_A_TOKEN, characters_a_token, digits_in
from comparator.outputs.view.sharing import cut, lowest_limits

UNSEEN = (Family.AUDIO, Family.VIDEO, Family.ARCHIVE, Family.BINARY)
"""Kinds of files of which no tool shows more."""
_TABLES = (Family.CSV, Family.XLSX, Family.PARQUET, Family.JSON)
MOST_ROWS = 300
MOST_DIGITS = 10_000
"""Rows of a table, and digits of an output, that a person may still compare by eye."""
INLINE = 36_000
"""Characters of each output that a request with tools shows."""
_SIZE = re.compile(r"\[picture, (\d+) × (\d+) pixels\]")


_TOOLS_SHOW = frozenset(
    {
        Limitation.CHARACTERS_LEFT_OUT,
        Limitation.PICTURES_LEFT_OUT,
        Limitation.FIRST_PAGES_PICTURED,
        Limitation.PAGES_NOT_PICTURED,
        Limitation.FIRST_BYTES_READ,
        Limitation.FIRST_PAGES_READ,
        Limitation.FIRST_SLIDES_READ,
        Limitation.FIRST_ROWS_READ,
        Limitation.ROWS_LEFT_OUT,
    }
)
"""Those for which a pair is read with tools."""
_OF_VIEWS = frozenset(
    {
        Limitation.PDFS_AS_TEXT,
        Limitation.MORE_PICTURES,
        Limitation.MORE_CHARACTERS,
        Limitation.FEWER_PAGE_PICTURES,
        Limitation.NO_PAGE_PICTURES,
    }
)


def opens_more(file: ViewedFile) -> bool:
    """Whether tools are offered for a file, because a request shows less of it than they may."""
    if file.is_cut:
        return True
    if file.page is not None and any(picture.is_cut for picture in file.page.pictures):
        return True
    if file.printed is not None and file.printed.total and not file.printed.whole:
        return True
    if not file.blocks and file.page is None and file.size and file.family not in UNSEEN:
        return True
    kinds = _kinds(file.notes)
    # Only a high picture gains: a tool shows no more pixels across than the judge was given.
    return bool(kinds & _TOOLS_SHOW) or (Limitation.SMALLER in kinds and not _is_wide(file))


def _kinds(notes: Iterable[str]) -> set[Limitation | None]:
    return set(map(limitation_of, notes))


def _is_wide(file: ViewedFile) -> bool:
    size = _SIZE.match(file.text)
    return size is not None and int(size[1]) >= int(size[2])


def needs_tools(pair: BlindedPair, mode: Tools) -> bool:
    """Whether a pair is read with tools: in the mode `auto`, where something of it does not fit into a request, or an
    output holds more rows or digits than anybody compares by eye.
    """
    if mode is not Tools.AUTO:
        return mode is Tools.ALWAYS
    views = (pair.outputs.A, pair.outputs.B, pair.inputs, pair.reference)
    return any(
        bool(_kinds(view.notes) & _OF_VIEWS) or any(map(opens_more, view.files))
        for view in views
        if view is not None
    ) or any(
        any(map(_has_many_rows, view.files)) or sum(digits_in(file.text) for file in view.files) > MOST_DIGITS
        for _, view in pair.outputs.items()
    )


def _has_many_rows(file: ViewedFile) -> bool:
    """Whether a table, or JSON as rows or objects, has more of them than anybody compares by eye."""
    if file.family not in _TABLES:
        return False
    objects = file.text.count("{") if file.family is Family.JSON else 0
    return max(file.text.count("\n"), objects) > MOST_ROWS


def shorten_for_tools(pair: BlindedPair) -> BlindedPair:
    """The pair as a request with tools shows it: of long texts beginning and end, of both outputs alike.

    What stands in a request is paid for with every turn of a reading; what was cut is a call away.
    """
    outputs = _shorten_views((pair.outputs.A, pair.outputs.B))
    alone = {
        name: _shorten_views((view,))[0]
        for name, view in (("inputs", pair.inputs), ("reference", pair.reference))
        if view is not None
    }
    both = PerOutput[OutputView](A=outputs[0], B=outputs[1])
    return pair.copy_with(outputs=both, **alone)


def _shorten_views(views: Sequence[OutputView]) -> list[OutputView]:
    # A text in which two characters are a token takes twice the room.
    weights: dict[str, int] = {}
    for file in (file for view in views for file in view.files):
        weight = CHARACTERS_A_TOKEN // characters_a_token(file.text)
        weights[file.name] = max(weight, weights.get(file.name, 1))
    lengths = [{file.name: len(file.text) * weights[file.name] for file in view.files} for view in views]
    most = lowest_limits(lengths, INLINE)

    def fitting(file: ViewedFile) -> ViewedFile:
        return _cut_file(file, most[file.name] // weights[file.name]) if file.name in most else file

    return [view.copy_with(files=tuple(map(fitting, view.files))) for view in views]


def _cut_file(file: ViewedFile, limit: int) -> ViewedFile:
    if len(file.text) <= limit:
        return file
    texts = [block for block in file.blocks if isinstance(block, TextBlock)]
    shortened = cut(file.text, limit, before=sum(block.omitted for block in texts))
    note = Limitation.CHARACTERS_LEFT_OUT.text(omitted=shortened.omitted, total=shortened.omitted + limit)
    others = (
        old_note for old_note in file.notes if limitation_of(old_note) is not Limitation.CHARACTERS_LEFT_OUT
    )
    blocks = [block for block in file.blocks if block not in texts]
    text = TextBlock(text=shortened.text, omitted=shortened.omitted)
    return file.copy_with(blocks=(text, *blocks), notes=(*others, note))
