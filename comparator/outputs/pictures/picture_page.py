"""The reviewer's page with the pictures of a web page, and with what the browser said."""

from __future__ import annotations

import base64
from collections.abc import Sequence

from comparator.domain.pair.view import PageEvidence, PagePicture
from comparator.outputs.preview.document import Preview, message, shown

_STYLE = """<style>
body { padding: 0; }
.bar { display: flex; flex-wrap: wrap; gap: 4px 14px; align-items: center; position: sticky; top: 0; z-index: 1;
  padding: 6px 12px; background: var(--raised); border-bottom: 1px solid var(--line); font-size: 13px; }
.bar label { cursor: pointer; padding: 2px 4px; }
.bar input { accent-color: var(--link); margin: 0 6px 0 0; vertical-align: -1px; }
.bar input:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.said { padding: 8px 14px; border-bottom: 1px solid var(--line); font-size: 13px; }
.said h2 { font-size: 13px; margin: 0 0 2px; } .said ul { margin: 0 0 8px; } .said p { margin: 0 0 6px; }
.said li { overflow-wrap: anywhere; }
.shot { display: none; padding: 14px; background: var(--raised); }
.shot img { display: block; margin: 0 auto; max-width: 100%; border: solid var(--line); border-width: 0 1px; }
.shot img:first-of-type { border-top-width: 1px; } .shot img:last-of-type { border-bottom-width: 1px; }
.shot p { text-align: center; color: var(--soft); font-size: 13px; margin: 8px 0 0; }
body:not(:has(#phone:checked)) .shot.desktop, body:has(#phone:checked) .shot.phone,
body:has(.only.phone) .shot.phone { display: block; }
</style>"""
_WORDS = {"desktop": "Desktop width", "phone": "Phone width"}


def picture_page(evidence: PageEvidence, *, notes: Sequence[str] = ()) -> Preview:
    """Pictures with a switch between the widths, below what was not loaded and what went wrong."""
    if not evidence.pictures:
        return Preview(
            _STYLE + _browser_messages(evidence) + message("There is no picture of this page."), tuple(notes)
        )
    bar = _bar(evidence)
    return Preview(
        _STYLE + bar + _browser_messages(evidence) + "".join(map(_shot, evidence.pictures)), tuple(notes)
    )


def _bar(evidence: PageEvidence) -> str:
    """A switch between the widths, where there are both; it works without a script."""
    widths = {
        picture.device: f"{_WORDS[picture.device]} ({picture.width} pixels)" for picture in evidence.pictures
    }
    if len(widths) < 2:
        return f'<div class="bar only {evidence.pictures[0].device}" data-skip>{next(iter(widths.values()))}</div>'
    return (
        f'<div class="bar" data-skip><label><input type="checkbox" id="phone">{widths["phone"]} instead of '
        f"{widths['desktop'].lower()}</label></div>"
    )


def _browser_messages(evidence: PageEvidence) -> str:
    parts = [f"<p>{shown(evidence.problem)}</p>"] if evidence.problem else []
    for title, lines in (("Not loaded", evidence.not_loaded), ("Errors when it was opened", evidence.errors)):
        if lines:
            parts.append(f"<h2>{title}</h2><ul>{''.join(f'<li>{shown(line)}</li>' for line in lines)}</ul>")
    return f'<div class="said">{"".join(parts)}</div>' if parts else ""


def _shot(picture: PagePicture) -> str:
    count = len(picture.tiles)
    images = "".join(
        f'<img src="data:{tile.media_type};base64,{base64.b64encode(tile.data).decode("ascii")}" '
        f'alt="The page {picture.width} pixels wide, part {number} of {count}">'
        for number, tile in enumerate(picture.tiles, 1)
    )
    below = (
        f"<p>The first {picture.shown:,} of {picture.height:,} pixels are shown.</p>"
        if picture.is_cut
        else ""
    )
    beyond = (
        f"<p>The page is {picture.across:,} pixels wide: it is scrolled sideways to see the rest.</p>"
        if picture.across > picture.width
        else ""
    )
    return f'<div class="shot {picture.device}">{images}{below}{beyond}</div>'
