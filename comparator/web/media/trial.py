"""A page on trial: drawn once in an origin of its own before a pane shows it, in a process of its own where possible.

A page in the origin of the app shares its thread: one that takes minutes to draw would freeze the whole tab.
"""

from __future__ import annotations

import base64
import secrets
from collections.abc import Sequence
from importlib.resources import files
from typing import NamedTuple

from starlette.responses import Response

from comparator.outputs.pictures.camera import PageFile
from comparator.web.media.answers import HTML, OUTPUT_HEADERS
from comparator.web.media.source import MediaSource

TRIAL = "comparator-trial"
"""The header by which a trial is known: any other answer is one of ours, and safe."""
HERE = "server"
"""What asks for the trial in the server's own browser, in the place of a number."""

_NAME = "page.html"

_SCRIPT = files("comparator.web.media").joinpath("trial.js").read_text(encoding="utf-8")
# Nothing but `true` will do: an element of the page may have this name.
_DRAWN_HERE = "() => globalThis.comparatorDrawn === true"


class TrialPage(NamedTuple):
    """A page, or an SVG by itself, with one script of ours that says when it began and was drawn."""

    page: bytes
    """As it is rendered."""
    drawing: bytes | None = None
    """The SVG that the page shows as a picture."""
    sheets: Sequence[str] = ()
    """The style sheets that the page loads: on trial it may load nothing."""

    def document(self, nonce: str) -> bytes:
        """The bytes of the document whose script has this nonce."""
        script = f'<script nonce="{nonce}">{_SCRIPT}</script>'.encode()
        if self.drawing is None:
            # Before anything of the page; nothing before its root element holds this sign.
            head, root, rest = self.page.partition(b"<html")
            # In a style sheet a slash may be escaped; nothing of it then ends the element.
            texts = (text.replace("</", "<\\/") for text in self.sheets)
            styles = "".join(f"<style>{text}</style>" for text in texts).encode()
            return head + script + root + rest + styles
        source = base64.b64encode(self.drawing)
        # As the picture that is shown, and in the document, where its times can be set.
        picture = b'<img alt="" src="data:image/svg+xml;base64,' + source + b'">'
        return b"<!doctype html>" + script + picture + self.drawing


def trial(tried: TrialPage) -> Response:
    """The answer that a browser draws in an origin of its own."""
    nonce = secrets.token_urlsafe(16)
    policy = (
        "default-src 'none'; img-src data:; style-src data: 'unsafe-inline'; font-src data:; "
        f"script-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; "
        "sandbox allow-scripts"
    )
    headers = {
        **OUTPUT_HEADERS,
        "content-security-policy": policy,
        "x-dns-prefetch-control": "off",
        "connection-allowlist": "(response-origin)",
        # Chromium gives such a document a process of its own, over https and on this machine, since its origin is.
        "document-isolation-policy": "isolate-and-require-corp",
        "cache-control": "no-store",
        "content-type": HTML,
        TRIAL: "1",
    }
    return Response(tried.document(nonce), headers=headers)


def drawn_here(tried: TrialPage, media: MediaSource) -> bool:
    """Whether the server's own browser draws it in time; True where there is none.

    Browsers other than Chromium draw every frame of a tab in one process, so that they cannot try a page themselves.
    """
    page = PageFile(_NAME, "text/html", tried.document(""))
    evidence = media.photograph(_NAME, [page], until=_DRAWN_HERE)
    return evidence is None or not evidence.problem
