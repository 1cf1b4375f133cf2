"""What collecting keeps of criterion rationales and of reviewers' reasons: pair, side, source, and the exact words."""

import os
from pathlib import Path
from typing import Any

import pytest

from comparator.domain.labels import Label, Order, PerOutput, Winner
from comparator.domain.scoring.judgment import Answer, Mark
from comparator.domain.scoring.review import Change, ChangeKind
from comparator.domain.themes import Finding, FindingSource, Speaker
from comparator.settings import Settings
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.judging import inquiries
from comparator.store.pairs.comparisons import Comparison
from comparator.store.reviewing import reviews
from comparator.workflow.services import Services
from comparator.workflow.themes import LONGEST, collect
from tests.worlds.histories.history import NEW, History
from tests.worlds.histories.pairs import World, add_change, answer, prose, verdict

PLACES = ("content.completeness", "content.correctness", "structure.naming", "structure.schema")
AHEAD, EVEN, BEHIND = PLACES[1], PLACES[0], PLACES[3]
"""Criteria on which A has 5 against 3, 4 against 4 and 2 against 4; the judge says nothing about naming."""
SCORES = {AHEAD: (5, 3), EVEN: (4, 4), BEHIND: (2, 4), PLACES[2]: (3, 3)}
WORDS = '  Total is "42,00 €", not\n42.  '


def rated(order: Order) -> Answer:
    """The judge's answer, with a rationale of its own for each criterion but one, side and order."""
    plain = answer(4, 4)

    def mark(path: str, label: Label) -> Mark:
        said = "" if path == PLACES[2] else f"{path} of {label.value}, {order.value}"
        return Mark.model_validate({"score": SCORES[path][label is Label.B], "rationale": said})

    criteria = {path: PerOutput[Mark](A=mark(path, Label.A), B=mark(path, Label.B)) for path in PLACES}
    nothing = PerOutput[tuple[str, ...]](A=(), B=())
    return plain.model_copy(update={"criteria": criteria, "strengths": nothing, "weaknesses": nothing})


class Collected:
    """A project whose pairs are judged and reviewed, and what is collected of them."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.history = History(World(services.database, services.blobs))

    def rated(self) -> Comparison:
        """A pair with rationales."""
        comparison = self.history.unjudged()
        for order in Order:
            self.history.world.attempt(comparison, order, rated(order))
        return comparison

    def review(self, comparison: Comparison, *changes: Change, final: bool = True) -> None:
        """A review of the pair with these changes."""
        world = self.history.world
        review = world.review(comparison)
        with world.write() as unit:
            for change in changes:
                add_change(unit, review.id, change, blind=False)
            if final:
                reviews.finalise(
                    unit.by(review.person_id),
                    review.id,
                    verdict=verdict("5", "3"),
                    prose=prose(),
                    changed=len(changes),
                    seen=len(changes),
                    unblinded=False,
                )

    def changed(self, target: str, value: object, reason: str = "", **more: Any) -> Change:
        """A change of a value, with its reason."""
        return self.history.world.change(target, value, reason=reason).model_copy(update=more)

    def findings(self) -> tuple[Finding, ...]:
        """What is collected once all is revealed."""
        self.history.reveal()
        inquiry = collect(self.services, self.history.project)
        with self.services.database.read() as connection:
            return inquiries.findings_of(connection, inquiry.id)

    def of_reviewers(self) -> dict[tuple[str, str], tuple[Label, FindingSource, Winner]]:
        """The side, the source and for whom it speaks, of each place and words of a reviewer."""
        return {
            (each.place, each.words): (each.label, each.source, each.speaks_for)
            for each in self.findings()
            if each.speaker is Speaker.REVIEWER
        }


@pytest.fixture
def world(database: Database, tmp_path: Path) -> Collected:
    services = Services(
        environment=os.environ,
        settings=Settings(home=tmp_path / "home", judge="offline"),
        database=database,
        blobs=BlobStore.at(str(tmp_path / "blobs")),
    )
    return Collected(services)


def test_each_rationale_is_kept_with_its_pair_criterion_and_words_and_speaks_for_who_is_ahead(
    world: Collected,
) -> None:
    pairs = [world.rated(), world.rated()]

    found = world.findings()

    speaks = {AHEAD: Winner.A, EVEN: Winner.TIE, BEHIND: Winner.B}
    assert {
        (each.comparison_id, each.label, each.place, each.words, each.speaks_for)
        for each in found
        if each.source is FindingSource.RATIONALE and each.speaker is Speaker.JUDGE
    } == {
        (pair.id, label, path, f"{path} of {label.value}, {order.value}", winner)
        for pair in pairs
        for path, winner in speaks.items()
        for label in Label
        for order in Order
    }
    assert len(found) == len(pairs) * len(speaks) * len(Label) * len(Order)


def test_a_reviewers_reason_is_kept_word_for_word_and_speaks_for_the_side_it_raised(world: Collected) -> None:
    pair = world.rated()
    raised, lowered = f"score:B:{AHEAD}", f"score:B:{BEHIND}"
    world.review(
        pair,
        world.changed(raised, "4", WORDS),
        world.changed(lowered, "3", "One key is missing."),
        world.changed(f"score:A:{AHEAD}", "5", "As the judge says.", kind=ChangeKind.CONFIRM),
        world.changed(f"score:A:{EVEN}", "3"),
        world.changed(f"score:A:{BEHIND}", None, "No schema was given.", kind=ChangeKind.CANNOT_JUDGE),
    )

    assert world.of_reviewers() == {
        (raised, WORDS.strip()): (Label.B, FindingSource.REASON, Winner.B),
        (lowered, "One key is missing."): (Label.B, FindingSource.REASON, Winner.A),
        (f"score:A:{AHEAD}", "As the judge says."): (Label.A, FindingSource.REASON, Winner.TIE),
        (f"score:A:{BEHIND}", "No schema was given."): (Label.A, FindingSource.REASON, Winner.TIE),
    }
    assert {each.comparison_id for each in world.findings()} == {pair.id}


def test_a_name_that_the_cut_would_halve_is_taken_out_before_the_reveal(world: Collected) -> None:
    words = "x" * (LONGEST - len(NEW)) + f" {NEW} is better"
    world.review(world.rated(), world.changed("winner", "A", words))

    inquiry = collect(world.services, world.history.project)

    with world.services.database.read() as connection:
        (kept,) = (
            each.words
            for each in inquiries.findings_of(connection, inquiry.id)
            if each.speaker is Speaker.REVIEWER
        )
    assert kept.startswith("xxx")
    assert kept.endswith("…")
    assert NEW[:4] not in kept
