"""A page on trial: drawn once in an origin of its own before a pane shows it, in a process of its own where possible.

A page in the origin of the app shares its thread: one that takes minutes to draw would freeze the whole tab.
"""

from __future__ import annotations

import base64
import secrets
from collections.abc import Sequence
from typing import NamedTuple

from starlette.responses import Response

from comparator.outputs.pictures.camera import PageFile
from comparator.web.media.answers import HTML, OUTPUT_HEADERS
from comparator.web.media.source import MediaSource

BEGAN = "comparator:began"
ALONE = "comparator:alone"
"""That it began, in a process that it shares with no other trial."""
DRAWN = "comparator:drawn"
TRIAL = "comparator-trial"
"""The header by which a trial is known: any other answer is one of ours, and safe."""
HERE = "server"
"""What asks for the trial in the server's own browser, in the place of a number."""
MOST_TIMES = 12
"""The most animation times, and the most scroll positions, that are tried."""
SCREEN = 4_000
"""Pixels beyond what is seen that a browser draws ahead."""

_NAME = "page.html"

# The page cannot run a word of its own, and cannot take from this script what it calls: nothing a document names stands
# before what a window holds. It is drawn as it looks at first and as it will look later: unfolded, checked, scrolled,
# when its animations begin, are half done and end, and under the mouse or in a window of another size. The timers
# answer where nothing is drawn, as in a pane that is not seen.
_SCRIPT = f"""parent.postMessage(crossOriginIsolated ? "{ALONE}" : "{BEGAN}", "*");
addEventListener("load", async () => {{
  const all = (selector) => [...Document.prototype.querySelectorAll.call(document, selector)];
  const own = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name);
  const root = own("documentElement").get.call(document);
  let patience = 300;
  const drawn = () => new Promise((resolve) => {{
    Element.prototype.getBoundingClientRect.call(root);
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)));
    setTimeout(() => resolve(false), patience);
  }});
  const tries = (act) => {{ try {{ act(); }} catch {{ /* It has no such time. */ }} }};
  const animations = (share) => () => {{
    for (const animation of Document.prototype.getAnimations.call(document)) tries(() => {{
      const {{ delay, duration }} = animation.effect.getComputedTiming();
      animation.currentTime = delay + Math.max(share * (Number(duration) || 0), 1);
    }});
  }};
  const times = new Set();
  const moving = all("animate, set, animateTransform, animateMotion");
  for (const part of moving) tries(() => times.add(part.getStartTime()));
  const begins = [...times].sort((one, other) => one - other);
  const few = begins.filter((_, index) => index % Math.ceil(begins.length / {MOST_TIMES}) === 0);
  const folded = all("details"), boxes = all("input[type=checkbox], input[type=radio]");
  const steps = [];
  if (folded.length + boxes.length) steps.push(() => {{
    for (const each of folded) each.open = true;
    for (const box of boxes) box.checked = !box.checked;
  }});
  if (Document.prototype.getAnimations.call(document).length) steps.push(...[0, 0.5, 0.999].map(animations));
  const set = (time) => all("svg").forEach((drawing) => tries(() => drawing.setCurrentTime(time + 0.001)));
  for (const time of few) steps.push(() => set(time));
  const screens = Math.min(Math.ceil(root.scrollHeight / {SCREEN}), {MOST_TIMES});
  for (let n = 1; n < screens; n += 1) steps.push(() => scrollTo(0, (root.scrollHeight * n) / screens));
  // Brought into view, an element would move the page around this frame too.
  const to = (element) => scrollBy(0, Element.prototype.getBoundingClientRect.call(element).top);
  for (const drawing of all("svg").slice(0, {MOST_TIMES})) steps.push(() => to(drawing));
  const state = /:(hover|active|focus(-visible|-within)?|target|checked|open|popover-open)(?![-\\w])/g;
  const always = (rule) => (rule.selectorText ? rule.cssText.replace(state, ":not(x-none)") : "");
  const rules = (list) => [...list].map((rule) => always(rule) + rules(rule.cssRules ?? [])).join(" ");
  steps.push(() => tries(() => {{
    const any = new CSSStyleSheet();
    let text = "* {{ content-visibility: visible !important }} ";
    for (const sheet of own("styleSheets").get.call(document)) tries(() => {{ text += rules(sheet.cssRules); }});
    any.replaceSync(text);
    own("adoptedStyleSheets").set.call(document, [any]);
  }}));
  for (const step of [() => {{}}, ...steps]) {{
    step();
    if (!await drawn()) patience = 10;
  }}
  globalThis.comparatorDrawn = true;
  parent.postMessage("{DRAWN}", "*");
}});"""
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
