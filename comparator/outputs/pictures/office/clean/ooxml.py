"""What of DOCX, PPTX and XLSX is kept, and how each part is cleaned."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, MutableMapping

from lxml import etree

from comparator.outputs.pictures.office.clean import fields, sheets
from comparator.outputs.pictures.office.clean.found import OfficeFindings
from comparator.outputs.pictures.office.clean.words import WordRewriter

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_NOWHERE = "https://example.invalid/"
_DROPPED = re.compile(
    r"^docProps/|^customXml/|^customUI/|/(?:embeddings|activeX|ctrlProps|printerSettings|externalLinks|webextensions|"
    r"queryTables|customProperty|revisions|userCustomization|model)/|/(?:vbaProject\.bin|vbaData\.xml|"
    r"vbaProjectSignature\.bin|attachedToolbars\.bin|connections\.xml|webExtensions?\.xml|taskpanes\.xml)$|"
    r"^_xmlsignatures/|\.(?:bin|exe|dll|ocx|js|vbs|html?|mht)$",
    re.IGNORECASE,
)
_PARAGRAPHS = frozenset({f"{W}p", f"{A}p", f"{S}si", f"{S}is", f"{S}text"})
_BREAKS = frozenset({f"{W}tab", f"{W}br", f"{W}cr", f"{A}br"})
_PEOPLE = re.compile(
    r"^(?:author|authorId|initials|userId|providerId|displayName|name|userName|lastEdited\w*)$"
)
_DATES = re.compile(r"^(?:date|dt|dateUtc|dT|datetime)$", re.IGNORECASE)
_PEOPLE_PARTS = re.compile(
    r"/(?:people|commentAuthors|authors|persons?/\w+|userinfo|users)\.xml$", re.IGNORECASE
)


def keeps(name: str) -> bool:
    """Whether the part is needed to show the document."""
    return not _DROPPED.search(name)


def prepare(trees: Mapping[str, etree._Element], found: OfficeFindings) -> None:
    """What concerns several parts: the names of slides and sheets."""
    for name, title in (("ppt/presentation.xml", "slide"), ("xl/workbook.xml", "sheet")):
        if name not in trees:
            continue
        targets = _targets(name, trees)
        listed = trees[name].iter(f"{P}sldId" if title == "slide" else f"{S}sheet")
        for number, each in enumerate(listed, 1):
            hidden = each.get("state", "visible") != "visible"
            slide = trees.get(targets.get(each.get(f"{R}id", ""), ""))
            if title == "slide" and slide is not None:
                hidden = slide.get("show") in ("0", "false")
            if title == "sheet" and slide is not None:
                sheets.widen(slide, trees)
            found.pages.append(f"{title} {number}" + (" (hidden)" if hidden else ""))


def clean(
    name: str, root: etree._Element, kept: set[str], words: WordRewriter, found: OfficeFindings
) -> None:
    """One part, in place."""
    if name.endswith(".rels"):
        _relations(name, root, kept, found)
        return
    if name == "[Content_Types].xml":
        for override in root.findall("{*}Override"):
            if override.get("PartName", "").lstrip("/") not in kept:
                root.remove(override)
        return
    _people(name, root)
    if name.startswith("word/"):
        fields.replace_telling(root)
        for unwanted in [
            *root.iter(f"{W}dataBinding", f"{W}attachedTemplate", f"{W}mailMerge", f"{W}altChunk")
        ]:
            _remove(unwanted)
    if name.startswith("xl/"):
        sheets.clean(name, root, found)
    for dated in [*root.iter(f"{A}fld")]:
        # A field of date and time would show that of the conversion; its words stay.
        if dated.get("type", "").startswith("datetime"):
            dated.tag = f"{A}r"
            dated.attrib.clear()
            for properties in dated.findall(f"{A}pPr"):
                dated.remove(properties)
    for embedded in [*root.iter("{*}OLEObject", f"{P}control", f"{S}oleObject", f"{S}control")]:
        _remove(embedded)
    _fonts(root, found)
    words.rewrite(root, paragraphs=_PARAGRAPHS, breaks=_BREAKS)


def _targets(part: str, trees: Mapping[str, etree._Element]) -> MutableMapping[str, str]:
    """Where the relations of a part lead, by their ids."""
    folder, leaf = posixpath.split(part)
    relations = trees.get(f"{folder}/_rels/{leaf}.rels")
    if relations is None:
        return {}
    return {each.get("Id", ""): _resolved(folder, each.get("Target", "")) for each in relations}


def _resolved(folder: str, target: str) -> str:
    return posixpath.normpath(posixpath.join("/" + folder, target)).lstrip("/")


def _relations(name: str, root: etree._Element, kept: set[str], found: OfficeFindings) -> None:
    folder = posixpath.dirname(posixpath.dirname(name))
    for each in list(root):
        kind = each.get("Type", "").rpartition("/")[2]
        if each.get("TargetMode", "").lower() == "external":
            if kind == "hyperlink":
                each.set("Target", _NOWHERE)
                continue
            found.linked += kind in (
                "image",
                "oleObject",
                "video",
                "audio",
                "media",
                "chart",
                "subDocument",
                "frame",
            )
            root.remove(each)
        elif kind == "hyperlink":
            continue
        elif _resolved(folder, each.get("Target", "")) not in kept:
            root.remove(each)


def _people(name: str, root: etree._Element) -> None:
    """Authors become numbers in their order, and times go."""
    numbers: dict[str, str] = {}
    people = bool(_PEOPLE_PARTS.search(name))
    for element in root.iter(etree.Element):
        tag = etree.QName(element).localname
        person = people or tag in ("ins", "del", "moveFrom", "moveTo", "comment", "rPrChange", "pPrChange", "cellIns",
                                 "cellDel", "sectPrChange", "tblPrChange", "trPrChange", "tcPrChange", "cm",
                                 "threadedComment", "author", "cmAuthor", "person")  # fmt: skip
        if not person:
            continue
        for key, value in list(element.attrib.items()):
            local = etree.QName(key).localname
            if local in ("initials", "providerId", "userId"):
                element.set(key, "A")
            elif _PEOPLE.match(local) and local != "authorId":
                element.set(key, numbers.setdefault(value, f"Author {len(numbers) + 1}"))
            elif _DATES.match(local):
                del element.attrib[key]
        if tag == "author" and element.text:
            element.text = numbers.setdefault(element.text, f"Author {len(numbers) + 1}")


def _fonts(root: etree._Element, found: OfficeFindings) -> None:
    for each in root.iter(f"{W}rFonts"):
        found.fonts |= {value for key in ("ascii", "hAnsi") if (value := each.get(f"{W}{key}"))}
    for each in root.iter(f"{A}latin"):
        found.fonts |= {value for value in [each.get("typeface")] if value and not value.startswith("+")}
    for each in root.iter(f"{S}name", f"{S}rFont"):
        found.fonts |= {value for value in [each.get("val")] if value}


def _remove(element: etree._Element) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)
