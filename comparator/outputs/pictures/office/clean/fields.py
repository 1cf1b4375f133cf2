"""Fields of Word: those that would show a person, a path, a date or another file become plain words."""

from __future__ import annotations

import re

from lxml import etree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_INSTEAD = {
    "AUTHOR": "Author",
    "LASTSAVEDBY": "Author",
    "USERNAME": "Author",
    "USERINITIALS": "A",
    "USERADDRESS": "Address",
    "FILENAME": "document",
    "TEMPLATE": "template",
    "DOCPROPERTY": "",
    "DOCVARIABLE": "",
    "INFO": "",
    "COMMENTS": "",
    "SUBJECT": None,
    "TITLE": None,
    "KEYWORDS": None,
    "DATE": None,
    "TIME": None,
    "CREATEDATE": None,
    "SAVEDATE": None,
    "PRINTDATE": None,
    "EDITTIME": None,
    "REVNUM": None,
    "INCLUDEPICTURE": None,
    "INCLUDETEXT": None,
    "INCLUDE": None,
    "IMPORT": None,
    "DATABASE": None,
    "DDE": None,
    "DDEAUTO": None,
    "LINK": None,
    "EMBED": None,
    "RD": None,
    "MACROBUTTON": None,
    "GOTOBUTTON": None,
    "MERGEFIELD": None,
}
"""What stands instead of a field's result; None where the result that the document holds stays."""
_PERSONAL = re.compile(r"^(?:author|manager|company|lastauthor|lastsavedby|template|name)", re.IGNORECASE)


def replace_telling(root: etree._Element) -> None:
    """Replace telling fields by words, in place."""
    for simple in [*root.iter(f"{W}fldSimple")]:
        word = _replaced(simple.get(f"{W}instr", ""))
        if word is not False:
            _write([*simple.iter(f"{W}t")], word)
            simple.set(f"{W}instr", " QUOTE ")
    for story in (root, *root.iter(f"{W}txbxContent")):
        _complex(story)


def _replaced(instruction: str) -> str | bool | None:
    """What is written instead; None where the words stay, False where the field stays."""
    parts = instruction.split()
    name = parts[0].upper().strip("\\") if parts else ""
    if name not in _INSTEAD:
        return False
    if name in ("DOCPROPERTY", "INFO") and len(parts) > 1:
        return "Author" if _PERSONAL.match(parts[1].strip('"')) else None
    return _INSTEAD[name]


def _complex(story: etree._Element) -> None:
    """Fields of several runs: begin, instruction, separator, result, end; they can stand in one another."""
    open_fields: list[tuple[list[etree._Element], list[etree._Element], list[etree._Element]]] = []
    separated: list[bool] = []
    for element in [*story.iter(f"{W}fldChar", f"{W}instrText", f"{W}t")]:
        if element.tag == f"{W}fldChar":
            kind = element.get(f"{W}fldCharType")
            if kind == "begin":
                open_fields.append(([element], [], []))
                separated.append(False)
            elif open_fields:
                open_fields[-1][0].append(element)
                if kind == "separate":
                    separated[-1] = True
                elif kind == "end":
                    _replace(*open_fields.pop())
                    separated.pop()
        elif open_fields and element.tag == f"{W}instrText":
            open_fields[-1][1].append(element)
        elif open_fields and element.tag == f"{W}t" and separated[-1]:
            for each in open_fields:
                each[2].append(element)
    for unfinished in open_fields:
        _replace(*unfinished)


def _replace(
    marks: list[etree._Element], instructions: list[etree._Element], result: list[etree._Element]
) -> None:
    word = _replaced("".join(each.text or "" for each in instructions))
    if word is False:
        return
    _write(result, word)
    for each in (*marks, *instructions):
        parent = each.getparent()
        if parent is not None:
            parent.remove(each)


def _write(texts: list[etree._Element], word: str | bool | None) -> None:
    if not isinstance(word, str):
        return
    for number, text in enumerate(texts):
        text.text = word if number == 0 else ""
