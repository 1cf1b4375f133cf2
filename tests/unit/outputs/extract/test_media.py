"""A WAV file loses its tags and keeps its sound; of other sound and film nothing is handed on."""

import base64
import io
import struct
import wave
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.pair.view import Family
from comparator.outputs.extract.encoding import decode
from comparator.outputs.extract.images import read_sound as read
from comparator.outputs.extract.svg import is_bounded
from comparator.outputs.preview.document import Preview
from comparator.outputs.preview.render import render

NAME = b"gpt-maker-7"


def test_a_wave_keeps_its_sound_and_loses_its_list() -> None:
    own = io.BytesIO()
    with wave.open(own, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8_000)
        sound.writeframes(b"\1\2" * 100)
    data = own.getvalue() + b"LIST" + struct.pack("<I", 4 + len(NAME) + 1) + b"INFO" + NAME + b"\0"
    copy = read(data).copy
    assert copy is not None
    assert copy.media_type == "audio/wav"
    assert NAME not in copy.data
    with wave.open(io.BytesIO(copy.data)) as sound:
        assert sound.readframes(1_000) == b"\1\2" * 100


@pytest.mark.parametrize(
    "data",
    [b"OggS\0\2OpusHead", b"\x1aE\xdf\xa3", b"RIFF\0\0\0\0WAVE", b"\0\0\0\x18ftypisom", b"ID3", b"fLaC"],
    ids=["Ogg", "WebM", "WAV", "MP4", "MP3", "FLAC"],
)
def test_what_cannot_be_cleared_is_not_played_and_nothing_of_it_is_read(data: bytes) -> None:
    extraction = read(data + NAME * 200)
    assert (extraction.copyable, extraction.copy, extraction.text) == (False, None, "")
    (said,) = [note for note in extraction.notes if "It is not played (2.2 KB)" in note]
    assert "convert it to WAV" in said
    assert NAME.decode() not in " ".join(extraction.notes)


@given(
    st.binary(max_size=300),
    st.sampled_from(
        [b"ID3", b"fLaC", b"RIFF....WAVE", b"....ftypisom....", b"\xff\xfb", b"OggS\0\2", b"\x1aE\xdf\xa3"]
    ),
)
def test_damaged_media_have_a_copy_or_a_reason(data: bytes, head: bytes) -> None:
    extraction = read(head + data)
    assert extraction.copyable is (extraction.copy is not None)


ROWS = [
    tuple(line.split("\t"))
    for line in (Path(__file__).parent / "short_texts.tsv").read_text("utf-8").splitlines()
]


def test_no_western_text_is_read_wrong_and_at_least_95_in_100_others_are_right() -> None:
    wrong = [(encoding, text) for _, encoding, text in ROWS if decode(text.encode(encoding)).text != text]
    others = [row for row in ROWS if row[1] != "cp1252"]

    assert len(ROWS) >= 150
    assert len({language for language, *_ in ROWS}) >= 12
    assert [row for row in wrong if row[0] == "cp1252"] == []
    assert len(wrong) <= 0.05 * len(others), wrong


def drawing(inside: str, style: str = "") -> bytes:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
        f"<style>{style}</style>{inside}</svg>"
    ).encode()


def markdown(data: bytes) -> Preview:
    return render("a.md", family=Family.MARKDOWN, media_type="text/plain", data=data)


def nested(one: str, level: str, levels: int = 9) -> str:
    """`one` is what is drawn at last; `level` refers ten times to the level before (`{below}`)."""
    return one + "".join(level.format(id=f"l{n}", below=f"l{n - 1}") for n in range(1, levels))


THING = '<rect id="l0"/>'
USES = '<g id="{id}">' + '<use href="#{below}"/>' * 10 + "</g>"
MOVED = '<use href="#none"><animate attributeName="href" values="#x;#{below}"/></use>'
FILLED = '<pattern id="{id}">' + '<rect fill="url(#{below})"/>' * 10 + "</pattern>"
HANDED = '<pattern id="{id}" fill="url(#{below})">' + "<rect/>" * 10 + "</pattern>"
STYLED = '<pattern id="{id}" class="{below}">' + "<rect/>" * 10 + "</pattern>"
MASKED = '<mask id="{id}">' + "<rect style=\"mask: url('#{below}')\"/>" * 10 + "</mask>"
MARKED = '<marker id="{id}">' + '<path marker-mid="url(#{below})" d="M0 0"/>' * 10 + "</marker>"
MANY_OF_A_CLASS = "<pattern id='p'>" + "<rect/>" * 1_000 + "</pattern>" + "<rect class='a'/>" * 1_000
BLURRED = '<filter id="f">' + "<feGaussianBlur/>" * 200 + "</filter>"
BOMBS = {
    "use": nested(THING, USES),
    "use by xlink": nested(THING, USES.replace("href", "xlink:href")),
    "patterns": nested('<pattern id="l0"/>', FILLED),
    "masks by style": nested('<mask id="l0"/>', MASKED),
    "markers": nested('<marker id="l0"/>', MARKED),
    "a movement that changes what is used": nested(THING, '<g id="{id}">' + MOVED * 10 + "</g>"),
    "patterns that are handed down": nested('<pattern id="l0"/>', HANDED),
    "itself": '<g id="l0"><use href="#l1"/></g><g id="l1"><use href="#l0"/></g>',
    "a long chain": nested(THING, '<g id="{id}">' + '<use href="#{below}"/>' * 2 + "</g>", levels=4_000),
    "steps of filters": BLURRED + '<rect filter="url(#f)"/>' * 30,
    "octaves of noise": '<filter id="f"><feTurbulence numOctaves="99999"/></filter><rect filter="url(#f)"/>',
    "many that move": "<rect><animate attributeName='x' to='9' repeatCount='indefinite'/></rect>" * 10_500,
    "a style for many": f"<style>.a{{fill:url(#p)}}</style>{MANY_OF_A_CLASS}",
    "a style that hands down": nested('<pattern id="l0"/>', STYLED)
    + "".join(f"<style>@media all{{:is(.l{n}){{--c:url('#l{n}');fill:var(--c)}}}}</style>" for n in range(9)),
    "a style with an escape": f"<style>.a{{fill:u\\72l(\\23 p)}}</style>{MANY_OF_A_CLASS}",
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", BOMBS)
def test_what_grows_without_bound_stands_in_no_document_of_ours(name: str) -> None:
    data = drawing(BOMBS[name])
    assert not is_bounded(data)
    address = f"data:image/svg+xml;base64,{base64.b64encode(data).decode()}"
    preview = markdown(f"words ![x]({address})".encode())
    assert "<img" not in preview.body
    assert "words" in preview.body


def test_a_drawing_inside_a_document_is_bounded_as_well() -> None:
    preview = markdown(b"words\n\n<div>" + drawing(BOMBS["use"]) + b"</div>")
    assert "<svg" not in preview.body
    assert "repeats its parts more often than can be drawn" in " ".join(preview.notes)
    small = b"<div>" + drawing("<g id='x'/><use href='#x'/>") + b"</div>"
    assert "<use" in markdown(small).body


def test_ordinary_drawings_are_drawn() -> None:
    for inside in (
        # A chart of 20,000 points, each the same sign.
        '<defs><path id="m" d="M0 3C1 3 2 2 3 0"/></defs>' + '<use x="1" y="2" href="#m"/>' * 20_000,
        # Gradients on many shapes, and labels that repeat an id.
        "<linearGradient id='g'>" + "<stop/>" * 8 + "</linearGradient>" + "<rect fill='url(#g)'/>" * 5_000,
        "<g id='text1' aria-label='#text1'><a href='#text1'><text>up</text></a></g>",
        "<g id='c'><circle r='5'/><animate href='#c' attributeName='opacity' to='0'/></g>",
        '<filter id="f"><feGaussianBlur stdDeviation="2"/></filter>' + '<rect filter="url(#f)"/>' * 200,
    ):
        assert is_bounded(drawing(inside))
