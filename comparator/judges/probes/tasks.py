"""The tasks of the probes, each with a right answer and one with a planted defect that nobody may overlook."""

from __future__ import annotations

from typing import NamedTuple

from comparator.judges.probes.files import pdf, workbook


class Base(NamedTuple):
    """A task and two answers: `good` does it, `bad` has the planted defect. Both are the same file by name."""

    name: str
    prompt: str
    file: str
    good: str | bytes
    bad: str | bytes


_REPORT = """# Harvest report

The total weight is {total} kg.

| Field | kg |
|---|---|
| North | 300 |
| South | 120 |
| East | 80 |
"""
_ITEMS = """{{
  "invoice": "0417",
  "items": [
    {{"name": "hinge", "count": 12, "price": 3.5}},
    {{"name": "bolt", "count": 40, "price": 0.2}}{more}
  ],
  "total": {total}
}}
"""
_STEPS = """1. Create a second password for the service account and keep the first one valid.
2. {second}
3. {third}
4. Watch the sign-in errors for an hour.
"""
_MEDIAN = '''def median(values):
    """The middle value; of an even number of values the mean of the two in the middle."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return {even}
'''
_CSV = "name,city,year\nAda,London,1815\nGrace,New York,1906\nKatherine,White Sulphur Springs,1918\n{last}"
_SUMMARY = (
    "The council will repair the bridge in the spring. Traffic is led over Mill Lane until then. "
    "Objections must be filed by {deadline}."
)
_ROWS = (("Item", "Count"), ("Hinge", 12), ("Bolt", 40), ("Nut", 48))
_PAGE = (
    "<!doctype html><html><head><title>Opening hours</title>{head}</head><body><h1>Opening hours</h1>"
    "<ul><li>Monday to Friday: 9 to 17</li><li>Saturday: {saturday}</li></ul>{end}</body></html>\n"
)
PAGE_GOOD = _PAGE.format(head="", saturday="10 to 14", end="")


def page_bad(*, head: str = "", end: str = "") -> str:
    """The web page with the planted defect, with more in its head and at its end."""
    return _PAGE.format(head=head, saturday="closed", end=end)


def sheet_bad(
    *, more: dict[str, list[list[str | int]]] | None = None, state: str = "hidden", title: str = ""
) -> bytes:
    """The workbook with the planted defect, with more sheets in this state."""
    hidden = dict.fromkeys(more or {}, state)
    return workbook({"Stock": _ROWS[:-1], **(more or {})}, hidden=hidden, title=title)


_LETTER = (
    "Dear Ms Okafor,",
    "Your order 2210 ships on {day}.",
    "It holds two lamps and one desk.",
    "Kind regards",
)


def letter(day: str, *, more: list[str] | None = None, title: str = "", white: bool = False) -> bytes:
    """The letter as a PDF; `more` are the lines of a second page."""
    pages = [[line.format(day=day) for line in _LETTER], *([more] if more else [])]
    return pdf(pages, title=title, white=(1,) if white else ())


BAD_DAY = "16 March"
BASES: tuple[Base, ...] = (
    Base(
        "report",
        "Write a harvest report in Markdown: a heading, the total weight, and a table by field. North brought in 300 "
        "kg, South 120 kg, East 80 kg.",
        "report.md",
        _REPORT.format(total=500),
        _REPORT.format(total=410),
    ),
    Base(
        "invoice",
        "Write invoice 0417 as JSON with all items and the total: 12 hinges at 3.50, 40 bolts at 0.20, 2 saws at "
        "19.00.",
        "invoice.json",
        _ITEMS.format(more=',\n    {"name": "saw", "count": 2, "price": 19.0}', total=88.0),
        _ITEMS.format(more="", total=50.0),
    ),
    Base(
        "steps",
        "Write the steps to change the password of a service account that may hold two passwords at a time, so that "
        "the service never fails to sign in.",
        "steps.md",
        _STEPS.format(
            second="Give the new password to the service, and check that it signs in with it.",
            third="Only then remove the first password.",
        ),
        _STEPS.format(
            second="Remove the first password at once.",
            third="Give the new password to the service when somebody has time.",
        ),
    ),
    Base(
        "median",
        "Write a Python function median(values) that returns the median of a list of numbers without changing the "
        "list.",
        "median.py",
        _MEDIAN.format(even="(ordered[middle - 1] + ordered[middle]) / 2"),
        _MEDIAN.format(even="ordered[middle]"),
    ),
    Base(
        "table",
        "Write these people as CSV with a header: Ada, London, 1815; Grace, New York, 1906; Katherine, White Sulphur "
        "Springs, 1918; Hedy, Vienna, 1914.",
        "people.csv",
        _CSV.format(last="Hedy,Vienna,1914\n"),
        _CSV.format(last=""),
    ),
    Base(
        "summary",
        "Summarise in three sentences, with the deadline: The bridge on Long Road is to be repaired in spring. Until "
        "the work is done, traffic is led over Mill Lane. Residents may file objections with the council until 12 "
        "February.",
        "summary.md",
        _SUMMARY.format(deadline="12 February"),
        _SUMMARY.format(deadline="30 June"),
    ),
    Base(
        "stock",
        "Make a workbook with a sheet Stock of all items and counts: 12 hinges, 40 bolts, 48 nuts.",
        "stock.xlsx",
        workbook({"Stock": _ROWS}),
        sheet_bad(),
    ),
    Base(
        "letter",
        "Write a letter as PDF to Ms Okafor: her order 2210, two lamps and one desk, ships on 6 March.",
        "letter.pdf",
        letter("6 March"),
        letter(BAD_DAY),
    ),
    Base(
        "page",
        "Make a web page of our opening hours: Monday to Friday 9 to 17, Saturday 10 to 14.",
        "hours.html",
        PAGE_GOOD,
        page_bad(),
    ),
)
