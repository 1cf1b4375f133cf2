"""Pictures, made anew from their pixels, and the sound of WAV files, both without what was written beside them."""

from __future__ import annotations

import io
import warnings
import wave
from typing import NamedTuple

from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError

from comparator.domain.errors import OutputRefused
from comparator.domain.pair.notes import NoteKind
from comparator.outputs.isolated.results import Bomb, Copy, Extraction, Picture, Unreadable
from comparator.outputs.limits import Limits
from comparator.outputs.member_names import in_words

_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "ICO", "AVIF", "DIB")
_JPEG_QUALITY = 90
_PHOTOGRAPHS = ("JPEG", "MPO", "WEBP", "AVIF")


class RebuiltPicture(NamedTuple):
    """A picture without metadata, its original size, and what is to be said of it."""

    picture: Picture
    width: int
    height: int
    notes: tuple[str, ...]


class _Pixels(NamedTuple):
    image: Image.Image
    photograph: bool
    width: int
    height: int
    frames: int


def read(data: bytes, limits: Limits) -> Extraction:
    """A picture at two sizes: for the judge, and larger as the reviewer's copy."""
    pixels = _pixels(data, limits, limits.picture_side_shown)
    shown = _scaled(pixels, limits.picture_side_shown)
    judged = _scaled(pixels, limits.picture_side_judged)
    return Extraction(
        text=f"[picture, {shown.width} × {shown.height} pixels]",
        pictures=(judged.picture,),
        copy=Copy(shown.picture.media_type, shown.picture.data),
        wordless=True,
        notes=(*shown.notes, *_smaller(pixels, limits)),
    )


def _smaller(pixels: _Pixels, limits: Limits) -> tuple[str, ...]:
    """That a judge is given fewer pixels than a person sees, where it is so."""
    if max(pixels.image.size) <= limits.picture_side_judged:
        return ()
    return (NoteKind.SMALLER.text(side=limits.picture_side_judged),)


def rebuild(data: bytes, limits: Limits, *, side: int) -> RebuiltPicture:
    """The first frame of a picture, upright, no longer than `side` pixels. Raises Unreadable."""
    return _scaled(_pixels(data, limits, side), side)


def _pixels(data: bytes, limits: Limits, side: int) -> _Pixels:
    Image.MAX_IMAGE_PIXELS = limits.pixels
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
                return _bare(image, side)
    except (Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
        raise Bomb(f"It has more than {limits.pixels:,} pixels and is not read.") from error
    except UnidentifiedImageError as error:
        raise Unreadable("It is not a picture of a known kind, or it is damaged.") from error
    except (OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError) as error:
        raise Unreadable("The picture is damaged and cannot be read.") from error


def encode(image: Image.Image, *, photograph: bool) -> Picture:
    """Pixels as JPEG (photographs without transparency) or PNG."""
    output = io.BytesIO()
    if photograph and image.mode in ("RGB", "L"):
        image.save(output, "JPEG", quality=_JPEG_QUALITY)
        return Picture("image/jpeg", output.getvalue())
    image.save(output, "PNG", optimize=False)
    return Picture("image/png", output.getvalue())


def _bare(image: Image.Image, side: int) -> _Pixels:
    width, height = image.size
    frames = getattr(image, "n_frames", 1)
    photograph = image.format in _PHOTOGRAPHS
    if photograph:
        image.draft("RGB", (side, side))
    upright = _plain_mode(_in_usual_colours(ImageOps.exif_transpose(image)))
    if (width > height) != (upright.width > upright.height):
        width, height = height, width  # it lay on its side
    # Only pixels are carried over: a new image has no info that an encoder could write.
    bare = Image.frombytes(upright.mode, upright.size, upright.tobytes())
    return _Pixels(bare, photograph, width, height, frames)


def _scaled(pixels: _Pixels, side: int) -> RebuiltPicture:
    image, width, height = pixels.image, pixels.width, pixels.height
    if max(image.size) > side:
        image = image.copy()
        image.thumbnail((side, side), Image.Resampling.LANCZOS, reducing_gap=3.0)
    notes = []
    if max(width, height) > side:
        notes.append(f"It has {width} × {height} pixels and is shown at {image.width} × {image.height}.")
    if pixels.frames > 1:
        notes.append(NoteKind.FIRST_FRAME.text(frames=pixels.frames))
    return RebuiltPicture(encode(image, photograph=pixels.photograph), width, height, tuple(notes))


def _in_usual_colours(image: Image.Image) -> Image.Image:
    """The picture in sRGB, so that it looks the same without its colour profile."""
    profile = image.info.get("icc_profile")
    if not isinstance(profile, bytes) or image.mode not in ("RGB", "CMYK"):
        return image
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        converted = ImageCms.profileToProfile(
            image, source, ImageCms.createProfile("sRGB"), outputMode="RGB", inPlace=False
        )
    except (ImageCms.PyCMSError, OSError, ValueError):
        return image
    return converted or image


def _plain_mode(image: Image.Image) -> Image.Image:
    image.load()
    if image.mode in ("RGB", "RGBA", "L"):
        return image
    if image.mode in ("LA", "PA", "La", "RGBa") or "transparency" in image.info:
        return image.convert("RGBA")
    if image.mode in ("1", "L"):
        return image.convert("L")
    if image.mode.startswith(("I", "F")):
        low, high = image.getextrema()
        assert isinstance(low, int | float)
        assert isinstance(high, int | float)
        span = (high - low) or 1
        return image.convert("F").point(lambda value: (value - low) * (255 / span)).convert("L")
    return image.convert("RGB")


def opened(data: bytes) -> Image.Image:
    """A picture of a blinded copy; its pixels are read when they are needed. Raises OutputRefused."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "GIF", "WEBP"))
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise OutputRefused("This picture cannot be read.") from error
    if image.width * image.height > Limits().pixels:
        raise OutputRefused(
            f"This picture is too large to be drawn: {image.width:,} by {image.height:,} pixels."
        )
    return image


PLAYED = "audio/wav"
"""The type of copies that a player is shown for."""

_JUDGED = "The judge gets only its name, type and size."
_CLEARED = "Its tags (title, artist, comments, pictures) are removed."


def read_sound(data: bytes) -> Extraction:
    """The sound to be played; only WAV files have a copy."""
    out = io.BytesIO()
    try:
        with wave.open(io.BytesIO(data)) as sound, wave.open(out, "wb") as copy:
            copy.setparams(sound.getparams())
            copy.writeframes(sound.readframes(sound.getnframes()))
    except (wave.Error, EOFError, RuntimeError):
        reason = (
            f"It is not played ({in_words(len(data))}): it can carry its maker's name. "
            "To hear it, convert it to WAV."
        )
        return Extraction(copyable=False, notes=(reason, _JUDGED))
    return Extraction(copy=Copy(PLAYED, out.getvalue()), notes=(_JUDGED, _CLEARED))
