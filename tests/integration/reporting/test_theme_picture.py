"""Themes over the counted pairs and iterations: every number counted again from findings whose themes are known."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest
import sqlalchemy as sa

from comparator.domain.labels import Label, Winner
from comparator.domain.themes import (
    Assigned,
    Codebook,
    FindingSource,
    Speaker,
    StatedReason,
    Theme,
)
from comparator.reporting.facts import facts_of
from comparator.reporting.results.over_iterations import pooled
from comparator.reporting.scope import Meets, ResultFilter, Verdicts
from comparator.reporting.theme_picture import ALL, NONE, theme_pairs, theme_picture
from comparator.store import tables
from comparator.store.core.unit import Unit, new_id
from comparator.store.judging import inquiries
from comparator.store.judging.inquiries import InquiryKind, InquiryRequest, InquiryState, NewInquiry
from comparator.store.pairs import comparisons
from comparator.store.people import projects
from comparator.store.reviewing import finalisations
from comparator.store.reviewing.finalisations import NewFinalisation
from tests.integration.reporting.test_why_and_where import asked_about
from tests.worlds.histories.experiment import WITH, Experiment, Planted
from tests.worlds.histories.pairs import World, prose, verdict

LOGS = Theme(id="logs", name="Cites the logs", test="The finding says that logs are cited or not.")
FORM = Theme(id="form", name="Has a table", test="The finding says that there is a table or none.")
READ = (1, 2)
"""The iterations whose findings are assigned; nobody has read the reasons of the third."""


class Said(NamedTuple):
    """A finding: for whom it speaks (1: with the skill, -1: without, 0: neither), and its themes."""

    pair: Planted
    way: int
    themes: tuple[str, ...]


class Read:
    """An experiment of which some findings belong to two themes, some to one, and some to none."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.experiment = Experiment(world, iterations=3, tasks_of=21, reviewed=False).build()
        self.said = list(self._findings())
        self._store()

    def _findings(self) -> Iterator[Said]:
        rng = np.random.default_rng(8)
        for pair in self.experiment.pairs:
            if pair.iteration not in READ:
                continue
            # Pairs of one task are much alike.
            usual = 1 if pair.task % 3 else -1
            both, form = (int(rng.choice((*(usual,) * 8, 0, -usual))) for _ in range(2))
            # In some pairs that were read, nobody speaks of a theme.
            silent = pair.iteration == 2 and pair.task % 4 == 0
            yield Said(pair, both, () if silent else (LOGS.id, FORM.id))
            if pair.task % 2:
                yield Said(pair, form, (FORM.id,))
            if pair.task % 5 == 0:
                yield Said(pair, usual, ())

    def _store(self) -> None:
        world, project = self.world, self.experiment.project
        with world.database.write() as connection:
            unit = Unit(connection, at=world.now(), new_id=new_id)
            projects.replace_codebook(connection, project, Codebook(themes=(LOGS, FORM)))
            a_is_skill = _sides(connection)
            stated = {}
            for number, each in enumerate(self.said):
                skill = Label.A if a_is_skill[each.pair.comparison_id] else Label.B
                speaks = {1: Winner(skill.value), 0: Winner.TIE, -1: Winner(skill.other.value)}[each.way]
                reason = StatedReason(
                    comparison_id=each.pair.comparison_id,
                    label=skill,
                    source=FindingSource.STRENGTH,
                    speaker=Speaker.JUDGE,
                    place="",
                    words=f"Finding {number}.",
                    speaks_for=speaks,
                )
                inquiries.keep_findings(unit, [reason], project_id=project)
                stated[each.pair.comparison_id, reason.words] = each.themes
            f = tables.finding.c
            rows = connection.execute(sa.select(f.id, f.comparison_id, f.words)).all()
            run = inquiries.begin(
                unit,
                NewInquiry(
                    project_id=project,
                    kind=InquiryKind.ASSIGN,
                    model="a model",
                    request=InquiryRequest(themes=(LOGS, FORM)),
                    created_by=None,
                ),
                findings=[row.id for row in rows],
            )
            inquiries.assign(
                connection,
                run.id,
                {
                    row.id: [
                        Assigned(theme=theme, quote="Finding")
                        for theme in stated[row.comparison_id, row.words]
                    ]
                    for row in rows
                },
            )
            inquiries.end(unit, run.id, state=InquiryState.DONE)

    @property
    def asked(self) -> ResultFilter:
        """All iterations together, seen from the skill."""
        asked = asked_about(self.experiment, 1).model_copy(update={"verdicts": Verdicts.JUDGE})
        return pooled(self.world.database, asked)

    def ways(self, theme: str, *, iteration: int | None = None) -> dict[tuple[int, int], int]:
        """For whom a theme speaks in each pair in which it occurs, by task and iteration."""
        sums: dict[tuple[int, int], int] = defaultdict(int)
        for each in self.said:
            if (theme == ALL or theme in each.themes) and iteration in (None, each.pair.iteration):
                sums[each.pair.task, each.pair.iteration] += each.way
        return {pair: (way > 0) - (way < 0) for pair, way in sums.items()}

    def rows(self) -> list[tuple[str, str, int, int]]:
        """Theme, pair, points of A, findings."""
        with facts_of(self.world.database, self.experiment.project) as facts:
            lines = theme_pairs(facts)
        return sorted(
            lines[["theme_id", "comparison_id", "points", "findings"]].itertuples(index=False, name=None)
        )


def _sides(connection: sa.Connection) -> dict[str, bool]:
    """Whether A was done with the skill, by pair."""
    key, run, candidate = tables.ab_key.c, tables.run.c, tables.candidate.c
    query = (
        sa.select(key.comparison_id, candidate.name)
        .join_from(tables.ab_key, tables.run, run.id == key.run_a)
        .join(tables.candidate, candidate.id == run.candidate_id)
    )
    return {row.comparison_id: row.name == WITH for row in connection.execute(query)}


@pytest.fixture
def read(world: World) -> Read:
    return Read(world)


def test_a_finding_with_two_themes_counts_in_both_and_once_among_all(read: Read) -> None:
    found = theme_picture(read.world.database, read.asked)

    assert found is not None
    sides = {each.theme.id: each for each in found.themes}
    for theme in (LOGS.id, FORM.id):
        counts = Counter(read.ways(theme).values())
        assert (sides[theme].one, sides[theme].even, sides[theme].two) == (counts[1], counts[0], counts[-1])
        assert min(counts.values()) > 0
    assert found.findings == len(read.said)
    assert found.none == sum(not each.themes for each in read.said)
    assert found.read == len(READ) * read.experiment.tasks_of


def test_a_theme_is_counted_for_winners_and_losers_in_decided_pairs_alone(read: Read) -> None:
    winners = {(each.task, each.iteration): each.winner for each in read.experiment.pairs}
    # People call some pairs level, whatever their findings say.
    level = [each for each in read.experiment.pairs if each.iteration == READ[0]][:4]
    for pair in level:
        _call_level(read.world, pair)
        winners[pair.task, pair.iteration] = 0
    whole = read.asked.model_copy(update={"verdicts": Verdicts.EITHER})
    turned = whole.model_copy(
        update={
            "one": whole.two,
            "two": whole.one,
            "also": tuple(Meets(each.two, each.one) for each in whole.also),
        }
    )

    for asked in (whole, turned):
        found = theme_picture(read.world.database, asked)

        assert found is not None
        for each in found.themes:
            ways = read.ways(each.theme.id)
            ended = Counter(way * winners[of] for of, way in ways.items())
            assert (each.for_winner, each.for_loser) == (ended[1], ended[-1])
            assert each.decided == each.pairs - ended[0]
            # It speaks for one side in some tied pairs, and for neither in some decided ones.
            assert any(way and not winners[of] for of, way in ways.items())
            assert any(winners[of] and not way for of, way in ways.items())
            assert min(ended.values()) > 0


def _call_level(world: World, pair: Planted) -> None:
    """A final review with equal scores."""
    with world.database.read() as connection:
        comparison = comparisons.get(connection, pair.comparison_id)
    review = world.review(comparison)
    final = NewFinalisation(verdict=verdict("4", "4"), prose=prose(), changed=0, seen=0, unblinded=False)
    with world.database.write() as connection:
        unit = Unit(connection, at=world.now(), new_id=new_id)
        finalisations.add(unit.by(review.person_id), review.id, final)


def _from_skill(read: Read, met: Meets) -> Meets:
    skill = {read.asked.one, *(each.one for each in read.asked.also)}
    return met if met.one in skill else Meets(met.two, met.one)


def test_the_themes_of_pairs_are_rebuilt_as_they_were_and_as_they_were_planted(read: Read) -> None:
    project, database = read.experiment.project, read.world.database
    with database.read() as connection:
        a_is_skill = _sides(connection)

    def planted(themes_of: dict[tuple[str, ...], tuple[str, ...]]) -> list[tuple[str, str, int, int]]:
        held: dict[tuple[str, str], list[int]] = defaultdict(list)
        for each in read.said:
            for theme in (*(themes_of.get(each.themes, each.themes) or (NONE,)), ALL):
                held[theme, each.pair.comparison_id].append(each.way)
        return sorted(
            (theme, pair, 1 + int(np.sign(sum(ways))) * (1 if a_is_skill[pair] else -1), len(ways))
            for (theme, pair), ways in held.items()
        )

    assert read.rows() == planted({})

    # A finding of both themes is one finding of what they are merged into.
    with database.write() as connection:
        projects.replace_codebook(connection, project, Codebook(themes=(FORM,), merged={LOGS.id: FORM.id}))
    assert read.rows() == planted({(LOGS.id, FORM.id): (FORM.id,)})
