"""Images, shown as pictures that a click enlarges."""

from __future__ import annotations

import io
import warnings

from PIL import Image, UnidentifiedImageError

from comparator.outputs.preview.document import NotShown, Preview, shown, sized

_MOST_PIXELS = 80_000_000


def render_image(data: bytes) -> Preview:
    """A PNG, JPEG, GIF or WebP picture. Raises NotShown for what is none, or is too large to be drawn."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            # Only the head is read here; the browser draws the picture.
            with Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "GIF", "WEBP")) as image:
                width, height, kind = image.width, image.height, image.format
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError) as error:
        raise NotShown("This picture cannot be read.") from error
    if width * height > _MOST_PIXELS:
        raise NotShown(f"This picture is too large to be drawn: {width:,} by {height:,} pixels.")
    facts = f"{kind}, {width:,} × {height:,} pixels, {sized(len(data))}"
    return Preview(_zoomable("image", facts, f' width="{width}" height="{height}"'))


def _zoomable(address: str, facts: str, size: str) -> str:
    return (
        f'<p class="facts" data-skip>{shown(facts)}. Click to enlarge.</p><div class="picture"><div class="zoom">'
        '<input type="checkbox" id="zoom" aria-label="Actual size"><label for="zoom">'
        f'<img alt="The output" src="{shown(address)}"{size}></label></div></div>'
    )
