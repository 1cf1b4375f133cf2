"""Shares of a judge's budget, and cuts that are marked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from comparator.outputs.view.sharing import caps, cut


def test_what_fits_is_given_whole() -> None:
    assert caps({"a": 10, "b": 20}, total=30, order=["a", "b"]) == {"a": 10, "b": 20}


def test_short_files_are_whole_and_long_ones_share_the_rest() -> None:
    assert caps({"a": 100, "b": 5_000, "c": 9_000}, total=4_100, order=["a", "b", "c"]) == {
        "a": 100,
        "b": 2_000,
        "c": 2_000,
    }


def test_where_only_scraps_would_be_left_the_first_files_are_given() -> None:
    names = [f"f{number}" for number in range(100)]
    shares = caps(dict.fromkeys(names, 1_000), total=1_000, order=names)

    assert [shares[name] for name in names[:4]] == [400, 400, 200, 0]
    assert sum(shares.values()) == 1_000


@given(st.dictionaries(st.text(max_size=3), st.integers(0, 10_000), max_size=30), st.integers(0, 50_000))
def test_shares_never_exceed_the_total_or_the_file(lengths: dict[str, int], total: int) -> None:
    shares = caps(lengths, total=total, order=list(lengths))

    assert sum(shares.values()) <= max(total, 0)
    assert all(0 <= shares[name] <= lengths[name] for name in lengths)


@given(st.text(max_size=300), st.integers(0, 300))
def test_a_cut_says_exactly_how_much_is_missing(text: str, limit: int) -> None:
    shortened = cut(text, limit)

    assert shortened.omitted == max(0, len(text) - limit)
    if shortened.omitted:
        mark = f"\n[… {shortened.omitted:,} characters left out here …]\n"
        head, tail = shortened.text.split(mark, 1)
        assert text.startswith(head)
        assert text.endswith(tail)
        assert len(head) + len(tail) == limit
    else:
        assert shortened.text == text
