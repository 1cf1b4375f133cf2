"""The two workbooks of the workshop budget, with formulas and the values that these give."""

import io
import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, field

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.worksheet.worksheet import Worksheet

WORKSHOPS = 6
PLACES = 15
SHARE = 0.8
FEE = 35.0
ROOM, INSTRUCTOR, FIRING = 60.0, 180.0, 40.0
CLAY = 6.5
FLYERS, INSURANCE = 90.0, 120.0
PARTICIPANTS = 12

MONEY = "#,##0.00"
NEVER = "2026-01-01T00:00:00Z"
PROPERTIES = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"


@dataclass(frozen=True)
class Formula:
    """A formula with the value that a spreadsheet program would store beside it."""

    text: str
    value: float


@dataclass
class Book:
    """A workbook being written, and the values of its formulas by sheet and cell."""

    workbook: Workbook
    values: dict[tuple[str, str], float] = field(default_factory=dict)

    def sheet(self, title: str) -> Worksheet:
        """Return a new sheet at the end of the workbook."""
        sheet: Worksheet = self.workbook.create_sheet(title)
        return sheet

    def fill(
        self, sheet: Worksheet, *, first_row: int, rows: Iterable[tuple[str | float | Formula, ...]]
    ) -> None:
        """Write rows of texts, numbers and formulas from column A on."""
        for row_number, row in enumerate(rows, start=first_row):
            for column, value in enumerate(row, start=1):
                cell = sheet.cell(row_number, column)
                if isinstance(value, Formula):
                    cell.value = value.text
                    self.values[sheet.title, cell.coordinate] = value.value
                else:
                    cell.value = value


def typed_budget() -> bytes:
    """Return the good-looking workbook: typed numbers, and nothing for firing the kiln."""
    book = _empty_book()
    costs = ROOM + INSTRUCTOR + CLAY * PARTICIPANTS
    income = FEE * PARTICIPANTS

    summary = book.sheet("Summary")
    last = 4 + WORKSHOPS + 1
    total_income, total_costs, once = income * WORKSHOPS, costs * WORKSHOPS, FLYERS + INSURANCE
    book.fill(
        summary,
        first_row=1,
        rows=[
            ("Pottery workshops in spring: summary",),
            (),
            ("Item", "Amount"),
            ("Income from fees", Formula(f"=Workshops!C{last}", total_income)),
            ("Costs of the workshops", Formula(f"=Workshops!G{last}", total_costs)),
            ("Flyers and insurance", once),
            ("Result of the series", Formula("=B4-B5-B6", total_income - total_costs - once)),
            (),
            ("Participants a workshop needs to break even", 10),
        ],
    )
    workshops = book.sheet("Workshops")
    book.fill(
        workshops,
        first_row=1,
        rows=[
            ("Income and costs of each workshop",),
            (),
            ("Workshop", "Participants", "Income", "Room", "Instructor", "Clay and glaze", "Costs", "Result"),
        ],
    )
    rows: list[tuple[str | float | Formula, ...]] = [
        (f"Workshop {n}", PARTICIPANTS, income, ROOM, INSTRUCTOR, CLAY * PARTICIPANTS, costs, income - costs)
        for n in range(1, WORKSHOPS + 1)
    ]
    sums = (PARTICIPANTS, income, ROOM, INSTRUCTOR, CLAY * PARTICIPANTS, costs, income - costs)
    total = tuple(
        Formula(f"=SUM({letter}4:{letter}{last - 2})", value * WORKSHOPS)
        for letter, value in zip("BCDEFGH", sums, strict=True)
    )
    book.fill(workshops, first_row=4, rows=rows)
    book.fill(workshops, first_row=last, rows=[("Total", *total)])
    assumptions = book.sheet("Assumptions")
    book.fill(
        assumptions,
        first_row=1,
        rows=[
            ("What the plan assumes",),
            (),
            ("Assumption", "Value"),
            ("Workshops", WORKSHOPS),
            ("Places in a workshop", PLACES),
            ("Share of places sold", SHARE),
            ("Fee for a place", FEE),
            ("Room, each workshop", ROOM),
            ("Instructor, each workshop", INSTRUCTOR),
            ("Clay and glaze, each participant", CLAY),
            ("Flyers, once", FLYERS),
            ("Insurance, once", INSURANCE),
        ],
    )
    for sheet in (summary, workshops, assumptions):
        _dress(sheet)
    _money(summary, "B4:B7")
    _money(workshops, f"C4:H{last}")
    _money(assumptions, "B7:B12")
    assumptions["B6"].number_format = "0%"
    for cell in (*workshops[last], *summary[7]):
        cell.font = Font(bold=True)
    return _bytes(book)


def linked_budget() -> bytes:
    """Return the plain workbook: every result follows from the assumptions, nothing is formatted."""
    book = _empty_book()
    assumptions = book.sheet("Assumptions")
    book.fill(
        assumptions,
        first_row=1,
        rows=[
            ("Workshops", WORKSHOPS),
            ("Places per workshop", PLACES),
            ("Share sold", SHARE),
            ("Fee per place", FEE),
            ("Room per workshop", ROOM),
            ("Instructor per workshop", INSTRUCTOR),
            ("Firing the kiln per workshop", FIRING),
            ("Clay and glaze per participant", CLAY),
            ("Flyers once", FLYERS),
            ("Insurance once", INSURANCE),
        ],
    )
    workshops = book.sheet("Workshops")
    income, clay = FEE * PARTICIPANTS, CLAY * PARTICIPANTS
    costs = ROOM + INSTRUCTOR + FIRING + clay
    header = ("No", "Participants", "Income", "Room", "Instructor", "Firing", "Clay", "Costs", "Result")
    book.fill(workshops, first_row=1, rows=[header])
    for n in range(1, WORKSHOPS + 1):
        row = n + 1
        book.fill(
            workshops,
            first_row=row,
            rows=[
                (
                    n,
                    Formula("=Assumptions!$B$2*Assumptions!$B$3", PARTICIPANTS),
                    Formula(f"=B{row}*Assumptions!$B$4", income),
                    Formula("=Assumptions!$B$5", ROOM),
                    Formula("=Assumptions!$B$6", INSTRUCTOR),
                    Formula("=Assumptions!$B$7", FIRING),
                    Formula(f"=B{row}*Assumptions!$B$8", clay),
                    Formula(f"=SUM(D{row}:G{row})", costs),
                    Formula(f"=C{row}-H{row}", income - costs),
                )
            ],
        )
    last = WORKSHOPS + 2
    sums = (PARTICIPANTS, income, ROOM, INSTRUCTOR, FIRING, clay, costs, income - costs)
    total = tuple(
        Formula(f"=SUM({letter}2:{letter}{last - 1})", value * WORKSHOPS)
        for letter, value in zip("BCDEFGHI", sums, strict=True)
    )
    book.fill(workshops, first_row=last, rows=[("Total", *total)])
    once = FLYERS + INSURANCE
    fixed = "Assumptions!B5+Assumptions!B6+Assumptions!B7+(Assumptions!B9+Assumptions!B10)/Assumptions!B1"
    book.fill(
        book.sheet("Summary"),
        first_row=1,
        rows=[
            ("Income", Formula(f"=Workshops!C{last}", income * WORKSHOPS)),
            ("Costs of workshops", Formula(f"=Workshops!H{last}", costs * WORKSHOPS)),
            ("Costs once", Formula("=Assumptions!B9+Assumptions!B10", once)),
            ("Result", Formula("=B1-B2-B3", (income - costs) * WORKSHOPS - once)),
            ("Break even at", Formula(f"=ROUNDUP(({fixed})/(Assumptions!B4-Assumptions!B8),0)", 12)),
        ],
    )
    return _bytes(book)


def _empty_book() -> Book:
    workbook = Workbook()
    workbook.remove(workbook.worksheets[0])
    workbook.properties.creator = ""
    return Book(workbook)


def _dress(sheet: Worksheet) -> None:
    """Give a sheet a title, a coloured header in row 3, and columns wide enough to read."""
    sheet["A1"].font = Font(bold=True, size=14)
    for cell in sheet[3]:
        cell.font = Font(bold=True, color="FFFFFF")
        cell.fill = PatternFill("solid", fgColor="2A486B")
        cell.alignment = Alignment(horizontal="left" if cell.column == 1 else "right")
    sheet.freeze_panes = "A4"
    sheet.column_dimensions["A"].width = 44 if sheet.max_column == 2 else 16
    for letter in "BCDEFGH"[: sheet.max_column - 1]:
        sheet.column_dimensions[letter].width = 15


def _money(sheet: Worksheet, cells: str) -> None:
    for row in sheet[cells]:
        for cell in row:
            cell.number_format = MONEY


def _bytes(book: Book) -> bytes:
    """Return the file with stored formula values, without times and program names, and uncompressed.

    Compression is left out because its result depends on the zlib of the machine.
    """
    raw = io.BytesIO()
    book.workbook.save(raw)
    sheet_of = {
        f"xl/worksheets/sheet{n}.xml": s.title for n, s in enumerate(book.workbook.worksheets, start=1)
    }
    written = io.BytesIO()
    with zipfile.ZipFile(raw) as source, zipfile.ZipFile(written, "w", zipfile.ZIP_STORED) as target:
        for name in sorted(source.namelist(), key=lambda name: (name != "[Content_Types].xml", name)):
            text = source.read(name).decode()
            if name in sheet_of:
                text = _with_values(text, {c: v for (s, c), v in book.values.items() if s == sheet_of[name]})
            elif name == "docProps/core.xml":
                text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", NEVER, text)
            elif name == "docProps/app.xml":
                text = f'<Properties xmlns="{PROPERTIES}"/>'
            member = zipfile.ZipInfo(name, date_time=(2026, 1, 1, 0, 0, 0))
            member.create_system = 3
            member.external_attr = 0o644 << 16
            target.writestr(member, text.encode())
    return written.getvalue()


def _with_values(xml: str, values: dict[str, float]) -> str:
    """Put each formula's value where a spreadsheet program stores it; openpyxl writes formulas only."""
    for coordinate, value in values.items():
        cell = re.compile(rf'(<c r="{coordinate}"[^>]*><f>[^<]*</f>)<v\s*(?:/>|></v>)')
        xml, found = cell.subn(rf"\g<1><v>{value:g}</v>", xml)
        if found != 1:
            raise ValueError(f"No formula to give the value {value:g} to in cell {coordinate}.")
    return xml
