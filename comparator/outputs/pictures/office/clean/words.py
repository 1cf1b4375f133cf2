"""Words inside the XML of Office files, made neutral also where formatting splits them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from lxml import etree

from comparator.domain.blinding.redaction import TextForm
from comparator.outputs.view.blinding.redacting import Redactor

_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


class WordRewriter:
    """Rewrites the texts of a part."""

    def __init__(self, redactor: Redactor, writing: TextForm = TextForm.PROSE) -> None:
        self._redactor = redactor
        self._writing = writing

    def text(self, text: str) -> str:
        """One text by itself."""
        return self._redactor.text(text, self._writing)

    def rewrite(
        self,
        root: etree._Element,
        *,
        paragraphs: Collection[str],
        breaks: Collection[str],
        attributes: bool = True,
    ) -> None:
        """Rewrite all texts and attributes below `root`.

        Texts of one of the `paragraphs` (qualified names) are read as one; elements in `breaks` part words.
        """
        everything = "\n".join((*self._joined(root, paragraphs, breaks), *_values(root)))
        if not self._redactor.changes(everything):
            return
        for group in _groups(root, paragraphs, breaks):
            self._across(group)
        if attributes:
            for element in root.iter(etree.Element):
                for name, value in element.attrib.items():
                    if (new := self._redactor.text(str(value), TextForm.CELL)) != value:
                        element.set(name, new)

    def _joined(
        self, root: etree._Element, paragraphs: Collection[str], breaks: Collection[str]
    ) -> Iterable[str]:
        for group in _groups(root, paragraphs, breaks):
            yield "".join(_get(slot) for slot in group)

    def _across(self, group: list[tuple[etree._Element | None, bool]]) -> None:
        texts = [_get(slot) for slot in group]
        for slot, old, new in zip(
            group, texts, self._redactor.pieces(texts, writing=self._writing), strict=True
        ):
            element, tail = slot
            if element is None or old == new:
                continue
            if tail:
                element.tail = new
            else:
                element.text = new
                if etree.QName(element).localname in ("t", "delText"):
                    element.set(_SPACE, "preserve")


_Slot = tuple[etree._Element | None, bool]  # noqa: SLF001 - lxml names its type so


def _get(slot: _Slot) -> str:
    element, tail = slot
    if element is None:
        return "\n"
    return (element.tail if tail else element.text) or ""


def _groups(
    root: etree._Element, paragraphs: Collection[str], breaks: Collection[str]
) -> Iterable[list[_Slot]]:
    """The texts of each paragraph in order; texts outside of paragraphs stand by themselves."""
    open_groups: list[list[_Slot]] = []
    done: list[list[_Slot]] = []
    for event, element in etree.iterwalk(root, events=("start", "end")):
        tag = element.tag
        if event == "start":
            if tag in paragraphs:
                open_groups.append([])
            elif tag in breaks and open_groups:
                open_groups[-1].append((None, False))
            if element.text:
                (open_groups[-1] if open_groups else _alone(done)).append((element, False))
            continue
        if tag in paragraphs:
            done.append(open_groups.pop())
        if element.tail and element is not root:
            (open_groups[-1] if open_groups else _alone(done)).append((element, True))
    return [group for group in done if group]


def _alone(done: list[list[_Slot]]) -> list[_Slot]:
    done.append([])
    return done[-1]


def _values(root: etree._Element) -> Iterable[str]:
    return (str(value) for element in root.iter(etree.Element) for value in element.attrib.values())
