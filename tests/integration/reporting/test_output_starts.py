"""How an output begins in the grid and the list: its words, whatever marks them up."""

import pytest

from comparator.domain.pair.view import Family
from comparator.reporting.history.listing import plain_words

TABLE = """# Costs in March

| **Service** | Cost |
|---|---:|
| `disk` | 12 |

- see [the bill](https://example.com/bill)
"""

SHEET = """## Sheet: Summary (9 rows, 2 columns)

| | A | B |
|---|---|---|
| 1 | Pottery workshops | |
| 2 | Item | Amount |
"""


@pytest.mark.parametrize(
    ("family", "text", "words"),
    [
        (Family.MARKDOWN, TABLE, "Costs in March Service Cost disk 12 see the bill"),
        (Family.MARKDOWN, "A `<repo-url>` <b>stays</b>\n\n```sh\nls -l\n```", "A <repo-url> stays ls -l"),
        (Family.HTML, "<style>p {}</style><p>Hello <i>there</i>", "Hello there"),
        (Family.TEXT, "| a | b |", "| a | b |"),
        (Family.PDF, "[page 1]\nRoom booking\n\n[page 2]\nNotes", "Room booking Notes"),
        (Family.XLSX, SHEET, "Pottery workshops Item Amount"),
        (Family.JSON, '{\n  "number": "0417",\n  "lines": [1, 2]\n}', "number: 0417, lines: 1, 2"),
    ],
)
def test_the_words_of_an_output_stand_without_what_marks_them_up(
    family: Family, text: str, words: str
) -> None:
    assert " ".join(plain_words(text, family).split()) == words
