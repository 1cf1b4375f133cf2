"""Parts that the pages of a PDF draw as a whole (form XObjects), written into the pages, where each word is found."""

from __future__ import annotations

import io
from typing import NamedTuple

import pikepdf
from pikepdf import ContentStreamInstruction, Dictionary, Name, Object, Operator, Stream

from comparator.outputs.child.extraction import Unreadable
from comparator.outputs.extract.pdf.content import Instruction, instructions_of, written
from comparator.outputs.extract.pdf.rebuild import saved

_MOST = 500_000
"""Instructions of one page."""
_DEEPEST = 10
_STRAIGHT = (1, 0, 0, 1, 0, 0)
_KINDS = {
    "Tf": "/Font",
    "gs": "/ExtGState",
    "cs": "/ColorSpace",
    "CS": "/ColorSpace",
    "scn": "/Pattern",
    "SCN": "/Pattern",
    "sh": "/Shading",
    "Do": "/XObject",
}
"""Operators that name a resource, and its kind."""


def without_forms(data: bytes) -> bytes | None:
    """The PDF with such parts written into its pages; None where it has none. Raises Unreadable."""
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            found = [_Flat(pdf, page).flatten() for page in pdf.pages]
            if not any(found):
                return None
            return saved(pdf)
    except pikepdf.PdfError as error:
        raise Unreadable("The PDF is damaged and cannot be read.") from error


class _Within(NamedTuple):
    """The resources that instructions name; `key` is their own part's, None for the page itself."""

    resources: Object
    key: int | None = None
    depth: int = 0


class _Flat:
    def __init__(self, pdf: pikepdf.Pdf, page: pikepdf.Page) -> None:
        self._pdf, self._page = pdf, page
        # Pages can share theirs.
        kinds = page.obj.get("/Resources", Dictionary()).items()
        self._own = Dictionary({key: Dictionary(dict(value.items())) if isinstance(value, Dictionary) else value
                                for key, value in kinds})  # fmt: skip
        self._names: dict[tuple[int, str, str], Name] = {}
        self._found: list[Instruction] = []
        self._forms = 0

    def flatten(self) -> bool:
        self._add(instructions_of(self._page), _Within(self._own))
        if self._forms:
            there = self._own.get("/XObject", Dictionary())
            for name in [name for name, value in there.items() if _is_form(value)]:
                del there[name]
            self._page.obj.Resources = self._own
            self._page.obj.Contents = self._pdf.make_stream(written(self._found))
        return self._forms > 0

    def _add(self, instructions: list[Instruction], within: _Within) -> None:
        if len(self._found) + len(instructions) > _MOST or within.depth > _DEEPEST:
            raise Unreadable("A page of the PDF draws too much.")
        for each in instructions:
            kind = _KINDS.get(str(each.operator))
            operands = list(each.operands) if kind else []
            at = next((i for i, value in enumerate(operands) if isinstance(value, Name)), None)
            if at is None or kind is None:
                self._found.append(each)
                continue
            named = within.resources.get(kind, Dictionary()).get(str(operands[at]))
            if isinstance(named, Stream) and kind == "/XObject" and _is_form(named):
                self._form(named, within)
            elif named is not None and within.key is not None:
                operands[at] = self._named(within.key, kind, str(operands[at]), named)
                self._found.append(ContentStreamInstruction(operands, each.operator))
            else:
                self._found.append(each)

    def _form(self, form: Stream, within: _Within) -> None:
        self._forms += 1
        left, bottom, right, top = (float(each) for each in form.BBox)
        for operands, operator in (
            ((), "q"),
            (form.get("/Matrix", _STRAIGHT), "cm"),
            ((left, bottom, right - left, top - bottom), "re"),
            ((), "W"),
            ((), "n"),
        ):
            self._found.append(ContentStreamInstruction(list(operands), Operator(operator)))
        resources = form.get("/Resources")
        inner = within if resources is None else _Within(resources, self._forms)
        self._add(instructions_of(form), inner._replace(depth=within.depth + 1))
        self._found.append(ContentStreamInstruction([], Operator("Q")))

    def _named(self, key: int, kind: str, name: str, value: Object) -> Name:
        """The name that a resource of a part has among those of the page."""
        if (key, kind, name) not in self._names:
            if kind not in self._own:
                self._own[kind] = Dictionary()
            there = self._own[kind]
            new = Name(f"/Part{key}{name[1:]}")
            while new in there:
                new = Name(f"{new}x")
            there[new] = value
            self._names[key, kind, name] = new
        return self._names[key, kind, name]


def _is_form(value: object) -> bool:
    return isinstance(value, Stream) and value.get("/Subtype") == Name.Form
