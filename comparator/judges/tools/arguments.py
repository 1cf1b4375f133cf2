"""The tools' arguments, typed; their fields and descriptions are what a model is told."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from comparator.domain.labels import Frozen
from comparator.domain.pair.examination import Place
from comparator.outputs.examine.query import CellTest, ColumnFigure, ColumnSort, Name

Count = Annotated[int, Field(ge=1, le=1_000_000_000)]


class Arguments(Frozen):
    """What a tool is asked; a field's docstring is its description."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class ListFiles(Arguments):
    """List files with their kind, size and notes. With `file`, list its pages, sheets or columns."""

    side: Place | None = None
    """Output A or B, the input files or the reference; all if left out."""
    file: Name | None = None
    """The file whose parts to list. Needs `side`."""
    first: Count = 1
    """The number of the first file to list."""


class Read(Arguments):
    """Read part of a file: lines of its text, pages of a PDF, slides, or rows of a sheet."""

    side: Place
    file: Name
    unit: Literal["lines", "pages", "slides", "rows"] = "lines"
    first: Count = 1
    """The first line, page, slide or row, counted from 1."""
    last: Count | None = None
    """The last one. If left out: one page or slide, or as many lines or rows as fit."""
    sheet: Count = 1
    """Which sheet of a workbook, counted from 1."""
    at: Count = 1
    """The character of each line to start from; for overlong lines."""


class Search(Arguments):
    """Find a text in the names and lines of all files, of one side, or of one file."""

    text: str
    """What to look for."""
    pattern: bool = False
    """Whether `text` is an RE2 pattern."""
    match_case: bool = True
    """Whether case matters."""
    side: Place | None = None
    file: Name | None = None
    most: Annotated[int, Field(ge=1, le=100)] = 30
    """How many lines to show at most."""


class Table(Arguments):
    """Show rows of a CSV or Parquet file, sheet or JSON array of objects: filtered, sorted, or grouped and added up."""

    side: Place
    file: Name
    sheet: Count = 1
    columns: Annotated[tuple[Name, ...], Field(max_length=100)] = ()
    """The columns to show, by name or letter; all if left out."""
    where: Annotated[tuple[CellTest, ...], Field(max_length=20)] = ()
    sort: Annotated[tuple[ColumnSort, ...], Field(max_length=5)] = ()
    group_by: Annotated[tuple[Name, ...], Field(max_length=5)] = ()
    figures: Annotated[tuple[ColumnFigure, ...], Field(max_length=20)] = ()
    first: Count = 1
    """The number of the first row to show."""
    most: Annotated[int, Field(ge=1, le=200)] = 50


class Look(Arguments):
    """See a page of a PDF or document, a slide, a sheet, an image, or a web page as a picture."""

    side: Place
    file: Name
    page: Count = 1
    """Which page or picture; of a web page, which part from the top."""
    width: Annotated[int, Field(ge=100, le=1_568)] = 1_000
    """Width in pixels. A web page is shown in the window nearest to it in width."""


class Compare(Arguments):
    """Show which files of A and B differ or, with `file`, which of its lines, or values of JSON with their paths."""

    file: Name | None = None
    """A file of `side`."""
    side: Place = "A"
    other: Name | None = None
    """A file of `other_side`; the same name if left out."""
    other_side: Place = "B"
    sheet: Count = 1
    first: Count = 1
    """The number of the first difference to show."""
