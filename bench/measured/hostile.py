"""Whether four times as much hostile input takes about four times as long, and not sixteen times.

The tests see that such input is read to its end and what comes out; how the time grows is measured here.
"""

import os
import random
import string
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from markdown_it import MarkdownIt

from bench.browser import ROOT
from bench.figures import Figure, figure, seconds
from comparator.domain.blinding.leak_patterns import LeakKind, LeakPattern
from comparator.domain.blinding.scan import ScanText, Where, scan
from comparator.domain.scoring.rubric import USUAL
from comparator.judges.injections import passages
from comparator.judges.model.answers import Unusable, read_answer
from comparator.judges.offline import check_pair
from comparator.judges.quotes import QuoteIndex
from comparator.outputs.differences.text import compare_texts
from comparator.outputs.view.redacting import search
from tests.loopback.pairs import pair, rubric, view

RUNS, MORE, TIMES = 3, 4, 6.0
"""The quickest run counts. A sort grows by somewhat more than its input; comparing each with every other, 16 times."""
SCANS = ((1, 500, 1), (10, 500, 3), (100, 2, 20), (100, 50, 20), (100, 500, 20))
"""Megabytes, names, and the seconds that they may take."""
PIECES = ("<h1>", "```\n~~~\n", "[a](", '{"a":', "you are a ")


def measure() -> Iterator[Figure]:
    """The CPU time of four times the input over that of the input, for each way of reading it."""
    for (name, less), (_, more) in zip(_cases(1), _cases(MORE), strict=True):
        took, longer = (
            min(seconds(work, clock=time.process_time) for _ in range(RUNS)) * 1000 for work in (less, more)
        )
        yield figure(f"{name}, {MORE} times", longer, "ms", floor=took, times=TIMES, of="the input")
    # What the search for names costs, in the process that does it, by kind and size of the text.
    chance = random.Random(1)

    def word(shortest: int) -> str:
        return "".join(chance.choices(string.ascii_lowercase, k=chance.randint(shortest, 10)))

    names = [LeakPattern(text=f"{word(5)}-{word(4)}", kind=LeakKind.CANDIDATE) for _ in range(500)]
    prose = "\n".join(path.read_text() for path in sorted((ROOT / "docs").rglob("*.md")))
    texts = {
        "words": " ".join(word(2) for _ in range(150_000)),
        "code": "\n".join(path.read_text() for path in sorted((ROOT / "comparator").rglob("*.py"))),
        "Markdown": prose,
        "HTML": MarkdownIt("commonmark").enable("table").render(prose),
    }
    for kind, text in texts.items():
        for megabytes, count, limit in SCANS:
            size = megabytes * 1_000_000
            long = ScanText(where=Where.FILE_TEXT, text=(text * (size // len(text) + 1))[:size])
            # The CPU of this process and those that it started.
            took = seconds(partial(search, names[:count], [long]), clock=lambda: sum(os.times()[:4]))
            yield figure(f"{count} names in {megabytes} MB of {kind}", took, "s of CPU", limit=limit)


def _cases(scale: int) -> Iterator[tuple[str, Callable[[], object]]]:
    for piece in PIECES:
        text = piece * (100_000 * scale // len(piece))
        # A view of its own each time: what was found in one is kept as long as it is there.
        yield f"addressing the judge, {piece!r}", lambda text=text: passages(view({"a.md": text}))  # type: ignore[misc]
        yield f"checked offline, {piece!r}", partial(_checked, text[: 20_000 * scale])
    keys = "{" + ",".join(f'"{n:x}":1' for n in range(12_000 * scale)) + ',"last":1,"last":2}'
    yield "an answer of very many keys", lambda: _unusable(keys)
    party = view({"a.txt": "party " * (75_000 * scale)})
    yield "a quote that stands within words only", lambda: QuoteIndex(party).find("a.txt", "art")
    a, b = "ab " * (75_000 * scale), "ba " * (75_000 * scale)
    yield "differences of one line of words", lambda: compare_texts(a, b)
    same, again = "a\n" * (3_000 * scale), "b\na\n" * (2_500 * scale)
    yield "differences of the same lines again and again", lambda: compare_texts(same, again)
    letter = [LeakPattern(text="a" * (100 + n), kind=LeakKind.CANDIDATE) for n in range(100)]
    letters = [ScanText(where=Where.FILE_TEXT, text="a" * (200_000 * scale))]
    yield "names of one letter, in a text of it", lambda: scan(letter, letters)


def _checked(text: str) -> None:
    files = {f"x.{ending}": text for ending in ("md", "json", "js", "html", "csv", "yaml")}
    both = pair(files, {"b.md": "x"}, prompt="Fill in the form on `x`.", expectations=("It names the river",))
    check_pair(both, USUAL)


def _unusable(text: str) -> None:
    with suppress(Unusable):
        read_answer(text, rubric(), pair({"a.md": "x"}, {"b.md": "y"}))
