"""Hostile, damaged and encrypted files each get a plain sentence within the limits, and the rest goes on."""

import base64
import contextlib
import io
import re
import struct
import threading
import zipfile
import zlib
from concurrent.futures import CancelledError
from pathlib import Path

import openpyxl
import pytest

from comparator.domain.errors import LimitExceeded, OutputRefused
from comparator.domain.pair.view import Family
from comparator.outputs.isolated import process
from comparator.outputs.isolated.messages import Extraction
from comparator.outputs.isolated.process import Isolated
from comparator.outputs.limits import MB, Limits
from comparator.outputs.preview.child_process import PreviewCopy, Renderer
from comparator.outputs.preview.render import Neighbours
from tests.worlds.files import outputs_office
from tests.worlds.files.outputs import World, picture
from tests.worlds.files.outputs_office import docx, pptx, saved, xlsx

LAUGHS = (
    '<!DOCTYPE lol [<!ENTITY a "lol">'
    + "".join(f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9))
    + "]>"
)


def _beside_text(world: World, name: str, data: bytes) -> tuple[str, ...]:
    """The notes on a file; the file beside it is read all the same, and nothing of the bad one is handed on."""
    built = world.single(world.uploads({name: data, "z.txt": "fine"}))
    files = {file.name: file for file in built.view.files}
    assert files["z.txt"].text == "fine"
    assert files[name].blocks == ()
    assert [copy.name for copy in built.copies] == ["z.txt"]
    return tuple(note for note in files[name].notes if not note.startswith("SHA-256"))


def _with(package: bytes, name: str, content: bytes) -> bytes:
    output = io.BytesIO()
    source = zipfile.ZipFile(io.BytesIO(package))
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as target:
        for info in source.infolist():
            target.writestr(info.filename, content if info.filename == name else source.read(info))
    return output.getvalue()


GROWS = "It declares entities, which can grow without bound; it is not read."


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("a.svg", f'{LAUGHS}<svg xmlns="http://www.w3.org/2000/svg"><text>&j;</text></svg>'.encode(), GROWS),
        ("a.docx", docx("x", prologue=LAUGHS), GROWS),
        ("a.docx", _with(docx("x"), "word/document.xml", f"{LAUGHS}<d>&j;</d>".encode("utf-16")), GROWS),
        ("a.xlsx", _with(xlsx([["x"]]), "xl/worksheets/sheet1.xml", f"{LAUGHS}<s>&j;</s>".encode()), GROWS),
        ("a.pptx", _with(pptx("x"), "ppt/slides/slide1.xml", f"{LAUGHS}<s>&j;</s>".encode()), GROWS),
        ("a.pdf", b"%PDF-1.7\nnothing more", "damaged"),
        ("a.png", picture()[:60], "damaged"),
        ("a.jpg", picture("JPEG")[:100], "damaged"),
        ("a.docx", docx("words")[:-60], "damaged"),
        ("a.xlsx", xlsx([["x"]])[:-100], "damaged"),
        ("a.pptx", pptx("x")[:20_000], "damaged"),
        ("a.xlsx", _with(xlsx([["x"]]), "xl/workbook.xml", b"<broken"), "damaged"),
        ("a.docx", _with(docx("x"), "word/document.xml", b"<broken"), "damaged"),
        ("a.pptx", _with(pptx("x"), "ppt/presentation.xml", b"<broken"), "damaged"),
        ("a.ipynb", b'{"cells": 3}', "not a valid notebook"),
        ("a.parquet", b"PAR1" + b"x" * 100 + b"PAR1", "damaged"),
        ("a.zip", b"PK\x03\x04" + b"x" * 50, "damaged"),
        ("a.docx", docx("x", extra={"word/media/zeros.xml": b"\0" * 50_000_000}), "zip bomb"),
    ],
)
def test_a_damaged_file_or_bomb_gets_a_plain_sentence(world: World, name: str, data: bytes, why: str) -> None:
    (note,) = _beside_text(world, name, data)

    assert why in note
    assert note.endswith(".")


def test_a_picture_of_too_many_pixels_is_not_read(world: World) -> None:
    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(b"\0" * 100_000)), (b"IEND", b"")]
    data = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )

    assert _beside_text(world, "a.png", data) == ("It has more than 60,000,000 pixels and is not read.",)


def many_pictures() -> bytes:
    """A page of many large pictures, which take a long time to be read."""
    packed = base64.b64encode(picture(size=(3_000, 3_000)))
    return (b'<img src="data:image/png;base64,' + packed + b'">') * 60


@pytest.mark.timeout(60)
def test_a_document_that_takes_too_long_is_ended_and_the_next_one_is_read(world: World) -> None:
    world.limits = Limits(seconds_per_document=1.5)
    given = {"a.html": many_pictures(), "b.html": b"<p>fine</p>", "c.pdf": outputs_office.pages("Fine")}

    files = {file.name: file for file in world.single(world.uploads(given)).view.files}
    assert files["a.html"].notes == ("Reading it took longer than 1.5 seconds and was ended.",)
    assert files["b.html"].text == "<p>fine</p>"
    assert "Fine" in files["c.pdf"].text


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_good_file_does_not_wait_for_a_preview_that_takes_long() -> None:
    renderer = Renderer(children=2)
    endless = many_pictures()

    def preview_of(data: bytes) -> str:
        file = PreviewCopy("a.html", Family.HTML, "text/html", len(data), lambda: data)
        preview = renderer.preview("view", file, page=1, neighbours=Neighbours())
        return preview.body

    def never() -> None:
        with contextlib.suppress(OutputRefused, RuntimeError, CancelledError):
            renderer.ask("html", Extraction, seconds=8, data=endless)

    try:
        assert "fine" in preview_of(b"<p>fine</p>")
        waiting = threading.Thread(target=never, daemon=True)
        waiting.start()
        # It has no end; the other process answers meanwhile.
        assert "fine" in preview_of(b"<p>fine too</p>")
        assert waiting.is_alive()
    finally:
        renderer.close()


@pytest.mark.slow
def test_a_document_that_eats_memory_is_ended_and_the_next_one_is_read(world: World) -> None:
    world.limits = Limits(memory_per_document=400 * MB, seconds_per_document=100)
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active["A1"], book.active["XFD1048576"] = 1, 2
    built = world.single(world.uploads({"a.xlsx": saved(book), "b.html": b"<p>fine</p>"}))

    files = {file.name: file for file in built.view.files}
    assert files["a.xlsx"].blocks == ()
    assert "too large to be read" in files["a.xlsx"].notes[0] or "memory" in files["a.xlsx"].notes[0]
    assert files["b.html"].text == "<p>fine</p>"


STUCK = """
import mmap, resource, sys

memory = __import__('json').loads(sys.argv[1])[0]
resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
held = []
for size in (1 << 20, 1 << 12):
    while True:
        try:
            held.append(mmap.mmap(-1, size))
        except OSError:
            break
while True:
    pass
"""
"""What Python before 3.14 does when it cannot even unwind a MemoryError: all is used, and it goes round for ever."""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="tells no memory of other processes")
@pytest.mark.timeout(60)
def test_a_child_stuck_without_memory_is_ended_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Another program takes the place of the child's own.
    (tmp_path / "child.py").write_text(STUCK, encoding="utf-8")
    monkeypatch.setattr(process, "_MAIN", tmp_path / "child.py")
    limits = Limits(memory_per_document=200 * MB, seconds_per_document=600)

    with (
        Isolated(limits=limits) as child,
        pytest.raises(LimitExceeded, match=r"more than 200\.0 MB of memory"),
    ):
        child.call("text", Extraction, data=b"words")


@pytest.mark.skipif(not Path("/proc/self/limits").exists(), reason="tells no limits of other processes")
def test_a_child_has_no_secret_and_hard_limits_of_time_and_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret-in-the-environment")
    with Isolated(limits=Limits()) as child:
        child.call("text", Extraction, data=b"words", seconds=3)
        assert child._process is not None
        own = Path(f"/proc/{child._process.pid}")
        limits, environment = (own / "limits").read_text("ascii"), (own / "environ").read_bytes()
        child.call("text", Extraction, data=b"more words", seconds=3)
    (limit,) = re.findall(r"Max cpu time +(\d+)", limits)
    assert 3 <= int(limit) <= 10
    assert re.search(r"Max address space +1073741824 ", limits)
    assert b"secret" not in environment


def test_python_memory_beyond_the_limit_is_a_plain_sentence() -> None:
    many = b'{"cells": [' + b",".join([b"[[[],[]],[]]"] * 2_000_000) + b"]}"

    limits = Limits(memory_per_document=200 * MB)
    with Isolated(limits=limits) as child, pytest.raises(LimitExceeded, match=r"200\.0 MB"):
        child.call("notebook", Extraction, data=many)


def test_a_child_that_dies_is_replaced() -> None:
    with Isolated(limits=Limits()) as child:
        child.call("html", Extraction, data=b"<p>1</p>")
        assert child._process is not None
        child._process.kill()
        child._process.wait()
        with pytest.raises(OutputRefused, match="ended unexpectedly"):
            child.call("html", Extraction, data=b"<p>2</p>")
        assert child.call("html", Extraction, data=b"<p>3</p>").text == "<p>3</p>"


def test_an_encrypted_file_says_what_to_do(world: World) -> None:
    encrypted = outputs_office.pdf(
        {
            1: b"<</Type /Catalog /Pages 2 0 R>>",
            2: b"<</Type /Pages /Count 0 /Kids []>>",
            3: b"<</Filter /Standard /V 1 /R 2 /O <" + b"41" * 32 + b"> /U <" + b"42" * 32 + b"> /P -4>>",
        },
        trailer=b"/Encrypt 3 0 R /ID [<00> <00>]",
    )

    head, stream = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "EncryptedPackage".encode("utf-16-le")
    package = head + b"\0" * 600 + stream + b"\0" * 600
    for name, data in {"a.pdf": encrypted, **dict.fromkeys(("a.docx", "a.xlsx", "a.pptx"), package)}.items():
        (note,) = _beside_text(world, name, data)
        assert "is encrypted. " in note
        assert "without a password" in note
