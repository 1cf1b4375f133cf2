"""Differences between two texts and between two files of each family."""

import html
import io
import json
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from comparator.domain.pair.view import Family
from comparator.outputs.differences import text as differences_of_texts
from comparator.outputs.differences.compare import ComparedFile, Row, TableRows, compare, matched_tables
from comparator.outputs.differences.model import Both, FileComparison
from comparator.outputs.differences.text import align, compare_texts
from tests.worlds.files.outputs_office import paper

LINES = st.lists(
    st.sampled_from(["", "a", "b c", "the end of it", "the end of that", "- one", "other", "a <b> & c"]),
    max_size=14,
)
NUMBERS = st.lists(st.integers(0, 30), max_size=60)
ROOM = re.compile(r'<span class="room".*?</span>', re.DOTALL)


def text_of(side: str, tag: str = "") -> str:
    """What a reader sees of a side, or with a tag what of it is marked as the same."""
    side = ROOM.sub("", side)
    if tag:
        side = re.sub(f"<{tag}>.*?</{tag}>", "", side, flags=re.DOTALL)
    return html.unescape(re.sub("<[^>]*>", "", side))


def bodies(result: FileComparison) -> Both:
    return Both(*("".join(part.body[n] for part in result.parts) for n in (0, 1)))


@given(LINES, LINES)
def test_both_sides_show_their_text_whole_and_agree_on_what_is_the_same(a: list[str], b: list[str]) -> None:
    body = bodies(compare_texts("\n".join([*a, ""]), "\n".join([*b, ""])))
    for side, lines in zip(body, (a, b), strict=True):
        assert text_of(side).split() == " ".join(lines).split()
    assert text_of(body.a, "del").split() == text_of(body.b, "ins").split()
    assert body.a.count("<p") == body.b.count("<p")


@given(NUMBERS, NUMBERS, st.integers(1, 40))
def test_sequences_are_covered_however_small_the_windows(a: list[int], b: list[int], window: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(differences_of_texts, "_WINDOW", window)
        blocks = align(a, b)
    assert [n for block in blocks for n in a[block.a : block.a_end]] == a
    assert [n for block in blocks for n in b[block.b : block.b_end]] == b
    assert all(a[block.a : block.a_end] == b[block.b : block.b_end] for block in blocks if block.same)
    assert all(before.same is not after.same for before, after in pairwise(blocks))


def test_changed_lines_stand_beside_each_other_line_by_line() -> None:
    own = [f"line {n} says that all is well in room {n}" for n in range(30)]
    other = [line.replace("well", "fine") for line in own]
    result = compare_texts("\n".join(own), "\n".join(other))
    assert result.changes == 30
    assert 'data-change="17" data-n="17"' in result.parts[0].body.b


def test_long_texts_go_on_in_parts_with_every_change_numbered_once() -> None:
    lines = [f"line {n} of a long text that goes on" for n in range(20_000)]
    changed = [f"{line} changed" if n % 500 == 0 else line for n, line in enumerate(lines)]
    result = compare_texts("\n".join(lines), "\n".join(changed))
    assert len(result.parts) > 3
    assert result.changes == 40
    spans = [(part.first, part.last) for part in result.parts]
    assert (spans[0][0], spans[-1][1]) == (1, 40)
    assert all(after[0] == before[1] + 1 for before, after in pairwise(spans))
    assert sum(part.body.a.count("<p") for part in result.parts) == 20_000


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("ab " * 80_000, "ba " * 80_000),
        ("x" * 2_000_000, "y" + "x" * 2_000_000),
        ("a\n" * 12_000, "b\na\n" * 10_000),
        ("".join(f"{n}\n" for n in range(20_000)), "".join(f"{n}\n" for n in range(20_000, 0, -1))),
    ],
    ids=["one line of words", "one word", "the same lines again and again", "no line in its place"],
)
def test_hostile_texts_are_compared_to_their_end_in_parts_that_a_browser_bears(a: str, b: str) -> None:
    result = compare_texts(a, b)
    assert result.changes
    assert max(len(side) for part in result.parts for side in part.body) < 2_000_000


def differ(
    a: str | bytes, b: str | bytes, family: Family, name: str, kind: str = "text/plain"
) -> FileComparison:
    own, other = (data.encode() if isinstance(data, str) else data for data in (a, b))
    return compare(ComparedFile(name, family, kind, own), ComparedFile(name, family, kind, other))


def test_trees_are_compared_as_indented_text_whatever_their_layout_was() -> None:
    a = {"total": 1, "old": True, "items": [{"id": 1}, {"id": 2}, {"id": 3}]}
    b = {"items": [{"id": 1}, {"id": 3}], "new": "x", "total": 2}
    result = differ(json.dumps(a), json.dumps(b, indent=4), Family.JSON, "t.json")
    (part,) = result.parts
    assert result.changes == 3
    assert "total&quot;: <del>1</del>" in part.body.a
    assert "total&quot;: <ins>2</ins>" in part.body.b
    gone = "".join(re.findall("<del>(.*?)</del>", part.body.a, re.DOTALL))
    assert all(words in gone for words in ("old", "true", "id&quot;: 2"))
    assert "new" in "".join(re.findall("<ins>(.*?)</ins>", part.body.b, re.DOTALL))
    assert result.notes == ("Keys are sorted here, so their order is no difference.",)


def png(place: int, size: tuple[int, int] = (200, 100)) -> bytes:
    image = Image.new("RGB", size, "white")
    ImageDraw.Draw(image).rectangle((place, 20, place + 20, 40), fill="black")
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def test_pictures_differ_where_something_moved() -> None:
    same = differ(png(10), png(10), Family.IMAGE, "p.png", "image/png")
    assert (same.changes, same.percent) == (0, 100)
    result = differ(png(10), png(150), Family.IMAGE, "p.png", "image/png")
    assert (result.changes, len(result.parts)) == (1, 1)
    assert result.percent < 100
    body = result.parts[0].body
    assert 'data-change="1" style="left:5.00%;top:20.00%;width:80.50%;height:21.00%"' in body.a
    assert "mix" not in body.a
    assert 'src="../../../\x00/image"' in body.a


def test_pages_of_pdfs_can_be_laid_over_each_other_and_their_words_are_marked_behind_them() -> None:
    lines = [f"Paragraph {n} of the report" for n in range(90)]
    other = [line.replace("report", "memo") if "72" in line else line for line in lines]
    result = differ(paper(lines), paper(other), Family.PDF, "p.pdf", "application/pdf")
    pages, words = result.parts
    assert result.changes == 1
    assert result.page_of(1) == 2
    assert "<del>report</del>" in words.body.a
    assert "<ins>memo</ins>" in words.body.b
    assert all(side.count('class="sheet"') == side.count('class="second"') == 5 for side in pages.body)


@pytest.mark.parametrize(
    ("family", "name", "kind"),
    [
        *((Family.TEXT, "a.txt", "text/plain"), (Family.JSON, "a.json", "text/plain")),
        *((Family.YAML, "a.yaml", "text/plain"), (Family.CSV, "a.csv", "text/plain")),
        (Family.HTML, "a.html", "text/html"),
    ],
)
@pytest.mark.parametrize(
    "data",
    [
        '{"a": "<script>alert(1)</script><img src=x onerror=alert(1)>"}',
        '<script>alert(1)</script>,"<img src=http://x/y>"\n1,2\n',
        "&lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x&gt;",
        "a\x00\u202eb",
        "[" * 100_000,
        "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: [" + "*c," * 5_000 + "1]",
    ],
    ids=["json", "csv", "escaped", "hidden", "deep", "laughs"],
)
def test_hostile_content_is_words_only(family: Family, name: str, kind: str, data: str) -> None:
    result = differ(data, f"{data}<b onclick=x>\x00", family, name, kind)
    html = "".join(part.body.a + part.body.b for part in result.parts)
    for piece in ("<script", "<img", "<b ", "\x00", "\u202e"):
        assert piece not in html


ROWS = st.lists(st.tuples(st.sampled_from(["1", "2", "3", "4"]), st.sampled_from(["x", "y"])), max_size=6)


@given(ROWS, ROWS)
def test_every_row_of_both_tables_stands_in_the_differences_once(a: list[Row], b: list[Row]) -> None:
    rows = matched_tables(*(TableRows("", ("id", "what"), side, 2) for side in (a, b))).rows
    assert [n for n, _ in rows if n is not None] == list(range(len(a)))
    assert sorted(m for _, m in rows if m is not None) == list(range(len(b)))


def test_rows_are_found_by_their_key_wherever_they_stand_and_cells_are_marked() -> None:
    result = differ("id,n\na,1\nb,2\nc,3\n", "n,id\n3,c\n9,a\n4,d\n", Family.CSV, "t.csv")
    (part,) = result.parts
    assert "matched by “id”" in part.body.a
    assert result.changes == 3
    assert "<del>1</del>" in part.body.a
    assert "<ins>9</ins>" in part.body.b
    assert part.body.a.count("<tr") == part.body.b.count("<tr") == 5


def test_a_long_table_has_parts_and_a_longer_one_is_compared_by_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [f"{n},{n % 7},{n % 11}" for n in range(30_000)]
    own = "\n".join(["id,a,b", *rows])
    rows[20_000] = "20000,1,99"
    del rows[100]
    other = "\n".join(["id,a,b", *rows])
    result = differ(own, other, Family.CSV, "t.csv")
    assert result.words == "2 changes, 99% of cells in common"
    assert len(result.parts) > 3
    assert sum(part.body.a.count("<tr") - 1 for part in result.parts) == 30_000
    assert any("<ins>99</ins>" in part.body.b and (part.first, part.last) == (2, 2) for part in result.parts)

    monkeypatch.setattr("comparator.outputs.differences.compare._MOST_CELLS", 80_000)
    result = differ(own, other, Family.CSV, "t.csv")
    assert result.notes == (
        "More than 80,000 cells: too many to be compared by cell. Compared by lines and words.",
    )
    assert result.changes == 2
