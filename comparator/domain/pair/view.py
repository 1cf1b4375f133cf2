"""What a judge or reviewer actually gets of an output; no field of these types could name a candidate or a source."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from comparator.domain.labels import Frozen, Label, PerOutput
from comparator.domain.pair.task import TaskText


class Family(StrEnum):
    """What kind of file something is, as far as reading and showing it goes."""

    TEXT = "text"
    MARKDOWN = "markdown"
    CODE = "code"
    JSON = "json"
    YAML = "yaml"
    TOML = "toml"
    XML = "xml"
    CSV = "csv"
    HTML = "html"
    SVG = "svg"
    NOTEBOOK = "notebook"
    PDF = "pdf"
    DOCX = "docx"
    XLSX = "xlsx"
    PPTX = "pptx"
    PARQUET = "parquet"
    IMAGE = "image"
    AUDIO = "audio"
    VIDEO = "video"
    ARCHIVE = "archive"
    BINARY = "binary"


class _Bytes(Frozen):
    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_bytes="base64", val_json_bytes="base64")


class TextBlock(Frozen):
    """Text as the judge reads it; quotes are looked up here. `omitted` counts the characters cut away."""

    kind: Literal["text"] = "text"
    text: str
    omitted: int = 0


class ImageBlock(_Bytes):
    """A re-encoded picture without metadata; `caption` says what it shows (such as "page 2")."""

    kind: Literal["image"] = "image"
    media_type: Literal["image/png", "image/jpeg"]
    data: bytes
    caption: str = ""


class DocumentBlock(_Bytes):
    """A rebuilt PDF without metadata, for judges that take documents: its first `pages` of `total`."""

    kind: Literal["document"] = "document"
    media_type: Literal["application/pdf"] = "application/pdf"
    data: bytes
    pages: int = 1
    total: int = 1


Block = Annotated[TextBlock | ImageBlock | DocumentBlock, Field(discriminator="kind")]


class PagePicture(Frozen):
    """How a page looks at one width, cut into `tiles` from the top; `height` is the whole page's, in pixels."""

    device: Literal["desktop", "phone"]
    width: int
    height: int
    shown: int
    """How many pixels from the top are in the tiles."""
    across: int = 0
    """How many pixels the page is wide; what is beyond `width` is seen by scrolling sideways, and is in no tile."""
    tiles: tuple[ImageBlock, ...] = ()

    @property
    def is_cut(self) -> bool:
        """Whether the page goes on below what is shown."""
        return self.height > self.shown


class PageEvidence(Frozen):
    """What a user sees of a file that is opened in a browser without a network, and what the browser said."""

    pictures: tuple[PagePicture, ...] = ()
    errors: tuple[str, ...] = ()
    """Messages of the console, in the words of the page or the browser."""
    not_loaded: tuple[str, ...] = ()
    """Addresses that the page asked for and did not get, each with what it was for."""
    problem: str = ""
    """Why there is no picture, or not every one."""
    written: str = ""
    """All words that the browser shows, for names to be looked for in them; no view keeps them."""
    no_browser: bool = False
    """Whether there was nothing to open it with, so that it can be opened later; no part of a view's digest."""

    @property
    def was_opened(self) -> bool:
        """Whether there is anything to be seen or told of it but the problem."""
        return bool(self.pictures or self.errors or self.not_loaded)


class PrintedPages(Frozen):
    """How an Office file looks when it is printed: pictures of its first pages, named by their captions."""

    pages: tuple[ImageBlock, ...] = ()
    total: int = 0
    """How many pages, slides or sheets there are in all."""
    lines: tuple[str, ...] = ()
    """Plain sentences on what is not shown, or looks otherwise than in its own program."""
    whole: bool = False
    """Whether every page is pictured."""


class ViewedFile(Frozen):
    """One file of an output under its neutral name. `id` is random and names the file in pages and addresses."""

    id: str
    name: str
    family: Family
    size: int
    blocks: tuple[Block, ...] = ()
    notes: tuple[str, ...] = ()
    """Plain sentences on what could not be read, was cut or was left away."""
    page: PageEvidence | None = None
    """How it looks when it is opened, for pages."""
    printed: PrintedPages | None = None
    """How it prints, for Office files."""

    @property
    def images(self) -> tuple[ImageBlock, ...]:
        """The pictures that a judge is given by themselves: none of those that are seen on pictured pages."""
        if self.printed is not None and self.printed.whole:
            return ()
        return tuple(block for block in self.blocks if isinstance(block, ImageBlock))

    @property
    def is_cut(self) -> bool:
        """Whether a judge is given its text only in part."""
        return any(isinstance(block, TextBlock) and block.omitted for block in self.blocks)

    @property
    def characters(self) -> int:
        """How many characters of it a judge reads."""
        return len(self.text)

    @property
    def text(self) -> str:
        """The file's text blocks, joined; quotes are found at positions in this text."""
        return "\n".join(block.text for block in self.blocks if isinstance(block, TextBlock))


class SetAside(Frozen):
    """A file that is listed but not judged: a self-report, a cache, a version-control folder."""

    name: str
    size: int
    reason: str


def without_sides(set_aside: Iterable[SetAside]) -> tuple[str, ...]:
    """What was set aside of a pair's outputs, by name and reason; which output had it would tell whose it is."""
    return tuple(sorted({f"{item.name} ({item.reason})" for item in set_aside}))


class OutputView(Frozen):
    """One output, rebuilt, blinded, redacted and cut."""

    files: tuple[ViewedFile, ...]
    set_aside: tuple[SetAside, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def pictures(self) -> int:
        """How many pictures a judge is given of it, pages of PDFs included."""
        documents = (
            block for file in self.files for block in file.blocks if isinstance(block, DocumentBlock)
        )
        return self.images + sum(document.pages for document in documents)

    @property
    def images(self) -> int:
        """The same without pages of PDFs."""
        printed = sum(len(file.printed.pages) for file in self.files if file.printed is not None)
        opened = (picture for file in self.files if file.page is not None for picture in file.page.pictures)
        own = sum(len(file.images) for file in self.files)
        return own + printed + sum(len(picture.tiles) for picture in opened)

    def without_pages(self) -> OutputView:
        """The same view as it was before any page was opened or printed."""
        files = tuple(file.copy_with(page=None, printed=None) for file in self.files)
        return self.copy_with(files=files)

    @property
    def digest(self) -> str:
        """sha256 of what is seen, in hexadecimal, without the random ids."""
        payload = self.model_dump_json(
            exclude={"files": {"__all__": {"id": True, "page": {"no_browser": True}}}}
        )
        return hashlib.sha256(payload.encode()).hexdigest()


class BlindedPair(Frozen):
    """All that a judge gets: the task and the two views. There is no place here for a candidate."""

    task: TaskText
    inputs: OutputView | None = None
    reference: OutputView | None = None
    outputs: PerOutput[OutputView]
    same: bool = False
    """Whether both outputs are the same, byte for byte: a tie, of which one output is read, once."""

    def view(self, place: Literal["A", "B", "input", "reference"]) -> OutputView | None:
        """The view of an output, of the input files or of the reference; None where there is none."""
        match place:
            case "input":
                return self.inputs
            case "reference":
                return self.reference
        return self.outputs[Label(place)]

    @property
    def shown_labels(self) -> tuple[Label, ...]:
        """The outputs that a judge is shown."""
        return (Label.A,) if self.same else tuple(Label)

    @property
    def pictures(self) -> int:
        """How many pictures a request with all of it has, pages of PDFs included."""
        views = (self.inputs, self.reference, self.outputs.A, self.outputs.B)
        return sum(view.pictures for view in views if view is not None)

    @property
    def set_aside(self) -> tuple[str, ...]:
        """What was set aside of either output."""
        return without_sides((*self.outputs.A.set_aside, *self.outputs.B.set_aside))
