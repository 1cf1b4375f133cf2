"""How each judge did on the labelled pairs of a project, one record a judge, beside what the field published."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache, partial
from pathlib import Path

import sqlalchemy as sa
from pydantic import Field

from comparator.domain.labels import Frozen, LabelKind, Order, Winner
from comparator.domain.scoring.judgment import Identity
from comparator.judges import stored
from comparator.reporting.facts import Facts, facts_of
from comparator.reporting.history.conditions import still_covered
from comparator.reporting.trust.labelled import Labelled, labelled
from comparator.reporting.trust.measured import Measured, measured
from comparator.stats.accuracy import Counts, LabelledReading, count
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.core.sql import among
from comparator.store.people import projects
from comparator.store.people.projects import Project

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
    tokens: int = 0
    tries: int = 0
    failed: int = 0
    unpriced: int = 0
    cost: Decimal = Decimal(0)
    """Of all tries whose price is known, in US dollars."""


def labelled_records(database: Database, project_ids: Sequence[str]) -> tuple[LabelledRecord, ...]:
    """The records of all judges that read labelled pairs of these projects, trials too, and of imported answers.

    Guidance that was never adopted has no record: its test is its own.
    """
    found: list[LabelledRecord] = []
    for project_id in project_ids:
        with facts_of(database, project_id) as facts:
            project = projects.get(facts.connection, project_id)
            # A reading for a trial raises no revision.
            key = f"labelled records {_readings(facts.connection, project_id)} {project.name}"
            found += facts.kept(key, partial(_records, facts, project))
    return tuple(found)


def labelled_pairs(database: Database, project_id: str) -> tuple[str, ...]:
    """The project's pairs with a label or a blind review, by id."""
    with facts_of(database, project_id) as facts:
        return tuple(each.comparison_id for each in labelled(facts))


def hidden_from(database: Database, found: Sequence[LabelledRecord], person_id: str) -> frozenset[str]:
    """Those of the missed pairs that this person has yet to score before seeing what a judge said of them."""
    with database.read() as connection:
        return still_covered(
            connection, {one.comparison_id for each in found for one in each.missed}, person_id
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
    truths = {each.comparison_id: each for each in labelled(facts)}
    if not truths:
        return ()
    winners = {id: each.winner for id, each in truths.items()}
    by_judge = (
        _record(facts, project, judge, measured(connection, winners, judge=judge), truths)
        for judge in _judges(connection, project, truths)
    )
    return (
        *(each for each in by_judge if each.counts.covered),
        *_authors(connection, project, truths),
    )


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
    found: Sequence[Measured],
    truths: Mapping[str, Labelled],
) -> LabelledRecord:
    by_file: dict[str, list[LabelledReading]] = defaultdict(list)
    by_part: dict[str, list[LabelledReading]] = defaultdict(list)
    for each in found:
        for family in facts.families_by_pair.get(each.comparison_id, ()):
            by_file[family].append(each.read)
        tags = facts.tasks[facts.pairs.task_id[each.comparison_id]].tags
        for part in dict.fromkeys((*_parts_of(truths[each.comparison_id]), *tags)):
            by_part[part].append(each.read)
    counts = count(each.read for each in found)
    return LabelledRecord(
        project_id=project.id,
        project=project.name,
        judge=judge,
        mode=mode_of(counts),
        counts=counts,
        by_file={family: count(reads) for family, reads in sorted(by_file.items())},
        by_part={part: count(reads) for part, reads in sorted(by_part.items())},
        missed=tuple(
            _missed(truths[each.comparison_id], named)
            for each in found
            if each.read.verdict is not None
            and set(
                named := tuple(each.read.by_order[order] for order in Order if order in each.read.by_order)
            )
            - {each.read.truth}
        ),
        tokens=sum(each.tokens for each in found),
        tries=sum(each.tries for each in found),
        failed=sum(each.failed for each in found),
        unpriced=sum(each.unpriced for each in found),
        cost=sum((each.cost for each in found), Decimal(0)),
    )


def _missed(label: Labelled, named: tuple[Winner, ...]) -> Missed:
    return Missed(
        comparison_id=label.comparison_id,
        task=label.task,
        part=", ".join(_parts_of(label)),
        label=label.winner,
        named=named,
    )


def _parts_of(label: Labelled) -> tuple[str, ...]:
    part = label.value.get(PART) if isinstance(label.value, dict) else None
    return (part,) if isinstance(part, str) and part else ()


def _authors(
    connection: Connection, project: Project, truths: Mapping[str, Labelled]
) -> Iterator[LabelledRecord]:
    """The judges whose answers came in as labels, on the pairs with a label of more weight.

    A label is one verdict, so both orders have it.
    """
    label = tables.label.c
    query = sa.select(label.comparison_id, label.author, label.winner).where(
        label.comparison_id.in_(among(connection, truths)),
        label.kind == LabelKind.JUDGE.value,
        label.winner.is_not(None),
    )
    by_author: dict[str, dict[str, Winner]] = defaultdict(dict)
    for row in connection.execute(query.order_by(label.at, label.id)):
        by_author[row.author][row.comparison_id] = Winner(row.winner)
    for author, given in sorted(by_author.items()):
        read = [
            LabelledReading(truth=each.winner, verdict=given.get(id), first_verdict=given.get(id))
            for id, each in truths.items()
        ]
        yield LabelledRecord(
            project_id=project.id,
            project=project.name,
            judge=Identity(kind="label", model=author),
            mode=AS_GIVEN,
            counts=_of_verdicts(read),
            missed=tuple(
                _missed(each, (given[id],) * 2)
                for id, each in truths.items()
                if given.get(id, each.winner) is not each.winner
            ),
        )


def _of_verdicts(reads: Sequence[LabelledReading]) -> Counts:
    """The counts of pairs of which the verdict is known, and no reading."""
    given = [
        each.model_copy(update={"by_order": dict.fromkeys(Order, each.verdict)})
        for each in reads
        if each.verdict is not None
    ]
    of_all = count(given)
    return Counts(
        pairs=len(reads),
        covered=of_all.covered,
        verdicts=of_all.verdicts,
        first_verdicts=of_all.first_verdicts,
    )


def mode_of(counts: Counts) -> str:
    """How the pairs were read.

    >>> mode_of(Counts(covered=20)), mode_of(Counts(covered=20, tools=1, again=3))
    ('one request', 'tools + repetitions')
    """
    found = [name for name, there in (("tools", counts.tools), ("repetitions", counts.again)) if there]
    return " + ".join(found) or "one request"


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
    return tuple(Published.model_validate(each) for each in tomllib.loads(_FILE.read_text("utf-8"))["figure"])


def figures_on(name: str) -> tuple[Published, ...]:
    """The figures on the set of this name: on the same part of it, else on the set as a whole.

    >>> [each.judge for each in figures_on("LLMBar neighbor")]
    ['GPT-4, vanilla prompt', 'people (agreement of expert annotators)']
    >>> {each.set for each in figures_on("RewardBench 2 test")}
    {'RewardBench 2'}
    """
    wanted = name.casefold()
    return tuple(
        each
        for each in published()
        if wanted == each.name.casefold() or (not each.part and wanted.startswith(f"{each.set.casefold()} "))
    )
