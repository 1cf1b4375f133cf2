"""Pictures, made anew from their pixels, and the sound of WAV files, both without what was written beside them."""

import io
import warnings
import wave
from typing import NamedTuple

from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError

from comparator.domain.errors import OutputRefused
from comparator.domain.pair.notes import Limitation
from comparator.domain.pair.view import ImageBlock
from comparator.outputs.isolated.messages import Bomb, Copy, Extraction, Unreadable
from comparator.outputs.limits import Limits
from comparator.outputs.member_names import in_words

_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "ICO", "AVIF", "DIB")
_JPEG_QUALITY = 90
_PHOTOGRAPHS = ("JPEG", "MPO", "WEBP", "AVIF")


class _Pixels(NamedTuple):
    """A picture of at least the wanted size without metadata, and its original size."""

    image: Image.Image
    photograph: bool
    width: int
    height: int
    frames: int

    def encoded(self, side: int, caption: str = "") -> ImageBlock:
        """It with no longer side than this: photographs without transparency as JPEG, all others as PNG."""
        image, output = self.image, io.BytesIO()
        if max(image.size) > side:
            image = image.copy()
            image.thumbnail((side, side), Image.Resampling.LANCZOS, reducing_gap=3.0)
        if self.photograph and image.mode in ("RGB", "L"):
            image.save(output, "JPEG", quality=_JPEG_QUALITY)
            return ImageBlock(media_type="image/jpeg", data=output.getvalue(), caption=caption)
        image.save(output, "PNG", optimize=False)
        return ImageBlock(media_type="image/png", data=output.getvalue(), caption=caption)


def read(data: bytes, limits: Limits) -> Extraction:
    """A picture at two sizes: for the judge, and larger as the reviewer's copy."""
    pixels = _pixels(data, limits, limits.picture_side_shown)
    width, height, side = pixels.width, pixels.height, limits.picture_side_shown
    image, notes = pixels.encoded(side), []
    if max(width, height) > side:
        scale = min(1, side / max(pixels.image.size))
        small = " × ".join(str(max(1, round(length * scale))) for length in pixels.image.size)
        notes.append(f"It has {width} × {height} pixels and is shown at {small}.")
    if pixels.frames > 1:
        notes.append(Limitation.FIRST_FRAME.text(frames=pixels.frames))
    if max(pixels.image.size) > limits.picture_side_judged:
        notes.append(Limitation.SMALLER.text(side=limits.picture_side_judged))
    return Extraction(
        text=f"[picture, {width} × {height} pixels]",
        pictures=(pixels.encoded(limits.picture_side_judged),),
        copy=Copy(image.media_type, image.data),
        wordless=True,
        notes=tuple(notes),
    )


def rebuild(data: bytes, limits: Limits, *, caption: str) -> ImageBlock:
    """For a judge, the first frame of a picture, upright. Raises Unreadable."""
    side = limits.picture_side_judged
    return _pixels(data, limits, side).encoded(side, caption)


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


def _bare(image: Image.Image, side: int) -> _Pixels:
    width, height = image.size
    frames = getattr(image, "n_frames", 1)
    photograph = image.format in _PHOTOGRAPHS
    if photograph:
        image.draft("RGB", (side, side))
    upright = _plain_mode(_to_srgb(ImageOps.exif_transpose(image)))
    if (width > height) != (upright.width > upright.height):
        width, height = height, width  # it lay on its side
    # Only pixels are carried over: a new image has no info that an encoder could write.
    bare = Image.frombytes(upright.mode, upright.size, upright.tobytes())
    return _Pixels(bare, photograph, width, height, frames)


def _to_srgb(image: Image.Image) -> Image.Image:
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


def open_image(data: bytes) -> Image.Image:
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


def on_white(image: Image.Image) -> Image.Image:
    """The picture on white ground."""
    if not image.has_transparency_data:
        return image.convert("RGB")
    ground = Image.new("RGBA", image.size, "white")
    ground.alpha_composite(image.convert("RGBA"))
    return ground.convert("RGB")


_FEW_COLOURS = 1_024
_GREYS = [round(grey / 17) * 17 for grey in range(256)]
_LONG_SIDE = 1_500
"""Pixels from the top to the bottom of a piece of a long picture, so that a judge can read it."""


def in_few_colours(image: Image.Image, *, every_grey: bool = False) -> Image.Image | None:
    """The picture if it has few colours, without those it does not use; None for others.

    Without `every_grey`, a picture of greys alone keeps sixteen of them, which are enough for the edges of letters.
    """
    colours = image.getcolors(_FEW_COLOURS)
    if colours is None:
        return None
    if all(isinstance(colour, tuple) and len(set(colour)) == 1 for _, colour in colours):
        return image.convert("L") if every_grey else image.convert("L").point(_GREYS)
    return image


def encoded(image: Image.Image, *, every_grey: bool = False, caption: str = "") -> ImageBlock:
    """A picture as PNG where it has few colours, else as JPEG."""
    out = io.BytesIO()
    if few := in_few_colours(image, every_grey=every_grey):
        few.save(out, "PNG", compress_level=3)
        return ImageBlock(media_type="image/png", data=out.getvalue(), caption=caption)
    image.save(out, "JPEG", quality=85, subsampling=0)
    return ImageBlock(media_type="image/jpeg", data=out.getvalue(), caption=caption)


def pieces(image: Image.Image) -> list[Image.Image]:
    """A long picture in pieces, from the top."""
    tops = range(0, image.height, _LONG_SIDE)
    return [image.crop((0, top, image.width, min(top + _LONG_SIDE, image.height))) for top in tops]


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
