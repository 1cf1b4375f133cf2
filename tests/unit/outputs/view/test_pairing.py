from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.pair.view import Family
from comparator.outputs.view.pairing import PairingReason, pair_files


@dataclass(frozen=True)
class File:
    name: str
    family: Family = Family.TEXT
    digest: str = ""
    content: str = ""

    @property
    def id(self) -> str:
        return f"id of {self.name}"


FAMILIES = st.sampled_from([Family.TEXT, Family.JSON, Family.PDF])
FILES = st.builds(File, st.sampled_from("abcdefgh"), FAMILIES, st.sampled_from("xy"))
SIDE = st.lists(FILES, max_size=8, unique_by=lambda file: file.name)


@given(SIDE, SIDE)
def test_every_file_stands_in_one_pair_and_swapping_mirrors(a: list[File], b: list[File]) -> None:
    pairs = pair_files(a, b)
    assert sorted(pair.a.name for pair in pairs if pair.a) == sorted(file.name for file in a)
    assert sorted(pair.b.name for pair in pairs if pair.b) == sorted(file.name for file in b)
    turned = {(pair.b, pair.a, pair.identical) for pair in pair_files(b, a)}
    assert {(pair.a, pair.b, pair.identical) for pair in pairs} == turned


def test_the_same_path_is_a_pair_whatever_the_family() -> None:
    (pair,) = pair_files([File("out", Family.JSON, "1")], [File("out", Family.TEXT, "2")])
    assert pair.pairing is PairingReason.SAME_PATH
    assert not pair.identical


def paired(a: list[File], b: list[File]) -> dict[tuple[str, str], PairingReason]:
    """What stands together, by both names ("" for none)."""
    return {
        (pair.a.name if pair.a else "", pair.b.name if pair.b else ""): pair.pairing
        for pair in pair_files(a, b)
    }


def test_a_file_that_was_moved_is_found_by_its_content_and_else_by_its_name() -> None:
    a = [File("src/a.py", digest="1"), File("old/b.py", digest="2"), File("x.py", digest="3")]
    b = [File("lib/other.py", digest="1"), File("new/b.py", digest="4"), File("y.py"), File("z.py")]
    assert paired(a, b) == {
        ("src/a.py", "lib/other.py"): PairingReason.RENAMED,
        ("old/b.py", "new/b.py"): PairingReason.RENAMED,
        ("x.py", ""): PairingReason.ONLY_A,
        ("", "y.py"): PairingReason.ONLY_B,
        ("", "z.py"): PairingReason.ONLY_B,
    }


def test_as_many_files_of_a_family_under_other_names_go_together_in_their_order() -> None:
    assert paired([File("one"), File("two")], [File("eins"), File("zwei")]) == {
        ("one", "eins"): PairingReason.SAME_ROLE,
        ("two", "zwei"): PairingReason.SAME_ROLE,
    }
    assert paired([File("one"), File("two")], [File("eins")]) == {
        ("one", ""): PairingReason.ONLY_A,
        ("two", ""): PairingReason.ONLY_A,
        ("", "eins"): PairingReason.ONLY_B,
    }


def test_thirty_thousand_files_a_side_are_paired() -> None:
    a = [File(f"a/{n}.txt", digest=str(n)) for n in range(30_000)]
    b = [File(f"b/{n}.txt", digest=str(-n)) for n in range(30_000)]
    assert len(pair_files(a, b)) == 30_000
