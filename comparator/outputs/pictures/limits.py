"""What taking the pictures of one page may cost, and how large they become."""

from __future__ import annotations

from pydantic import Field

from comparator.domain.labels import Frozen
from comparator.outputs.limits import MB


class PictureLimits(Frozen):
    """Seconds, bytes and pixels for one page."""

    seconds: float = Field(default=30.0, gt=0)
    """From the start of the browser to the last picture; then everything is killed."""
    loading: float = Field(default=6.0, gt=0)
    """How long each opening may take until the page has loaded; what is there then is photographed."""
    memory: int = Field(default=1_500 * MB, ge=64 * MB)
    """Of all processes of the browser together."""
    script_memory: int = Field(default=256 * MB, ge=16 * MB)
    height: int = Field(default=6_000, ge=100)
    """Of a page, in pixels; what stands below is left out and counted."""
    tile: int = Field(default=1_500, ge=100)
    """Height of the pieces that a picture is cut into, so that a judge can read them."""
    tile_bytes: int = Field(default=1_200_000, ge=10_000)
    """A piece that is larger as PNG becomes a JPEG."""
    requests: int = Field(default=400, ge=1)
    sent: int = Field(default=64 * MB, ge=1)
    """Bytes of the output's files that are put at the browser's disposal."""
    answer: int = Field(default=64 * MB, ge=1)
    messages: int = Field(default=20, ge=1)
    message_length: int = Field(default=200, ge=20)
