"""What a file is: its family by name and content, the order in which files are shown, and how their text is written."""

import io
import re
import zipfile
from pathlib import PurePosixPath

from comparator.domain.blinding.redaction import TextForm
from comparator.domain.pair.view import Family
from comparator.outputs.extract.archive import DAMAGED
from comparator.outputs.extract.archive import OLE as OLE
from comparator.outputs.extract.encoding import utf16_without_mark

HEAD = 4096
"""How many first bytes `family_of` wants to see; Office files under another name are only known by all bytes."""

_BY_EXTENSION: dict[Family, str] = {
    Family.TEXT: "txt text log rst adoc asciidoc org tex bib srt vtt diff patch po ini cfg conf env lst eml",
    Family.MARKDOWN: "md markdown mdown mkd mdx qmd rmd",
    Family.CODE: (
        "py pyi pyx js mjs cjs jsx ts tsx mts cts java kt kts scala groovy gradle c h cc cpp cxx hpp hh cs fs vb go rs "
        "rb php pl pm lua r jl swift m mm dart ex exs erl hrl hs clj cljs lisp el scm ml mli nim zig v sv vhd sh bash "
        "zsh fish ps1 psm1 bat cmd sql graphql gql proto thrift css scss sass less styl vue svelte astro tf hcl bicep "
        "rego cmake mk make dockerfile asm s f90 f95 pas d awk sed vim nix sol wgsl glsl jinja j2 tmpl mustache"
    ),
    Family.JSON: "json jsonl ndjson geojson json5 jsonc webmanifest har avsc map",
    Family.YAML: "yaml yml",
    Family.TOML: "toml",
    Family.XML: "xml xsd xsl xslt rss atom plist xhtml kml gpx dtd wsdl pom drawio bpmn",
    Family.CSV: "csv tsv tab psv",
    Family.HTML: "html htm",
    Family.SVG: "svg",
    Family.NOTEBOOK: "ipynb",
    Family.PDF: "pdf",
    Family.DOCX: "docx docm dotx dotm doc dot odt ott rtf",
    Family.XLSX: "xlsx xlsm xltx xltm xlsb xls ods ots",
    Family.PPTX: "pptx pptm potx potm ppsx ppsm ppt pps odp otp",
    Family.PARQUET: "parquet",
    Family.IMAGE: "png jpg jpeg gif webp bmp tif tiff ico avif",
    Family.AUDIO: "mp3 wav flac ogg oga opus m4a aac wma aiff aif mid midi",
    Family.VIDEO: "mp4 m4v mov avi mkv webm wmv mpg mpeg ogv",
    Family.ARCHIVE: "zip tar tgz gz bz2 xz zst 7z rar tbz2 txz jar war whl egg apk epub",
}
_FAMILY_OF = {ext: family for family, names in _BY_EXTENSION.items() for ext in names.split()}
_CODE_NAMES = frozenset(
    ("makefile", "dockerfile", "containerfile", "jenkinsfile", "gemfile", "rakefile", "procfile", "justfile")
)

TEXT_FAMILIES = frozenset(
    {Family.TEXT, Family.MARKDOWN, Family.CODE, Family.JSON, Family.YAML, Family.TOML, Family.XML, Family.CSV}
)
"""Families that are given as their own text."""
_WRITTEN = TEXT_FAMILIES | {Family.HTML, Family.SVG, Family.NOTEBOOK}

RICH_TEXT = b"{\\rtf"
_OLDER = frozenset(("doc", "dot", "ppt", "pps", "xls"))
MODERN = {
    **dict.fromkeys(("doc", "dot", "rtf", "odt", "ott"), "docx"),
    **dict.fromkeys(("ppt", "pps", "odp", "otp"), "pptx"),
    **dict.fromkeys(("xls", "xlsb", "ods", "ots"), "xlsx"),
}
"""Older and open formats, and into which they are converted before anything in them is looked at."""
_MAGIC: tuple[tuple[bytes, Family], ...] = (
    (b"%PDF-", Family.PDF),
    (b"\x89PNG\r\n\x1a\n", Family.IMAGE),
    (b"\xff\xd8\xff", Family.IMAGE),
    (b"GIF87a", Family.IMAGE),
    (b"GIF89a", Family.IMAGE),
    (b"II*\x00", Family.IMAGE),
    (b"MM\x00*", Family.IMAGE),
    (b"\x00\x00\x01\x00", Family.IMAGE),
    (b"PAR1", Family.PARQUET),
    (b"PK\x03\x04", Family.ARCHIVE),
    (b"PK\x05\x06", Family.ARCHIVE),
    (RICH_TEXT, Family.DOCX),
)
_UNICODE_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")
LAID_OUT = frozenset({Family.DOCX, Family.XLSX, Family.PPTX})
"""Families whose copies hold the content without the layout."""
_OFFICE_PARTS = (
    (("word/document.xml",), Family.DOCX),
    (("xl/workbook.xml", "xl/workbook.bin"), Family.XLSX),
    (("ppt/presentation.xml",), Family.PPTX),
)


def family_of(name: str, head: bytes) -> Family:
    """The family of a file with this name and these first bytes (or all of them).

    Names decide among kinds of text; the bytes decide whether it is text at all, and which binary kind it is.
    """
    lower = PurePosixPath(name).name.lower()
    stated = _FAMILY_OF.get(lower.rsplit(".", 1)[-1]) if "." in lower else None
    if lower in _CODE_NAMES:
        stated = Family.CODE
    family = _from_bytes(head, stated)
    if family is not None:
        return family
    if looks_binary(head, written=stated in _WRITTEN):
        return stated if stated in (Family.AUDIO, Family.VIDEO, Family.ARCHIVE) else Family.BINARY
    if stated in _WRITTEN:
        return stated
    return _written_kind(head)


def older_office_kind(name: str, data: bytes) -> str | None:
    """The ending of an Office format that LibreOffice has to convert before it is read; None for other files."""
    if data.startswith(RICH_TEXT):
        return "rtf"
    ending = PurePosixPath(name).suffix.lower().lstrip(".")
    begin = OLE if ending in _OLDER else b"PK"
    return ending if ending in MODERN and data.startswith(begin) else None


def looks_binary(head: bytes, *, written: bool) -> bool:
    """Whether bytes are no text in any usual encoding: control characters, or zeros that UTF-16 does not explain.

    In what is `written`, by its name, a few zeros are faults like other control characters.
    """
    if head.startswith(_UNICODE_MARKS):
        return False
    sample = head[:HEAD]
    if b"\0" in sample and utf16_without_mark(sample):
        return False
    if b"\0" in sample and not written:
        return True
    controls = sum(byte < 32 and byte not in (7, 8, 9, 10, 12, 13, 27) for byte in sample)
    return controls > max(1 if written else 0, len(sample) // 50)


def _from_bytes(head: bytes, stated: Family | None) -> Family | None:
    if head.startswith(OLE):
        # Old Office files, and new ones under a password; only spreadsheets can be read.
        return stated if stated in LAID_OUT else Family.BINARY
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return Family.IMAGE
    if head[4:8] == b"ftyp" and head[8:12] in (b"avif", b"avis"):
        return Family.IMAGE
    if head[:2] == b"BM" and stated is Family.IMAGE:
        return Family.IMAGE
    if b"%PDF-" in head[:1024] and stated is Family.PDF:
        return Family.PDF
    for magic, family in _MAGIC:
        if head.startswith(magic):
            return _inside_zip(head, stated) if magic[:2] == b"PK" else family
    return None


def _inside_zip(data: bytes, stated: Family | None) -> Family:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = frozenset(archive.namelist()[:20_000])
    except DAMAGED:
        # Only the head is at hand, or the file is damaged or encrypted: the name is the better guess.
        return stated if stated in LAID_OUT else Family.ARCHIVE
    for parts, family in _OFFICE_PARTS:
        if any(part in members for part in parts):
            return family
    if "content.xml" in members and stated in LAID_OUT:
        return stated
    return Family.ARCHIVE


def _written_kind(head: bytes) -> Family:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:200].lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return Family.HTML
    if start.startswith(b"<svg"):
        return Family.SVG
    if start.startswith(b"<?xml"):
        return Family.SVG if b"<svg" in head[:HEAD].lower() else Family.XML
    if start.startswith(b"#!"):
        return Family.CODE
    return Family.TEXT


_RANKS: tuple[frozenset[Family], ...] = (
    frozenset({Family.PDF, *LAID_OUT}),
    frozenset({Family.MARKDOWN, Family.HTML, Family.NOTEBOOK}),
    frozenset({Family.CSV, Family.JSON, Family.PARQUET, Family.SVG, Family.IMAGE}),
    frozenset({Family.CODE, Family.XML, Family.YAML, Family.TOML, Family.TEXT}),
    frozenset({Family.ARCHIVE, Family.AUDIO, Family.VIDEO, Family.BINARY}),
)
_RANK = {family: rank for rank, families in enumerate(_RANKS) for family in families}
_GENERATED = re.compile(
    r"(?:^|/)(?:[\w.-]+\.lock|package-lock\.json|pnpm-lock\.yaml|yarn\.lock|go\.sum|[\w.-]+\.min\.(?:js|css)|[\w.-]+\.map|"
    r"\.[^/]+)$",
    re.IGNORECASE,
)
_TESTS = re.compile(
    r"(?:^|/)(?:tests?|specs?|__tests__)(?:/|$)|(?:^|/)(?:test_[^/]*|[^/]*[._](?:test|spec)\.\w+)$"
)
_SECONDARY = re.compile(
    r"(?:^|/)(?:notes?|changelog|licen[cs]e|copying|todo|authors)(?:\.\w+)?$", re.IGNORECASE
)
_DIGITS = re.compile(r"(\d+)")


def order_key(name: str, family: Family) -> tuple[bool, bool, int, bool, int, tuple[tuple[int, str], ...]]:
    """What to sort files by: generated files and tests late, shallow ones early, notes last, then kind and name."""
    depth = len(PurePosixPath(name).parts)
    natural = tuple(
        (int(piece), "") if piece.isdecimal() else (-1, piece)
        for piece in _DIGITS.split(name.casefold())
        if piece
    )
    return (
        bool(_GENERATED.search(name)),
        bool(_TESTS.search(name)),
        depth,
        bool(_SECONDARY.search(name)),
        _RANK[family],
        natural,
    )


_OF_FAMILY = {
    Family.CODE: TextForm.CODE,
    Family.YAML: TextForm.CODE,
    Family.TOML: TextForm.CODE,
    Family.JSON: TextForm.ESCAPED,
    Family.CSV: TextForm.DATA,
    Family.XML: TextForm.DATA,
    Family.XLSX: TextForm.DATA,
    Family.PARQUET: TextForm.DATA,
    Family.ARCHIVE: TextForm.DATA,
    Family.BINARY: TextForm.DATA,
}
_SETTINGS = frozenset(["ini", "cfg", "conf", "env", "diff", "patch", "po", "bib", "lst", "tex"])
"""Texts that a program reads."""


def writing_of(name: str, family: Family) -> TextForm:
    """How a file is written that is given as its own text, or as the text that it holds."""
    if family is Family.TEXT and PurePosixPath(name).suffix[1:].lower() in _SETTINGS:
        return TextForm.CODE
    return _OF_FAMILY.get(family, TextForm.PROSE)
