from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.view import Family
from comparator.outputs.pairing import FilePair, Pairing, pair_files


@dataclass(frozen=True)
class File:
    name: str
    family: Family = Family.TEXT
    digest: str = ""


SIDE = st.lists(
    st.builds(
        File,
        st.sampled_from("abcdefgh"),
        st.sampled_from([Family.TEXT, Family.JSON, Family.PDF]),
        st.sampled_from("xy"),
    ),
    max_size=8,
    unique_by=lambda file: file.name,
)


@given(SIDE, SIDE)
def test_every_file_stands_in_exactly_one_pair(a: list[File], b: list[File]) -> None:
    pairs = pair_files(a, b)
    assert sorted(pair.a.name for pair in pairs if pair.a) == sorted(file.name for file in a)
    assert sorted(pair.b.name for pair in pairs if pair.b) == sorted(file.name for file in b)


@given(SIDE, SIDE)
def test_swapping_the_sides_mirrors_the_pairs(a: list[File], b: list[File]) -> None:
    def both(pairs: tuple[FilePair[File], ...]) -> set[tuple[File | None, File | None, bool]]:
        return {(pair.a, pair.b, pair.identical) for pair in pairs}

    assert both(pair_files(a, b)) == {(y, x, same) for x, y, same in both(pair_files(b, a))}


def test_the_same_path_is_a_pair_whatever_the_family() -> None:
    (pair,) = pair_files([File("out", Family.JSON, "1")], [File("out", Family.TEXT, "2")])
    assert pair.pairing is Pairing.SAME_PATH
    assert not pair.identical


def test_the_one_main_file_of_a_family_is_a_pair_under_two_names() -> None:
    (pair,) = pair_files([File("report.md", Family.MARKDOWN)], [File("summary.md", Family.MARKDOWN)])
    assert pair.pairing is Pairing.SAME_ROLE


def test_two_of_a_family_on_one_side_stand_alone() -> None:
    pairs = pair_files([File("a.md"), File("b.md")], [File("c.md")])
    assert [pair.pairing for pair in pairs] == [Pairing.ONLY_A, Pairing.ONLY_A, Pairing.ONLY_B]


def test_what_differs_comes_first_and_what_is_the_same_last() -> None:
    a = [File("same", digest="1"), File("only-a", Family.PDF), File("differs", digest="2")]
    b = [File("differs", digest="3"), File("same", digest="1")]
    pairs = pair_files(a, b)
    assert [(pair.a or pair.b).name for pair in pairs if pair.a or pair.b] == ["differs", "only-a", "same"]  # type: ignore[union-attr]
    assert pairs[-1].identical
