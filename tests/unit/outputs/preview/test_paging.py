"""Large files are shown part by part, and tables in any order."""

import csv
import io
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.pair.view import Family
from comparator.outputs.preview.child_process import PreviewCopy, Renderer
from comparator.outputs.preview.render import Neighbours
from comparator.outputs.preview.tables import PageRequest, RowOrder
from comparator.outputs.tables.delimited import Delimited


def stored(name: str, family: Family, data: bytes, media_type: str = "text/plain") -> PreviewCopy:
    return PreviewCopy(name, family, media_type, len(data), lambda: data)


class Kept:
    """A cache that counts what was made."""

    def __init__(self) -> None:
        self.made: dict[str, bytes] = {}

    def __call__(self, name: str, make: Callable[[], bytes]) -> bytes:
        if name not in self.made:
            self.made[name] = make()
        return self.made[name]


@given(st.text(alphabet='a",;\r\né', max_size=40), st.sampled_from([1, 5, 1 << 20]))
def test_delimited_text_is_read_as_a_csv_reader_does(text: str, block: int) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("comparator.outputs.tables.delimited._BLOCK", block)
        table = Delimited(f"sep=,\n{text}".encode())
        rows = list(table.rows())
    if table.open_quote is None:
        assert rows == list(csv.reader(io.StringIO(text, newline="")))


def test_a_large_csv_is_paged_gone_to_and_sorted_as_a_whole(renderer: Renderer) -> None:
    data = b"n,word\n" + b"".join(b'%d,"w %d"\n' % (number, number % 7) for number in range(200_000))
    file, kept = stored("a.csv", Family.CSV, data), Kept()
    first = renderer.view(file, PageRequest(), neighbours=Neighbours(), keep=kept)
    assert first.pages == 500
    assert "200,000 rows \u00d7 2 columns" in first.body
    there = renderer.view(file, PageRequest(309), neighbours=Neighbours(), keep=kept)
    assert '<td class="n">123456</td>' in there.body
    down = renderer.view(file, PageRequest(order=RowOrder(0, down=True)), neighbours=Neighbours(), keep=kept)
    assert down.body.index(">199999<") < down.body.index(">199998<")
    assert 'aria-sort="descending"' in down.body
    assert "In the order of the file" in down.body
    assert sorted(kept.made) == ["order-1-1,desc", "table"]
