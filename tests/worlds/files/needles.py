"""Pairs in which what decides lies where a cut view does not reach, and pairs of the same kinds with nothing wrong.

Each case says what a careful reader would ask for. The questions follow from the task; none holds the needle's words.
"""

import io
import json
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

from comparator.domain.labels import Label, Winner
from comparator.domain.pair.view import ImageBlock, PageEvidence, PagePicture
from tests.worlds.files.outputs_office import pages

Call = tuple[str, dict[str, Any]]
Files = dict[str, bytes | str]
SIDES = (Label.A, Label.B)
ROWS = 120_000


@dataclass(frozen=True, kw_only=True)
class Case:
    """A pair: its files, what is hidden in which of them, and the calls that reach it.

    `needle` is what tells the worse output, empty where nothing is wrong; `pages` are pictures of web pages that the
    view has no room for; `seen` is the picture that tells.
    """

    kind: str
    name: str
    prompt: str
    a: Files
    b: Files
    calls: tuple[Call, ...]
    better: Winner
    needle: str = ""
    inputs: Files = field(default_factory=dict)
    pages: dict[tuple[Label, str], PageEvidence] = field(default_factory=dict)
    seen: bytes = b""


def table_row(number: int, *, clean: bool = False) -> Case:
    """A negative amount behind row 100,000 of a table that must have none."""
    form = ("csv", "tsv", "parquet")[number % 3]
    name, at = f"payments.{form}", 100_000 + number
    amounts = [n % 500 + 1 for n in range(1, ROWS + 1)]
    good = _amounts(form, amounts)
    amounts[at - 1] *= -1
    where = [{"column": "amount", "test": "less", "value": "0"}]
    return _case(
        "row of a table", f"{name} {number}", "List all payments; no amount is below zero.",
        {name: good}, {name: good if clean else _amounts(form, amounts)}, number, clean,
        needle=f"{at},{amounts[at - 1]}" if not clean else "",
        calls=tuple(("table", {"side": side.value, "file": name, "where": where}) for side in SIDES),
    )  # fmt: skip


def late_page(number: int, *, clean: bool = False) -> Case:
    """A conclusion on page 90 of a report that says the opposite of its summary."""
    wrong = f"Conclusion {number}: the bridge is not safe."
    texts = [_page_text(page) for page in range(1, 161)]
    good, bad = list(texts), list(texts)
    good[89] += f"\nConclusion {number}: the bridge is safe."
    bad[89] += f"\n{wrong}"
    return _case(
        "page of a document", f"report {number}", "Write the report on the bridge; it is safe.",
        {"report.pdf": long_pdf(good)}, {"report.pdf": long_pdf(bad)}, number, clean,
        needle=wrong if not clean else "",
        calls=(("search", {"text": "^Conclusion", "pattern": True}),
               *(("read", {"side": side.value, "file": "report.pdf", "unit": "pages", "first": 90})
                 for side in SIDES)),
    )  # fmt: skip


def sixtieth_file(number: int, *, clean: bool = False) -> Case:
    """A module that is only a stub, in the 60th file of a program."""
    good: Files = {f"part_{n:02d}.py": _module(n, n + number) for n in range(1, 61)}
    bad = dict(good)
    name = "part_60.py"
    needle = f"raise NotImplementedError('step {60 + number}')"
    bad[name] = str(good[name]).replace(f"return total * {60 + number}", needle)
    return _case(
        "60th file", f"program {number}", "Write all sixty parts in full.", good, bad, number, clean,
        needle=needle if not clean else "",
        calls=(("list", {}), ("search", {"text": r"NotImplementedError|TODO|\.\.\.$", "pattern": True})),
    )  # fmt: skip


def hidden_sheet(number: int) -> Case:
    """A hidden sheet between two long ones with figures that were typed over."""
    needle = f"overwritten by hand: {4_000 + number}"
    return _case(
        "hidden sheet", f"workbook {number}", "Build the budget workbook from formulas alone.",
        {"budget.xlsx": _workbook("figures come from sheet Data")}, {"budget.xlsx": _workbook(needle)}, number, False,
        needle=needle,
        calls=tuple(call for side in SIDES for call in (
            ("list", {"side": side.value, "file": "budget.xlsx"}),
            ("read", {"side": side.value, "file": "budget.xlsx", "sheet": 2}),
        )),
    )  # fmt: skip


def phone_width(number: int) -> Case:
    """A page whose text runs off a phone's window; the view has no room for pictures of pages."""
    html = f"<html><body><h1>Shop {number}</h1><p>Buy here.</p></body></html>"
    desktop, fits, cut = (_tile(colour) for colour in ((250, 250, 250), (10, 200, 10), (200, 10, number)))
    worse = SIDES[number % 2]
    pages = {
        (side, "index.html"): PageEvidence(
            pictures=(
                PagePicture(device="desktop", width=1280, height=60, shown=60, tiles=(desktop,)),
                PagePicture(
                    device="phone", width=390, height=60, shown=60, tiles=(cut if side is worse else fits,)
                ),
            )
        )
        for side in SIDES
    }
    return Case(
        kind="phone width", name=f"page {number}", prompt="Make a page that works on a phone.",
        a={"index.html": html}, b={"index.html": html + "\n"}, better=_winner(number),
        calls=tuple(("look", {"side": side.value, "file": "index.html", "width": 390}) for side in SIDES),
        pages=pages, seen=cut.data,
    )  # fmt: skip


def late_contradiction(number: int, *, clean: bool = False) -> Case:
    """A long text that takes its own decision back in its middle."""
    name = ("plan.md", "plan.txt")[number % 2]
    lines = [f"Step {n}: check part {n % 89} of the cluster and note the result." for n in range(1, 5_200)]
    good = "\n".join(lines)
    needle = f"Step {3_200 + number}: after all, roll back to the old version"
    lines[3_199 + number] = needle
    return _case(
        "late contradiction", f"{name} {number}", "Plan the upgrade. It must not be rolled back.",
        {name: good}, {name: "\n".join(lines)}, number, clean,
        needle=needle if not clean else "",
        calls=(("compare", {}), ("compare", {"file": name})),
    )  # fmt: skip


def input_number(number: int, *, clean: bool = False) -> Case:
    """An entry of the input file, which is too long to be given whole, is quoted with another amount."""
    rows = [(n, n * 7 % 1_000) for n in range(1, 40_001)]
    entry, amount = rows[20_344 + number]
    table = "id,amount\n" + "\n".join(f"{n},{own}" for n, own in rows)
    good, bad = (f"Entry {entry} was {value} euros." for value in (amount, amount + 90))
    where = [{"column": "id", "test": "equals", "value": str(entry)}]
    return _case(
        "number of the input", f"entry {entry}", f"How much was entry {entry} of ledger.csv?",
        {"answer.md": good}, {"answer.md": bad}, number, clean,
        needle=f"{entry},{amount}" if not clean else "", inputs={"ledger.csv": table},
        calls=(("table", {"side": "input", "file": "ledger.csv", "where": where}),),
    )  # fmt: skip


def copied_json(number: int, *, clean: bool = False) -> Case:
    """One of 4,000 numbers that were to be copied is another one: all fit into a request, and nobody sees it."""
    rows = [n * 7_919 % 100_003 + 10_000 for n in range(4_000)]
    at = 2_000 + number
    wrong = [*rows[:at], rows[at] + 60, *rows[at + 1 :]]
    name, good, bad = "numbers.json", json.dumps(rows), json.dumps(wrong)
    return _case(
        "copied JSON", f"numbers {number}", "Copy the numbers of numbers.json.",
        {name: good}, {name: bad}, number, clean,
        needle="" if clean else f"+ {at + 2}: {wrong[at]},", inputs={name: good},
        calls=tuple(("compare", {"file": name, "side": "input", "other_side": side.value}) for side in SIDES),
    )  # fmt: skip


def long_pdf(texts: list[str]) -> bytes:
    """A PDF with the lines of these texts on its pages."""
    return pages(*texts, size=(600, 800), top=760, font=10)


def _case(
    kind: str,
    name: str,
    prompt: str,
    good: Files,
    bad: Files,
    number: int,
    clean: bool,
    *,
    needle: str,
    calls: tuple[Call, ...],
    inputs: Files | None = None,
) -> Case:
    """The worse output is A for even numbers and B for odd ones; without a needle both are good."""
    sides = (good, good) if clean else (bad, good) if number % 2 == 0 else (good, bad)
    better = Winner.TIE if clean else _winner(number)
    return Case(kind=kind, name=name, prompt=prompt, a=sides[0], b=sides[1], calls=calls, better=better,
                needle=needle, inputs=inputs or {})  # fmt: skip


def _winner(number: int) -> Winner:
    return Winner.B if number % 2 == 0 else Winner.A


def _amounts(form: str, amounts: list[int]) -> bytes | str:
    """A table of payments and their amounts."""
    if form == "parquet":
        out = io.BytesIO()
        pq.write_table(pa.table({"id": range(1, len(amounts) + 1), "amount": amounts}), out)
        return out.getvalue()
    sign = {"csv": ",", "tsv": "\t"}[form]
    return "\n".join((f"id{sign}amount", *(f"{n}{sign}{amount}" for n, amount in enumerate(amounts, 1))))


def _page_text(page: int) -> str:
    line = f"Finding {page}: the measured load stays below what was planned for the span."
    return "\n".join(f"{line} Row {n}." for n in range(9))


def _module(number: int, factor: int) -> str:
    body = "\n".join(f"    total += values[{n}]  # part {number} adds value {n} here" for n in range(90))
    # The function that counts stands where a cut of head and tail leaves a gap.
    key = f"\n    return total * {factor}\n\n"
    return f"def step(values):\n    total = 0\n{body}{key}def other(values):\n    total = 1\n{body[: len(body) // 4]}\n"


def _workbook(note: str) -> bytes:
    book = openpyxl.Workbook(write_only=True)
    for title, rows in (("Data", 3_500), ("Notes", 3), ("More data", 3_500)):
        sheet = book.create_sheet(title)
        if title == "Notes":
            sheet.sheet_state = "hidden"
            sheet.append([note])
            continue
        for n in range(rows):
            sheet.append([n, f"position {n} of the budget for the year", n * 3])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _tile(colour: tuple[int, int, int]) -> ImageBlock:
    out = io.BytesIO()
    Image.new("RGB", (39, 60), colour).save(out, "PNG")
    return ImageBlock(media_type="image/png", data=out.getvalue())


_KINDS = (
    table_row,
    late_page,
    sixtieth_file,
    hidden_sheet,
    phone_width,
    late_contradiction,
    input_number,
    copied_json,
)
NEEDLES: tuple[partial[Case], ...] = tuple(partial(kind, number) for number in range(6) for kind in _KINDS)
"""Builders of 48 pairs with a needle, six of each of eight kinds."""
CLEAN: tuple[partial[Case], ...] = tuple(
    partial(kind, number, clean=True)
    for number in range(4)
    for kind in (table_row, late_page, sixtieth_file, late_contradiction, input_number)
)
"""Builders of 20 pairs with nothing wrong: the same calls find nothing."""
