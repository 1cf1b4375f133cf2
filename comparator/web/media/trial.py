"""A page on trial: drawn once in an origin, and where the browser can a process, of its own, before it is let in.

A page in the origin of the app shares its thread: one that takes minutes to draw would freeze the whole tab.
"""

from __future__ import annotations

import base64
import secrets

from starlette.responses import Response

from comparator.web.media.answers import HTML, OUTPUT_HEADERS

BEGAN = "comparator:began"
DRAWN = "comparator:drawn"
MOST_TIMES = 12
"""So many of the times at which parts of drawings begin to move."""

# The page cannot run a word of its own, and cannot take from this script what it calls: nothing a document names stands
# before what a window holds. It is drawn as it looks at first and as it will look later: unfolded, checked, and when
# its animations begin, are half done and end. The timers answer where nothing is drawn, as in a pane that is not seen.
_SCRIPT = f"""parent.postMessage("{BEGAN}", "*");
addEventListener("load", async () => {{
  const all = (selector) => [...Document.prototype.querySelectorAll.call(document, selector)];
  const root = Object.getOwnPropertyDescriptor(Document.prototype, "documentElement").get.call(document);
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
  for (const step of [() => {{}}, ...steps]) {{
    step();
    if (!await drawn()) patience = 10;
  }}
  parent.postMessage("{DRAWN}", "*");
}});"""


def trial(page: bytes, *, drawing: bytes | None = None) -> Response:
    """The page, or the SVG `drawing` by itself, with one script of ours that says when it began and was drawn."""
    nonce = secrets.token_urlsafe(16)
    script = f'<script nonce="{nonce}">{_SCRIPT}</script>'.encode()
    if drawing is None:
        # Before anything of the page; nothing before its root element holds this sign.
        head, root, rest = page.partition(b"<html")
        body = head + script + root + rest
    else:
        source = base64.b64encode(drawing)
        # As the picture that is shown, and in the document, where its times can be set.
        picture = b'<img alt="" src="data:image/svg+xml;base64,' + source + b'">'
        body = b"<!doctype html>" + script + picture + drawing
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
        "cache-control": "no-store",
        "content-type": HTML,
    }
    return Response(body, headers=headers)
