"""How much of an output is read, what its pictures may cost, and how much a judge is given of it."""

from __future__ import annotations

from comparator.domain.labels import Frozen

KB = 1024
MB = 1024 * KB
GB = 1024 * MB


class Limits(Frozen):
    """What one output may cost to read; sizes in bytes, times in seconds."""

    files: int = 5_000
    bytes_per_file: int = 200 * MB
    bytes_in_all: int = 1 * GB
    path_length: int = 1_000
    folder_depth: int = 40
    archive_ratio: int = 200
    """Unpacked to packed size; small archives (under 1 MB unpacked) may exceed it."""
    archive_members: int = 20_000
    seconds_per_document: float = 20.0
    """Of the reading child's processor time."""
    seconds_per_output: float = 120.0
    """After how much reading no further document of the same output is begun."""
    seconds_per_archive: float = 60.0
    memory_per_document: int = 1 * GB
    text_bytes: int = 128 * MB
    """How much of one text file is read; the rest is marked as left out."""
    answer_bytes: int = 256 * MB
    """How much one document may become once it is read."""
    pages: int = 500
    cells: int = 2_000_000
    pictures_per_document: int = 20
    pixels: int = 60_000_000
    picture_side_shown: int = 4_000
    picture_side_judged: int = 1_568


class OutputBudget(Frozen):
    """What a judge is given of each output at most; the same for both."""

    characters: int = 200_000
    images: int = 20
    """Pictures that are no pages of PDFs."""
    pictures: int = 30
    """All pictures, pages of PDFs included: with those of `small` and of a tool, a request has 90 at most."""
    pdf_bytes: int = 8 * MB

    @property
    def small(self) -> OutputBudget:
        """What a judge is given of task inputs, and of a reference answer."""
        return self.copy_with(images=min(self.images, 10), pictures=min(self.pictures, 10))


class PictureLimits(Frozen):
    """Seconds, bytes and pixels for one page."""

    seconds: float = 30.0
    """From the start of the browser to the last picture; then everything is killed."""
    loading: float = 6.0
    """How long each opening may take until the page has loaded; what is there then is photographed."""
    memory: int = 1_500 * MB
    """Of all processes of the browser together."""
    script_memory: int = 256 * MB
    height: int = 6_000
    """Of a page, in pixels; what stands below is left out and counted."""
    requests: int = 400
    sent: int = 64 * MB
    """Bytes of the output's files that are put at the browser's disposal."""
    answer: int = 64 * MB
    messages: int = 20
    message_length: int = 200


class ConvertLimits(Frozen):
    """Seconds and bytes for one document."""

    seconds: float = 60.0
    memory: int = 1_500 * MB
    """Of all processes of the converter together."""
    sent: int = 64 * MB
    """Larger documents are not converted."""
    answer: int = 128 * MB
    """How large the finished file may be."""
