"""Pages with declarative shadow trees, read so that what stands in these trees is seen like everything else.

The parser takes a template that declares a shadow tree out of the document. Under another name it stays a template.
"""

from __future__ import annotations

import turbohtml
from turbohtml import Document, Element
from turbohtml import rewrite as streaming

_DECLARES = "shadowrootmode"
_SHADOW = "data-kept-shadow"


def parsed(markup: str) -> Document:
    """The document, with templates where it declares shadow trees."""
    if _DECLARES in markup.lower():
        markup = streaming.rewrite(markup, elements=[("template", _set_declaration_aside)])
    return turbohtml.parse(markup)


def is_shadow(node: Element) -> bool:
    """Whether the template is a shadow tree that is shown."""
    return node.tag == "template" and node.attr(_SHADOW) is not None


def declare(node: Element) -> None:
    """Make the template declare its shadow tree again, an open one: the page around the frame then hears its events."""
    if is_shadow(node):
        del node.attrs[_SHADOW]
        node.attrs[_DECLARES] = "open"


def _set_declaration_aside(template: streaming.Element) -> None:
    mode = (template.get(_DECLARES) or "").strip().lower()
    template.remove_attribute(_SHADOW)
    if mode in ("open", "closed"):
        template.remove_attribute(_DECLARES)
        template.set_attribute(_SHADOW, "")
