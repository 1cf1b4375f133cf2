"""Pairs of which somebody said who wins, and how each judge did on them, beside what the field published."""

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache, partial
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from pydantic import Field

from comparator.domain.labels import Frozen, LabelKind, Order, Winner, most_named_winner
from comparator.domain.project import is_held_out
from comparator.domain.scoring.judgment import Identity
from comparator.domain.scoring.review import How
from comparator.judges import stored
from comparator.reporting.facts import Facts, facts_of
from comparator.reporting.frames import Frame
from comparator.reporting.trust.measured import measured
from comparator.stats.accuracy import Counts, LabelledReading, count
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.core.sql import among
from comparator.store.people import projects
from comparator.store.people.projects import Project
from comparator.store.reviewing.covered import still_covered


class LabelledBy(StrEnum):
    """Whose word it is, the weightiest first."""

    GOLD = "gold labels"
    PEOPLE = "people's labels"
    REVIEWS = "reviews made before the judge's values opened"


class Labelled(Frozen):
    """A pair with the winner that it should have."""

    comparison_id: str
    winner: Winner
    by: LabelledBy
    value: Any = None
    """What came with a gold label."""
    task: str = ""
    """The title of its task."""


def labelled(facts: Facts) -> tuple[Labelled, ...]:
    """The project's pairs of which somebody said who wins, by id.

    A gold label counts before people's labels, those before our own reviews. Several people's majority counts; where
    they are split, it is a tie. Reviews count if they were made blind first, by what they said before the judge's
    values opened; whoever saw those first, or knew the candidates, proves nothing.
    """
    labels = facts.labels
    gold = labels[labels.kind == LabelKind.GOLD].drop_duplicates("comparison_id", keep="last")
    truths = {
        **reviewed_blind(facts),
        **_votes(
            (people := labels[labels.kind == LabelKind.HUMAN]).winner, people.comparison_id, LabelledBy.PEOPLE
        ),
        **{
            row.comparison_id: Labelled(
                comparison_id=row.comparison_id, winner=row.winner, by=LabelledBy.GOLD, value=row.value
            )
            for row in gold.itertuples()
        },
    }
    tasks = facts.pairs.task_id
    return tuple(truth.copy_with(task=facts.tasks[tasks[id]].title) for id, truth in sorted(truths.items()))


def reviewed_blind(facts: Facts) -> dict[str, Labelled]:
    """The valid pairs that people reviewed blind first, with the winner that most of them named; no label counts."""
    reviews = facts.reviews
    valid = reviews.comparison_id.isin(facts.pairs.index[facts.pairs.valid])
    blind = reviews[valid & (reviews.how == How.BLIND_FIRST) & reviews.named.notna()]
    return _votes(blind.named, blind.comparison_id, LabelledBy.REVIEWS)


def held_out(facts: Facts) -> dict[str, Labelled]:
    """Those of the pairs reviewed blind on which guidance is tried."""
    tasks = facts.pairs.task_id
    return {id: pair for id, pair in reviewed_blind(facts).items() if is_held_out(tasks[id])}


def _votes(winners: Frame, ids: Frame, by: LabelledBy) -> dict[str, Labelled]:
    return {
        id: Labelled(comparison_id=id, winner=most_named_winner(map(Winner, named)) or Winner.TIE, by=by)
        for id, named in winners.groupby(ids)
    }


PART = "part"
"""The key of a gold label's value that says to which part of its set the pair belongs."""


AS_GIVEN = "as given"
"""How the pairs were read whose answers came in as labels."""


class Missed(Frozen):
    """A pair that a judge did not get right in both orders."""

    comparison_id: str
    task: str
    part: str
    """Of its set; empty where the label names none."""
    label: Winner
    named: tuple[Winner, ...]
    """By the judge: with A shown first, then with B shown first, as far as it was read."""


class LabelledRecord(Frozen):
    """One judge on the labelled pairs of a project."""

    project_id: str
    project: str
    judge: Identity
    mode: str
    """One request, tools or repetitions, both joined by " + "; as given for imported labels."""
    counts: Counts
    by_file: dict[str, Counts] = Field(default_factory=dict)
    """By the kinds of files in the outputs; a pair with two kinds counts for both."""
    by_part: dict[str, Counts] = Field(default_factory=dict)
    """By the tags of the tasks, and by what the gold labels call a part of their set."""
    missed: tuple[Missed, ...] = ()


def labelled_records(database: Database, project_ids: Sequence[str]) -> tuple[LabelledRecord, ...]:
    """The records of all judges that read labelled pairs of these projects, trials too, and of imported answers.

    Guidance that was never adopted has no record: its test is its own.
    """
    records: list[LabelledRecord] = []
    for project_id in project_ids:
        with facts_of(database, project_id) as facts:
            project = projects.get(facts.connection, project_id)
            # A reading for a trial raises no revision.
            key = f"labelled records {_readings(facts.connection, project_id)} {project.name}"
            records += facts.kept(key, partial(_records, facts, project))
    return tuple(records)


def labelled_pairs(database: Database, project_id: str) -> tuple[str, ...]:
    """The project's pairs with a label or a blind review, by id."""
    with facts_of(database, project_id) as facts:
        return tuple(pair.comparison_id for pair in labelled(facts))


def hidden_from(database: Database, records: Sequence[LabelledRecord], person_id: str) -> frozenset[str]:
    """Those of the missed pairs that this person has yet to score before seeing what a judge said of them."""
    with database.read() as connection:
        return still_covered(
            connection, {one.comparison_id for record in records for one in record.missed}, person_id
        )


def _readings(connection: Connection, project_id: str) -> int:
    judgment, attempt, comparison = tables.judgment.c, tables.attempt.c, tables.comparison.c
    query = (
        sa.select(sa.func.count(attempt.id))
        .join_from(tables.attempt, tables.judgment, judgment.id == attempt.judgment_id)
        .join(tables.comparison, comparison.id == judgment.comparison_id)
        .where(comparison.project_id == project_id)
    )
    return int(connection.execute(query).scalar_one())


def _records(facts: Facts, project: Project) -> tuple[LabelledRecord, ...]:
    connection = facts.connection
    truths = {truth.comparison_id: truth for truth in labelled(facts)}
    if not truths:
        return ()
    winners = {id: truth.winner for id, truth in truths.items()}
    by_judge = (
        _record(facts, project, judge, measured(facts, winners, judge=judge), truths)
        for judge in _judges(connection, project, truths)
    )
    return (*(record for record in by_judge if record.counts.covered), *_imported(facts, project, truths))


def _judges(connection: Connection, project: Project, ids: Mapping[str, Labelled]) -> Iterator[Identity]:
    """Which models read some of these pairs, oldest first; no guidance that was only tried."""
    judgment = tables.judgment.c
    in_force = project.settings.guidance
    query = (
        sa.select(judgment.judge_kind, judgment.judge_model, judgment.judge_digest)
        .where(
            judgment.comparison_id.in_(among(connection, ids)),
            judgment.judge_kind != "offline",
            judgment.judge_model != stored.MODEL,
            sa.or_(judgment.trial.is_(None), judgment.guidance.is_(None), judgment.guidance == in_force),
        )
        .group_by(judgment.judge_kind, judgment.judge_model, judgment.judge_digest)
        .order_by(sa.func.min(judgment.created_at), judgment.judge_digest)
    )
    for row in connection.execute(query):
        yield Identity(kind=row.judge_kind, model=row.judge_model, digest=row.judge_digest)


def _record(
    facts: Facts,
    project: Project,
    judge: Identity,
    labelled_readings: Mapping[str, LabelledReading],
    truths: Mapping[str, Labelled],
) -> LabelledRecord:
    by_file: dict[str, list[LabelledReading]] = defaultdict(list)
    by_part: dict[str, list[LabelledReading]] = defaultdict(list)
    missed = []
    for id, read in labelled_readings.items():
        for family in facts.families_by_pair.get(id, ()):
            by_file[family].append(read)
        parts = _parts_of(truths[id])
        for part in dict.fromkeys((*parts, *facts.tasks[facts.pairs.task_id[id]].tags)):
            by_part[part].append(read)
        named = tuple(read.by_order[order] for order in Order if order in read.by_order)
        if read.verdict is not None and set(named) - {read.truth}:
            part = ", ".join(parts)
            missed.append(
                Missed(comparison_id=id, task=truths[id].task, part=part, label=read.truth, named=named)
            )
    counts = count(labelled_readings.values())
    return LabelledRecord(
        project_id=project.id,
        project=project.name,
        judge=judge,
        mode=mode_of(counts),
        counts=counts,
        by_file={family: count(reads) for family, reads in sorted(by_file.items())},
        by_part={part: count(reads) for part, reads in sorted(by_part.items())},
        missed=tuple(missed),
    )


def _imported(facts: Facts, project: Project, truths: Mapping[str, Labelled]) -> Iterator[LabelledRecord]:
    """The judges whose answers came in as labels: one verdict a pair, and no reading in either order."""
    labels = facts.labels
    theirs = labels[(labels.kind == LabelKind.JUDGE) & labels.comparison_id.isin(list(truths))]
    for author, own in theirs.groupby("author"):
        given = {id: Winner(winner) for id, winner in zip(own.comparison_id, own.winner, strict=True)}
        known = count(
            LabelledReading(
                truth=truths[id].winner,
                by_order=dict.fromkeys(Order, winner),
                verdict=winner,
                first_verdict=winner,
            )
            for id, winner in given.items()
        )
        yield LabelledRecord(
            project_id=project.id,
            project=project.name,
            judge=Identity(kind="label", model=author),
            mode=AS_GIVEN,
            counts=Counts(
                pairs=len(truths),
                covered=known.covered,
                verdicts=known.verdicts,
                first_verdicts=known.first_verdicts,
            ),
            missed=tuple(
                Missed(
                    comparison_id=id,
                    task=truths[id].task,
                    part=", ".join(_parts_of(truths[id])),
                    label=truths[id].winner,
                    named=(winner, winner),
                )
                for id, winner in given.items()
                if winner is not truths[id].winner
            ),
        )


def _parts_of(label: Labelled) -> tuple[str, ...]:
    part = label.value.get(PART) if isinstance(label.value, dict) else None
    return (part,) if isinstance(part, str) and part else ()


def mode_of(counts: Counts) -> str:
    """How the pairs were read.

    >>> mode_of(Counts(covered=20)), mode_of(Counts(covered=20, tools=1, again=3))
    ('one request', 'tools + repetitions')
    """
    modes = [name for name, there in (("tools", counts.tools), ("repetitions", counts.again)) if there]
    return " + ".join(modes) or "one request"


_FILE = Path(__file__).with_name("published.toml")


class Published(Frozen):
    """A figure that others measured, as a share; None where they did not."""

    set: str
    part: str = ""
    """Which part of the set; empty for the whole."""
    judge: str
    mean: float | None = None
    both: float | None = None
    consistent: float | None = None
    verdict: float | None = None
    n: int | None = None
    source: str

    @property
    def name(self) -> str:
        """The set, and which part of it."""
        return f"{self.set} {self.part}".rstrip()

    @property
    def in_words(self) -> str:
        """The figure in a sentence.

        >>> Published(set="S", judge="J", mean=0.8, n=10, source="W").in_words
        'Published: J on S, mean accuracy 80.0%, n = 10 (W)'
        """
        names = {
            "mean accuracy": self.mean,
            "right in both orders": self.both,
            "same winner in both orders": self.consistent,
            "accuracy": self.verdict,
        }
        given = [f"{name} {value:.1%}" for name, value in names.items() if value is not None]
        number = f", n = {self.n:,}" if self.n else ""
        return f"Published: {self.judge} on {self.name}, {', '.join(given)}{number} ({self.source})"


@cache
def published() -> tuple[Published, ...]:
    """All figures that are known here."""
    return tuple(Published.model_validate(load) for load in tomllib.loads(_FILE.read_text("utf-8"))["figure"])


def figures_on(name: str) -> tuple[Published, ...]:
    """The figures on the set of this name: on the same part of it, else on the set as a whole.

    >>> [row.judge for row in figures_on("LLMBar neighbor")]
    ['GPT-4, vanilla prompt', 'people (agreement of expert annotators)']
    >>> {row.set for row in figures_on("RewardBench 2 test")}
    {'RewardBench 2'}
    """
    wanted = name.casefold()
    return tuple(
        row
        for row in published()
        if wanted == row.name.casefold() or (not row.part and wanted.startswith(f"{row.set.casefold()} "))
    )
