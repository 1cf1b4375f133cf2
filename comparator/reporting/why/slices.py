"""Where the result differs: the parts of a result by one property at a time, each against the rest."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.facts import Facts, facts_of
from comparator.reporting.frames import Frame
from comparator.reporting.results.candidates import natural
from comparator.reporting.scope import BOTH, LENGTHS, NEITHER, ONLY, By, ResultFilter, Within, WonTiedLost
from comparator.reporting.why.criteria import criteria_of
from comparator.reporting.why.expectations import ExpectationMet, expectations_of
from comparator.stats.differences import ByTask, Ended, benjamini_hochberg, chance, total
from comparator.stats.grouping import group
from comparator.stats.intervals import Estimate, Evidence, TooFew, evidence
from comparator.stats.paired import Sums, win_rate
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.pairs import checks

MOST = 60
"""So many parts of one property are looked at, those with most pairs."""

LEADS = (By.CRITERION, By.EXPECTATION)
"""Properties of which a pair has several: a part is who leads by one of them."""


class SlicePart(WonTiedLost):
    """One part: who won its pairs, and how it stands to the rest."""

    part: Within
    name: str
    tasks: int
    rate: Estimate | TooFew
    difference: float
    """Its share of points minus that of the rest, -1 to 1."""
    p: float | None
    """The chance of such a difference to the rest if there were none; None with too few tasks."""
    stands_out: bool
    """Whether that is more than chance, with all parts that were looked at in mind (Benjamini and Hochberg)."""
    turned: bool
    """Whether it is won by the one that loses overall."""

    @property
    def reverses(self) -> bool:
        """Whether it is won by the other one and stands out."""
        return self.turned and self.stands_out

    @property
    def evidence(self) -> Evidence:
        """How sure it is that one of the two wins it."""
        return evidence(self.rate)


class Parts(Frozen):
    """All parts by one property, by their difference to the rest; those with too few tasks for a rate come last."""

    by: By
    parts: tuple[SlicePart, ...]
    n: int
    """All counted pairs."""
    share: float
    """Candidate one's share of points in them, 0 to 1."""
    looked_at: int
    left_out: int
    """Parts that were not looked at, because there are so many."""


def slices(database: Database, asked: ResultFilter, by: By) -> Parts:
    """The parts of the counted pairs by this property, under all filters but its own. Raises BlindnessError.

    A criterion or an expectation is told by who leads by it, and its rest are the others of its kind.
    """
    asked = asked.without(by)
    if by is By.TOPIC:
        find_topics(database, asked.project_id)
    with facts_of(database, asked.project_id) as facts:
        pairs = facts.counted(asked)
        runs = _Runs(pairs)
        whole = share_of = runs.ended(pairs.points)
        if by in LEADS:
            found = [(part, name, runs.ended(lead)) for part, name, lead in _leads(facts, pairs, by)]
            whole = sum((own for _, _, own in found), start=np.zeros_like(whole))
        else:
            found = [
                (part, name, runs.ended(pairs.points[facts.mask(pairs, part)]))
                for value, name in _named(facts, pairs, asked, by).items()
                for part in (Within(by=by, value=value),)
            ]
    every, all_pairs = _all(whole), _all(share_of)
    found = sorted(
        ((part, name, own) for part, name, own in found if 0 < _all(own).n < every.n),
        key=lambda each: -_all(each[2]).n,
    )
    looked = found[:MOST]
    chances = [chance(runs.by_task(own), runs.by_task(whole - own)) for _, _, own in looked]
    tested = [each for each in chances if each is not None]
    named_out = iter(benjamini_hochberg(tested))
    clear = [each is not None and next(named_out) for each in chances]
    share = all_pairs.share if all_pairs.n else 0.0
    parts = [
        _part(part, name, runs.by_task(own), every, share, p, stands_out)
        for (part, name, own), p, stands_out in zip(looked, chances, clear, strict=True)
    ]
    parts.sort(key=lambda each: (isinstance(each.rate, TooFew), -abs(each.difference), natural(each.name)))
    return Parts(
        by=by,
        parts=tuple(parts),
        n=all_pairs.n,
        share=share,
        looked_at=len(parts),
        left_out=len(found) - len(looked),
    )


def _leads(facts: Facts, pairs: Frame, by: By) -> list[tuple[Within, str, Frame]]:
    """Who leads by each criterion or expectation."""
    if by is By.EXPECTATION:
        lines = expectations_of(facts, pairs)
        lines = lines[lines.plain != ExpectationMet.NOT_ASSESSED]
        lead = lines.plain.map({ExpectationMet.ONE: 2, ExpectationMet.TWO: 0}).fillna(1)
        lines, names = lines.assign(points=lead, value=lines.text), {}
    else:
        lines = criteria_of(pairs)
        lines = lines.assign(points=1 + np.sign(lines.value), value=lines.path)
        names = {path: facts.criterion(path) for path in lines.value.unique()}
    # What no pair differs in tells nobody apart: it is no part, and no rest either.
    return [
        (Within(by=by, value=value), names.get(value, value), own.set_index("comparison_id").points)
        for value, own in lines.groupby("value")
        if (own.points != 1).any()
    ]


def _part(
    part: Within, name: str, own: ByTask, every: Ended, share: float, p: float | None, stands_out: bool
) -> SlicePart:
    tasks = [total(each) for each in own.values()]
    here = total(tasks)
    rest = every.without(here)
    return SlicePart(
        part=part,
        name=name,
        won=here.won,
        tied=here.tied,
        lost=here.lost,
        tasks=len(tasks),
        rate=win_rate(Sums.added((each.n, 2 * each.won + each.tied) for each in tasks), tied=here.tied),
        difference=here.share - (rest.share if rest.n else here.share),
        p=p,
        stands_out=stands_out,
        turned=(here.share - 0.5) * (share - 0.5) < 0,
    )


Ends = npt.NDArray[np.intp]
"""A row for each run, in order, with how many of its pairs were won, tied and lost."""


class _Runs:
    """The runs of each task, and of each two candidates, of which the pairs stand together."""

    def __init__(self, pairs: Frame) -> None:
        grouped = pairs.groupby(["task_id", "both"])
        self.place = grouped.ngroup()
        self.tasks = grouped.size().index.get_level_values(0)

    def ended(self, points: Frame) -> Ends:
        """How the pairs of each run ended, by points under their ids."""
        places = self.place[points.index].to_numpy()
        return np.stack(
            [np.bincount(places[points == each], minlength=len(self.tasks)) for each in (2, 1, 0)], axis=1
        )

    def by_task(self, ends: Ends) -> dict[str, list[Ended]]:
        """Of each task its runs, without those that have no pair."""
        found: defaultdict[str, list[Ended]] = defaultdict(list)
        for place in np.flatnonzero(ends.any(axis=1)):
            found[self.tasks[place]].append(Ended(*ends[place].tolist()))
        return found


def _all(ends: Ends) -> Ended:
    return Ended(*ends.sum(axis=0).tolist())


def _named(facts: Facts, pairs: Frame, asked: ResultFilter, by: By) -> dict[str, str]:
    """The values of this property that occur among the counted pairs, with what each is called."""
    connection = facts.connection
    match by:
        case By.LENGTH:
            return {name: _length(name) for name in LENGTHS}
        case By.REVIEWER:
            person, reviews = tables.person.c, facts.reviews
            people = list(reviews.person[reviews.comparison_id.isin(pairs.index)].unique())
            query = sa.select(person.id, person.name).where(person.id.in_(people))
            return {row.id: row.name for row in connection.execute(query)}
        case By.TAG | By.TOPIC | By.TASK:
            return _of_tasks([facts.tasks[id] for id in pairs.task_id.unique()], by)
        case By.CHECK:
            return _of_checks(connection, asked)
        case By.ITERATION | By.MODEL:
            candidate = tables.candidate.c
            every = {id for met in asked.meetings for id in met}
            column = candidate.iteration if by is By.ITERATION else candidate.model
            values = connection.execute(sa.select(column).where(candidate.id.in_(every)).distinct()).scalars()
            return {value: value for value in sorted(filter(None, values), key=natural)}
        case _:
            families = sorted(facts.families[facts.families.index.isin(pairs.index)].unique())
            return {name: name.replace("_", " ") for name in families}


def _of_tasks(rows: Sequence[Any], by: By) -> dict[str, str]:
    if by is By.TASK:
        return {row.id: row.title or row.key for row in rows}
    if by is By.TOPIC:
        return {topic: topic for topic in sorted({row.topic for row in rows if row.topic})}
    return {tag: tag for tag in sorted({tag for row in rows for tag in row.tags}, key=natural)}


def _of_checks(connection: Connection, asked: ResultFilter) -> dict[str, str]:
    """Of each check four parts: found in both outputs, in none, only in those of one of the two candidates."""
    candidate = tables.candidate.c
    query = (
        sa.select(candidate.id, candidate.name)
        .where(candidate.id.in_([asked.one, asked.two]))
        .order_by(candidate.name)
    )
    only = {f"{ONLY}{row.id}": f"only {row.name}" for row in connection.execute(query)}
    return {
        f"{check.id}:{which}": f"{check.name}: {where}"
        for check in checks.of_project(connection, asked.project_id)
        for which, where in {BOTH: BOTH, NEITHER: NEITHER, **only}.items()
    }


def _found(connection: Connection, value: str) -> str:
    """What a part by a check is called."""
    check_id, _, which = value.partition(":")
    output_check, candidate = tables.output_check.c, tables.candidate.c
    check = connection.execute(sa.select(output_check.name).where(output_check.id == check_id)).scalar()
    made = connection.execute(
        sa.select(candidate.name).where(candidate.id == which.removeprefix(ONLY))
    ).scalar()
    return f"{check or 'a check that was removed'}: {f'only {made}' if made else which}"


def _length(name: str) -> str:
    least, below = LENGTHS[name]
    if below is None:
        return f"{least:,} characters and more"
    return f"{least:,} to {below:,} characters" if least else f"under {below:,} characters"


def name_of_part(database: Database, part: Within, *, project_id: str) -> str:
    """What a part of a project is called."""
    person = tables.person.c
    with facts_of(database, project_id) as facts:
        match part.by:
            case By.TASK if part.value in facts.tasks:
                return str(facts.tasks[part.value].title or part.value)
            case By.REVIEWER:
                query = sa.select(person.name).where(person.id == part.value)
                return facts.connection.execute(query).scalar() or part.value
            case By.LENGTH:
                return _length(part.value)
            case By.CHECK:
                return _found(facts.connection, part.value)
            case By.CRITERION:
                return facts.criterion(part.value)
            case _:
                return part.value


MOST_TOPICS = 8
"""Topics of a project: groups of tasks by the words of their titles and prompts; no model is asked."""
LEAST_TASKS = 5
"""A project has at most one topic for so many tasks."""
MOST_TASKS = 1_000
"""Tasks beyond this have no topic."""
MOST_READ = 2_000
"""Characters of a prompt that are read."""


def find_topics(database: Database, project_id: str) -> None:
    """Group the tasks of a project anew if one of them has not been grouped since its last wording."""
    task, task_version = tables.task.c, tables.task_version.c
    last = (
        sa.select(task_version.prompt)
        .where(task_version.task_id == task.id)
        .order_by(task_version.number.desc())
        .limit(1)
        .scalar_subquery()
    )
    with database.read() as connection:
        missing = sa.select(task.id).where(task.project_id == project_id, task.topic.is_(None)).limit(1)
        if connection.execute(missing).first() is None:
            return
        prompt = sa.func.substr(last, 1, MOST_READ).label("prompt")
        query = sa.select(task.id, task.title, prompt).where(task.project_id == project_id).order_by(task.key)
        rows = connection.execute(query).all()
    topics = dict.fromkeys((row.id for row in rows), "")
    read = rows[:MOST_TASKS]
    groups = min(MOST_TOPICS, len(read) // LEAST_TASKS)
    if groups > 1:
        found = group([f"{row.title} {row.prompt or ''}" for row in read], groups=groups)
        shared = Counter(word for each in found for word in each.words)
        for each in found:
            own = [word for word in each.words if shared[word] == 1]
            for place in each.members:
                topics[read[place].id] = ", ".join(own or each.words)
    with database.write() as connection:
        connection.execute(
            tables.task.update().where(task.id == sa.bindparam("task")).values(topic=sa.bindparam("words")),
            [{"task": id, "words": words} for id, words in topics.items()],
        )
