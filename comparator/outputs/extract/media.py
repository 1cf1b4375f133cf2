"""Sound and film: the sound of a WAV file is written anew, without what its maker wrote beside it."""

from __future__ import annotations

import io
import wave

from comparator.outputs.isolated.results import Copy, Extraction
from comparator.outputs.member_names import in_words

PLAYED = "audio/wav"
"""The type of copies that a player is shown for."""

_JUDGED = "A judge is not given it: only its name, type and size."
_CLEARED = "Its tags (title, artist, comments, pictures) are removed."


def read(data: bytes) -> Extraction:
    """The sound to be played; of another kind there is no copy."""
    out = io.BytesIO()
    try:
        with wave.open(io.BytesIO(data)) as sound, wave.open(out, "wb") as copy:
            copy.setparams(sound.getparams())
            copy.writeframes(sound.readframes(sound.getnframes()))
    except (wave.Error, EOFError, RuntimeError):
        reason = (
            f"It is not played ({in_words(len(data))}): it can carry its maker's name. "
            "To hear a sound, convert it to WAV."
        )
        return Extraction(copyable=False, notes=(reason, _JUDGED))
    return Extraction(copy=Copy(PLAYED, out.getvalue()), notes=(_JUDGED, _CLEARED))
