"""How much of an output is read, what its pictures may cost, and how much a judge is given of it."""

from __future__ import annotations

from pydantic import Field

from comparator.domain.labels import Frozen

KB = 1024
MB = 1024 * KB
GB = 1024 * MB


class Limits(Frozen):
    """What one output may cost to read; sizes in bytes, times in seconds."""

    files: int = Field(default=5_000, ge=1)
    bytes_per_file: int = Field(default=200 * MB, ge=1)
    bytes_in_all: int = Field(default=1 * GB, ge=1)
    path_length: int = Field(default=1_000, ge=1)
    folder_depth: int = Field(default=40, ge=1)
    archive_ratio: int = Field(default=200, ge=1)
    """Unpacked to packed size; small archives (under 1 MB unpacked) may exceed it."""
    archive_members: int = Field(default=20_000, ge=1)
    seconds_per_document: float = Field(default=20.0, gt=0)
    """Counted from when the reading child begins with it."""
    seconds_per_output: float = Field(default=120.0, gt=0)
    """After how much reading no further document of the same output is begun."""
    seconds_lost: float = Field(default=30.0, gt=0)
    """After so much time lost on documents of an output that could not be read within the limits, each further one has
    `seconds_then` only."""
    seconds_then: float = Field(default=2.0, gt=0)
    seconds_per_archive: float = Field(default=60.0, gt=0)
    memory_per_document: int = Field(default=1 * GB, ge=64 * MB)
    text_bytes: int = Field(default=128 * MB, ge=1)
    """How much of one text file is read; the rest is marked as left out."""
    answer_bytes: int = Field(default=256 * MB, ge=1)
    """How much one document may become once it is read."""
    pages: int = Field(default=500, ge=1)
    cells: int = Field(default=2_000_000, ge=1)
    pictures_per_document: int = Field(default=20, ge=0)
    pixels: int = Field(default=60_000_000, ge=1)
    picture_side_shown: int = Field(default=4_000, ge=16)
    picture_side_judged: int = Field(default=1_568, ge=16)


class OutputBudget(Frozen):
    """What a judge is given of each output at most; the same for both."""

    characters: int = Field(default=200_000, ge=200)
    images: int = Field(default=20, ge=0)
    """Pictures that are no pages of PDFs."""
    pictures: int = Field(default=30, ge=0)
    """All pictures, pages of PDFs included: with those of `small` and of a tool, a request has 90 at most."""
    pdf_bytes: int = Field(default=8 * MB, ge=0)

    @property
    def small(self) -> OutputBudget:
        """What a judge is given of task inputs, and of a reference answer."""
        return self.model_copy(update={"images": min(self.images, 10), "pictures": min(self.pictures, 10)})


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


class ConvertLimits(Frozen):
    """Seconds and bytes for one document."""

    seconds: float = Field(default=60.0, gt=0)
    memory: int = Field(default=1_500 * MB, ge=64 * MB)
    """Of all processes of the converter together."""
    sent: int = Field(default=64 * MB, ge=1)
    """Larger documents are not converted."""
    answer: int = Field(default=128 * MB, ge=1)
    """How large the finished file may be."""
