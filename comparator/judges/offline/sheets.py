"""Measures of workbooks, from their sheets as a judge reads them: values, formulas, and cells that hold an error."""

from __future__ import annotations

import re
from dataclasses import dataclass

from comparator.domain.judgment import Quote
from comparator.domain.view import Family, ViewedFile
from comparator.judges.offline.signals import Signal, Subject, Surroundings, share

_SHEET = re.compile(r"^## Sheet: (.+?)(?: \(\d+ rows?, \d+ columns?\))?$", re.MULTILINE)
_ROW = re.compile(r"^\| \d+ \|(.*)\|$", re.MULTILINE)
_FORMULA = re.compile(r"^[A-Z]{1,3}\d{1,7}: =.*$", re.MULTILINE)
_ERROR = re.compile(r"#(?:REF!|DIV/0!|VALUE!|NAME\?|N/A|NUM!|NULL!)")


@dataclass(frozen=True)
class Workbook:
    """What is in the sheets of one file, together."""

    file: ViewedFile
    sheets: tuple[str, ...]
    cells: tuple[str, ...]
    formulas: int

    @property
    def text(self) -> str:
        """The values without row numbers, column letters and formulas."""
        return "\n".join(self.cells)


def workbook_of(file: ViewedFile) -> Workbook | None:
    """The workbook's content, or None for another kind of file, or one whose sheets cannot be told apart."""
    if file.family is not Family.XLSX or not (sheets := tuple(_SHEET.findall(file.text))):
        return None
    cells = tuple(
        cell.strip() for row in _ROW.finditer(file.text) for cell in row.group(1).split("|") if cell.strip()
    )
    return Workbook(file, sheets, cells, sum(1 for _ in _FORMULA.finditer(file.text)))


def workbook_signals(subject: Subject, around: Surroundings) -> list[Signal]:
    """Error values in cells, and formulas where the task speaks of them; empty without a workbook."""
    signals = []
    for book in filter(None, map(workbook_of, subject.view.files)):
        errors = list(_ERROR.finditer(book.file.text))
        quotes = tuple(
            Quote(file=book.file.name, text=m.group(), found=True, start=m.start(), end=m.end())
            for m in errors[:2]
        )
        name = book.file.name
        signals.append(
            Signal(
                f"{name}: {len(book.cells)} filled cells in {len(book.sheets)} sheets, {len(errors)} with an error",
                1 - min(1.0, share(len(errors), len(book.cells)) * 10) if book.cells else 0.0,
                1.0,
                quotes,
                f"{name}: {len(book.cells) - len(errors)} of {len(book.cells)} filled cells are free of errors",
            )
        )
        if "formula" in around.task.prompt.lower():
            signals.append(Signal(f"{book.formulas} formulas", min(1.0, book.formulas / 5)))
    return signals
