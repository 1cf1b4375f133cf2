"""JSON, pictures and pages: each by what it is made of, and nothing hostile gets through."""

import io
import json
import re

import pytest
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from comparator.domain.pair.view import Family
from comparator.outputs.differences.compare import ComparedFile, compare
from comparator.outputs.differences.model import FileComparison
from tests.browser.servers.panes_files import pdf

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "a", "b c"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=4),
    max_leaves=12,
)


def differ(
    a: str | bytes, b: str | bytes, family: Family, name: str = "file", kind: str = "text/plain"
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
    gone, added = (
        "".join(re.findall(f"<{tag}>(.*?)</{tag}>", side, re.DOTALL))
        for tag, side in (("del", part.body.a), ("ins", part.body.b))
    )
    assert all(words in gone for words in ("old", "true", "id&quot;: 2"))
    assert "new" in added
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
    result = differ(pdf(lines), pdf(other), Family.PDF, "p.pdf", "application/pdf")
    pages, words = result.parts
    assert result.changes == 1
    assert result.page_of(1) == 2
    assert "<del>report</del>" in words.body.a
    assert "<ins>memo</ins>" in words.body.b
    assert all(side.count('class="sheet"') == side.count('class="second"') == 5 for side in pages.body)


@pytest.mark.parametrize(
    ("family", "name", "kind"),
    [
        (Family.TEXT, "a.txt", "text/plain"),
        (Family.JSON, "a.json", "text/plain"),
        (Family.YAML, "a.yaml", "text/plain"),
        (Family.CSV, "a.csv", "text/plain"),
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
