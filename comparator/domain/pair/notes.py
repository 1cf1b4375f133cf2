"""The notes that say that a judge is given less than there is: each sentence once. Standard library only.

Isolated processes import this, and views are stored with the sentences: a digest changes with a sentence.
"""

import re
from enum import Enum
from functools import cache
from typing import NamedTuple


class Limitation(Enum):
    """What a judge is given less of: a note on a file or on a whole view, as its sentence with places for values."""

    # On a file
    CHARACTERS_LEFT_OUT = "{omitted:,} of its {total:,} characters are left out for the judge."
    PICTURES_LEFT_OUT = "{omitted} of its pictures {verb} left out."
    PICTURES_UNREAD = "{unread} of its pictures cannot be read."
    NO_PAGE_PICTURED = "Pictures of it are left out, as on the other side: not every page could be pictured."
    SCRIPTS_TELL = (
        "Its scripts write a name that reveals who made it, so no page of either output is run or pictured."
    )
    FIRST_PAGES_PICTURED = "The judge is given pictures of the first {pictured} of its {total:,} pages."
    PAGES_NOT_PICTURED = (
        "Its pages are not pictured for the judge: both outputs would exceed the number of pictures."
    )
    SMALLER = "A judge is given it smaller, with {side:,} pixels on its longer side."
    FIRST_FRAME = "It has {frames:,} frames or pages; only the first is shown."
    FIRST_BYTES_READ = "Only its first {read:,} bytes were read; {omitted:,} bytes are left out."
    FIRST_PAGES_READ = "It has {total:,} pages; only the first {read:,} are read."
    FIRST_SLIDES_READ = "It has {total:,} slides; only the first {read:,} are read."
    FIRST_ROWS_READ = "Only the first {read:,} of {total:,} rows are read."
    ROWS_LEFT_OUT = "{omitted:,} rows of a sheet are left out: more than {most:,} cells."
    FORMULAS_NOT_READ = "Only its values are read, not its formulas and form."
    METADATA_LEFT_AWAY = "Metadata and editor data were removed."
    OUTPUTS_LEFT_AWAY = "{count} outputs of kinds that are not read were left out."
    FILES_TAKEN_OUT = "{count} embedded {files} taken out: only pictures are read."
    MEMBERS_NOT_READ = "It is an archive inside the output: its members are listed, not read."

    # On a whole view
    PDFS_AS_TEXT = (
        "{outputs} has PDFs of more than {most}: a judge is given the text of PDFs, not their pages."
    )
    MORE_PICTURES = "{outputs} has more pictures than the {most:,} that a judge is given of each."
    MORE_CHARACTERS = (
        "{outputs} is longer than the {most:,} characters that a judge is given of each; every cut is marked."
    )
    FEWER_PAGE_PICTURES = (
        "A judge is given pictures of as many pages of one output as of the other, at the same widths, and not of all: "
        "their number is limited."
    )
    NO_PAGE_PICTURES = (
        "Pictures of the pages are left out: with them the judge would be given too many pictures."
    )

    def text(self, **values: int | str) -> str:
        """The note.

        >>> Limitation.FIRST_PAGES_READ.text(total=1200, read=500)
        'It has 1,200 pages; only the first 500 are read.'
        """
        return self.value.format(**values)


def limitation_of(note: str) -> Limitation | None:
    """Which limitation a note tells; None for a note that is none of these.

    >>> limitation_of("It has 1,200 pages; only the first 500 are read.")
    <Limitation.FIRST_PAGES_READ: 'It has {total:,} pages; only the first {read:,} are read.'>
    """
    match = _any_kind().fullmatch(note)
    return Limitation[match.lastgroup] if match is not None and match.lastgroup else None


@cache
def _any_kind() -> re.Pattern[str]:
    """One expression with a group for each kind, made when it is first needed: whoever only writes notes does not."""
    forms = {kind: ".+".join(map(re.escape, re.split(r"\{.*?\}", kind.value))) for kind in Limitation}
    return re.compile("|".join(f"(?P<{kind.name}>{form})" for kind, form in forms.items()))


IDENTICAL = "Both outputs are identical: the same files with the same content."
"""The note on both outputs of a pair that are the same, byte for byte."""


class PairFlag(NamedTuple):
    """What deserves a second look at a pair, as lists, dashboards, exports and the score sheet call it."""

    name: str
    about: str


SUPERSEDED = PairFlag(
    "Replaced by a later import",
    "A later import replaced one of the outputs. The result counts only under “All runs”.",
)
MAY_REVEAL = PairFlag(
    "May reveal its candidate",
    "A passage in an output says which run produced it. The pair is judged and reviewed, but counted separately from "
    "blind pairs.",
)
CUT_OFF = PairFlag("{} cut off", "The output was probably cut off before its end.")
VOID = PairFlag(
    "Unusable output",
    "One of the two runs left no output, or only an error. The result counts only under “All runs”.",
)
SAME_IN_BOTH_ORDERS = "Same in both orders"
SCORES_DISAGREE = "scores and verdict disagree"
CONTRADICTS = PairFlag(
    f"Judge's {SCORES_DISAGREE}",
    "The judge's stated winner contradicts its own scores, or the judge changed its winner when it was asked again. "
    "Decide by the outputs.",
)
