"""Judge panels have to beat their best member to be worth their price."""

from __future__ import annotations

import random

from comparator.domain.labels import Winner
from comparator.stats.figures import TooFew
from comparator.stats.proof import JointWorth, LabelledPair, worth

A, B = Winner.A, Winner.B


def panel(n: int, *, right: float, alike: float, members: int = 3, seed: int = 1) -> list[LabelledPair]:
    """Judges that are right with this chance; in the share `alike` of the pairs they all say the same."""
    chance = random.Random(seed)
    found = []
    for at in range(n):
        shared = chance.random() < right
        together = chance.random() < alike
        said = {
            f"j{m}": A if (shared if together else chance.random() < right) else B for m in range(members)
        }
        votes = sum(each is A for each in said.values())
        found.append(LabelledPair(f"t{at}", A, said, A if votes * 2 > members else B))
    return found


def found(pairs: list[LabelledPair]) -> JointWorth:
    worthy = worth(pairs)
    assert isinstance(worthy, JointWorth)
    return worthy


def test_below_twenty_labelled_pairs_nothing_is_said() -> None:
    assert worth(panel(19, right=0.7, alike=0)) == TooFew(n=19)


def test_judges_that_err_together_do_not_beat_their_best_member() -> None:
    assert not found(panel(4000, right=0.7, alike=1)).beats_best


def test_a_panel_of_judges_that_err_apart_beats_its_best_member() -> None:
    worthy = found(panel(400, right=0.7, alike=0, members=5))

    assert worthy.panel_right > worthy.members[0].right
    assert worthy.beats_best


def test_a_missing_verdict_counts_as_wrong() -> None:
    pairs = [LabelledPair(f"t{n}", A, {"j": A if n else None, "k": A}, A) for n in range(20)]

    assert [(each.name, each.right) for each in found(pairs).members] == [("k", 20), ("j", 19)]
