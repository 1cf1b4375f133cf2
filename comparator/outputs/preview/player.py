"""Sound and film in the browser's own player, which needs no script."""

from __future__ import annotations

from comparator.outputs.extract.media import PLAYED
from comparator.outputs.preview.document import Preview, shown, sized

__all__ = ["PLAYED", "render_player"]


def render_player(media_type: str, *, size: int) -> Preview:
    """A player for a copy of this type, in `size` bytes; it asks for the bytes as it needs them, at `play`."""
    tag = "video" if media_type.startswith("video/") else "audio"
    facts = f"{PLAYED[media_type]}, {sized(size)}. If this browser does not play it, download it."
    return Preview(
        f'<p class="facts" data-skip>{shown(facts)}</p><div class="player">'
        f'<{tag} controls preload="metadata" src="play" aria-label="The output"></{tag}></div>'
    )
