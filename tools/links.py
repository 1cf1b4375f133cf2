"""Finds dead links in the Markdown pages: files and headings that are not there. Addresses on the web are not asked."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
_LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)|(?:src|href)=\"([^\"]+)\"")
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`")
_HEADING = re.compile(r"^#+\s+(.*?)\s*$", re.MULTILINE)


def dead_links(root: Path) -> Iterator[str]:
    """A sentence for each link of each page below `root` that leads nowhere."""
    for page in sorted((*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("examples/*.md"))):
        text = _CODE.sub("", _FENCE.sub("", page.read_text(encoding="utf-8")))
        for found in _LINK.finditer(text):
            target = unquote(found[1] or found[2])
            if re.match(r"[a-z+]+:|//", target):
                continue
            path, _, anchor = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            if not file.exists():
                yield f"{page.relative_to(root)}: {target} is not there."
            elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text(encoding="utf-8")):
                yield f"{page.relative_to(root)}: {target} names a heading that is not there."


def anchors(text: str) -> frozenset[str]:
    """The addresses of a page's headings, as GitHub and the site make them.

    >>> sorted(anchors("# Is all well?\\n\\n## A `b` c"))
    ['a-b-c', 'is-all-well']
    """
    words = (re.sub(r"[^\w\- ]", "", each.lower()) for each in _HEADING.findall(_FENCE.sub("", text)))
    return frozenset(each.replace(" ", "-") for each in words)


def main() -> int:
    """Print the dead links and return 1, or 0."""
    found = list(dead_links(ROOT))
    print(*found or ["No link is dead"], sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
