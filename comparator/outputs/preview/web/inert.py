"""A foreign page made inert where the browser does not do it itself: links, look-ups, keys, tooltips, nested pages.

What the sandbox of the frame and the policy of the answer enforce (scripts, loading, forms, navigation by the page) is
left as its author wrote it, so that the page looks as it does in a browser.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from turbohtml import Comment, Doctype, Document, Element, Namespace, Node, ProcessingInstruction

from comparator.outputs.extract.web.growth import tame
from comparator.outputs.preview.document import NotShown, reveal
from comparator.outputs.preview.web.addresses import (
    as_inert,
    as_written,
    host_of,
    is_elsewhere,
    is_fragment,
    is_inline,
)
from comparator.outputs.preview.web.shadow import declare, parsed
from comparator.outputs.preview.web.stylesheet import loads

_FRAMES_DEEP = 2
_ROUNDS = 3
_PRAGMAS = frozenset({"content-type", "content-language", "default-style"})
_DROPPED = frozenset({"accesskey", "autofocus", "ping", "attributionsrc", "nonce", "background-sync"})
_LINKS = frozenset({"a", "area"})
_HREFS = ("href", "xlink:href")


@dataclass(slots=True)
class TakenAway:
    """What the page loses or shows otherwise, for the line above it."""

    scripts: int = 0
    unseen: Counter[str] = field(default_factory=Counter)
    """What is not shown, by its singular: `video`, `web font`."""
    messages: list[str] = field(default_factory=list)

    def notes(self, *, pictured: bool) -> tuple[str, ...]:
        """Plain sentences; none where the page is shown whole."""
        notes = list(self.messages)
        if self.scripts:
            were = "script was" if self.scripts == 1 else "scripts were"
            instead = " Picture shows the page with its scripts." if pictured else ""
            notes.append(f"{self.scripts} {were} not run.{instead}")
        if self.unseen:
            counted = [f"{count} {noun}{'s' if count > 1 else ''}" for noun, count in self.unseen.items()]
            listed = f"{', '.join(counted[:-1])} and {counted[-1]}" if len(counted) > 1 else counted[0]
            verb = "is" if sum(self.unseen.values()) == 1 else "are"
            notes.append(f"{listed} {verb} not shown.")
        return tuple(notes)


Has = Callable[[str], bool]
"""Whether a page gets the file of its output at this relative address."""


def inert(source: str, *, has: Has, taken: TakenAway, depth: int = 0, sheets: Sequence[str] = ()) -> str:
    """The page's own document, inert. Raises NotShown where no reading of it comes to an end.

    Elements inside each other are at most 512 deep, as in browsers: the parser flattens what is deeper.
    """
    own = TakenAway()
    markup = source
    for _ in range(_ROUNDS):
        page = parsed(markup)
        changed = _clean(
            page, has=has, taken=own if markup is source else TakenAway(), depth=depth, sheets=sheets
        )
        for node in elements(page):
            declare(node)
        written = _written(page)
        # What was written is read again by the browser: broken markup may then give other elements than before.
        if markup is not source and not changed:
            break
        markup = written
    else:
        raise NotShown("This page reads differently each time it is read, so it is shown as text.")
    taken.scripts += own.scripts
    taken.unseen += own.unseen
    taken.messages += own.messages
    return markup


def elements(node: Node) -> Iterator[Element]:
    """All elements below a node, in document order, those in templates too."""
    return (each for each in node.descendants if isinstance(each, Element))


def _written(page: Document) -> str:
    """The document as HTML, with the document type that decides on the browser's quirks."""
    kind = next((child for child in page.children if isinstance(child, Doctype)), None)
    head = ""
    if kind is not None:
        head = f"<!DOCTYPE {kind.name}"
        public, system = (_quoted(text) for text in (kind.public_id, kind.system_id))
        head += f" PUBLIC {public}" if public else " SYSTEM" if system else ""
        head += f" {system}>" if system else ">"
    return head + "".join(child.html for child in page.children if isinstance(child, Element))


_UNQUOTED = str.maketrans(dict.fromkeys('"<>'))


def _quoted(text: str | None) -> str:
    return f'"{text.translate(_UNQUOTED)}"' if text is not None else ""


def _clean(page: Document, *, has: Has, taken: TakenAway, depth: int, sheets: Sequence[str]) -> bool:
    """Make the tree inert; whether anything had to be changed."""
    changed = False
    for node in list(page.descendants):
        if isinstance(node, Comment | ProcessingInstruction):
            node.extract()
        elif isinstance(node, Element):
            before = dict(node.attrs.items())
            _element(node, has=has, taken=taken, depth=depth)
            changed |= before != dict(node.attrs.items())
    if cut := tame(page, sheets=sheets):
        changed = True
        were = "drawing repeats its parts" if cut == 1 else "drawings repeat their parts"
        taken.messages.append(f"{cut} {were} more often than can be drawn; the repeated parts are left out.")
    return changed


def _element(node: Element, *, has: Has, taken: TakenAway, depth: int) -> None:
    attributes = node.attrs
    for name in list(attributes):
        lowered = name.lower()
        if lowered in _DROPPED or lowered.startswith("on"):
            del attributes[name]
    tag = node.tag.lower()
    if tag == "plaintext":
        # Written again, its end tag would be read as text.
        node.tag = "pre"
    if tag == "script":
        taken.scripts += _is_program(node)
        node.clear()
        for name in [name for name in attributes if name not in ("class", "id")]:
            del attributes[name]
        return
    if node.namespace is Namespace.MATHML:
        # Firefox makes a link of whatever has an address in a formula.
        for name in [name for name in attributes if name.lower() in _HREFS]:
            del attributes[name]
    if style := node.attr("style"):
        _count_loads(style, has, taken)
    if title := node.attr("title"):
        attributes["title"] = _as_its_own(title)
    match tag:
        case "meta":
            _meta(node, taken)
        case "link":
            _link(node, has, taken)
        case "style":
            _count_loads(node.text, has, taken)
        case "title" if node.namespace is Namespace.SVG:
            text = node.text
            node.clear()
            node.set_text(_as_its_own(text))
        case "iframe" | "frame" | "object" | "embed" | "portal" | "fencedframe":
            _frame(node, tag, has=has, taken=taken, depth=depth)
        case "video" | "audio":
            taken.unseen[tag] += 1
        case "canvas":
            taken.unseen["canvas drawing"] += 1
        case "img" | "image" | "input" if not (tag == "input" and node.attr("type") != "image"):
            _picture(node, has, taken)
        case "input" if (node.attr("type") or "").lower() == "password":
            # A browser would fill in what it keeps for this address.
            if node.attr("autocomplete") != "new-password":
                attributes["autocomplete"] = "new-password"
        case _ if tag in _LINKS:
            _anchor(node)
        case _ if node.namespace is Namespace.SVG:
            _drawn_from(node, taken)


def _as_its_own(title: str) -> str:
    """A tooltip in words that nobody takes for ours."""
    return title if title.startswith(_ON_THE_PAGE) else f"{_ON_THE_PAGE}{reveal(title)}"


_ON_THE_PAGE = "On the page: "


def _is_program(script: Element) -> bool:
    kind = (script.attr("type") or "").strip().lower()
    return kind in ("", "module", "text/babel", "text/jsx") or kind.endswith(("javascript", "ecmascript"))


def _meta(node: Element, taken: TakenAway) -> None:
    pragma = (node.attr("http-equiv") or "").strip().lower()
    if pragma and pragma not in _PRAGMAS:
        if pragma == "content-security-policy":
            taken.messages.append("The page's own content security policy is not applied.")
        elif pragma == "refresh":
            taken.messages.append("The page tries to redirect to another address; the redirect is blocked.")
        del node.attrs["http-equiv"]
    if (node.attr("name") or "").strip().lower() == "referrer" and node.attr("content"):
        del node.attrs["content"]


def _link(node: Element, has: Has, taken: TakenAway) -> None:
    relations = set((node.attr("rel") or "").lower().split())
    address = node.attr("href") or ""
    inline = is_inline(address)
    own = "stylesheet" in relations and (inline or not is_elsewhere(address))
    if "stylesheet" in relations and "alternate" not in relations and not (own and (inline or has(address))):
        taken.unseen["web font" if "font" in host_of(address) else "style sheet"] += 1
    if not own:
        for name in ("href", "imagesrcset"):
            if node.attr(name) is not None:
                del node.attrs[name]


def _frame(node: Element, tag: str, *, has: Has, taken: TakenAway, depth: int) -> None:
    inner = node.attr("srcdoc") if tag == "iframe" else None
    if inner is not None and depth < _FRAMES_DEEP:
        within = inert(inner, has=has, taken=taken, depth=depth + 1)
        if within != inner:
            node.attrs["srcdoc"] = within
        return
    for name in ("src", "srcdoc", "data", "code", "codebase"):
        if node.attr(name) is not None:
            del node.attrs[name]
    taken.unseen[
        "embedded page" if tag in ("iframe", "frame", "portal", "fencedframe") else "embedded file"
    ] += 1


def _picture(node: Element, has: Has, taken: TakenAway) -> None:
    addresses = [node.attr(name) for name in ("src", *_HREFS)]
    address = next((each for each in addresses if each), None)
    if address is None or is_inline(address) or is_fragment(address):
        return
    if is_elsewhere(address) or not has(address):
        taken.unseen["picture"] += 1


def _drawn_from(node: Element, taken: TakenAway) -> None:
    """A part of a drawing that is drawn from another file: browsers refuse it across origins, and may ask first."""
    for name in _HREFS:
        address = node.attr(name)
        if address is not None and is_elsewhere(address) and not is_inline(address):
            del node.attrs[name]
            taken.unseen["picture"] += 1


def _anchor(node: Element) -> None:
    for name in _HREFS:
        address = node.attr(name)
        if address is not None and not is_fragment(address):
            node.attrs[name] = as_inert(address)
            node.attrs["data-link"] = reveal(as_written(address))
    if node.attr("download") is not None:
        del node.attrs["download"]


def _count_loads(css: str, has: Has, taken: TakenAway) -> None:
    for kind, address in loads(css):
        if is_inline(address) or (kind != "font" and not is_elsewhere(address) and has(address)):
            continue
        if kind == "sheet":
            taken.unseen["web font" if "font" in host_of(address) else "style sheet"] += 1
        else:
            taken.unseen["web font" if kind == "font" else "picture"] += 1
