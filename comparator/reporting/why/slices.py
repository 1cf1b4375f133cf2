"""Where the result is another one: the parts of a result by one property at a time, each against the rest."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.results.candidates import natural
from comparator.reporting.results.reviewed import reviewed_by
from comparator.reporting.tally.keeping import current
from comparator.reporting.tally.scope import ResultFilter, counted, require_revealed
from comparator.reporting.tally.sums import WonTiedLost, count
from comparator.reporting.tally.within import BOTH, LENGTHS, NEITHER, ONLY, By, Within
from comparator.reporting.why.criteria import by_criterion, called, criterion_names
from comparator.reporting.why.expectations import by_expectation
from comparator.stats.figures import Estimate, TooFew
from comparator.stats.multiple_testing import benjamini_hochberg
from comparator.stats.paired import Sums, win_rate
from comparator.stats.slices import Ended, chance, total
from comparator.store import tables
from comparator.store.asked import checks
from comparator.store.core.database import Connection, Database

MOST = 60
"""So many parts of one property are looked at, those with most pairs."""

SHORTEST = 3
"""Characters of a word that may be a part."""
FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        """about after all also and any are but can could did does for from get has have how into its just more much
        need not now off one our out over set should than that the their them then there they this too until was way
        were what when where which who why will with would you your""",
    )
)
"""English words that stand in titles of any subject."""


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


class Parts(Frozen):
    """All parts by one property: first those that stand out, then by their difference to the rest."""

    by: By
    parts: tuple[SlicePart, ...]
    share: float
    """Candidate one's share of points in all pairs that were looked at, 0 to 1."""
    looked_at: int
    left_out: int
    """Parts that were not looked at, because there are so many."""


def slices(database: Database, asked: ResultFilter, by: By) -> Parts:
    """The parts of the counted pairs by this property, under all filters but its own. Raises BlindnessError."""
    asked = asked.without(by)
    named = _named(database, asked, by)
    with current(database) as connection:
        require_revealed(connection, asked)
        whole = _ended(connection, asked)
        every = _all(whole)
        found: list[tuple[Within, str, _Rows]] = []
        for value, name in named.items():
            part = Within(by=by, value=value)
            if by in (By.TAG, By.WORD, By.TASK):
                tasks = [value] if by is By.TASK else _tasks_of(connection, asked, part)
                own = {task: whole[task] for task in tasks if task in whole}
            else:
                own = _ended(connection, asked.model_copy(update={"within": (*asked.within, part)}))
            if own and _all(own).n < every.n:
                found.append((part, name, own))
    found.sort(key=lambda each: -_all(each[2]).n)
    looked = found[:MOST]
    chances = [chance(_by_task(own), _by_task(_rest(whole, own))) for _, _, own in looked]
    tested = [each for each in chances if each is not None]
    named_out = iter(benjamini_hochberg(tested))
    clear = [each is not None and next(named_out) for each in chances]
    parts = [
        _part(part, name, own, every, p, stands_out)
        for (part, name, own), p, stands_out in zip(looked, chances, clear, strict=True)
    ]
    parts.sort(key=lambda each: (-each.stands_out, -abs(each.difference), natural(each.name)))
    return Parts(
        by=by,
        parts=tuple(parts),
        share=every.share if every.n else 0.0,
        looked_at=len(parts),
        left_out=len(found) - len(looked),
    )


_Rows = dict[str, dict[str, Ended]]
"""By task and by the two candidates: what stands together are repeated runs of both."""


def _part(part: Within, name: str, own: _Rows, every: Ended, p: float | None, stands_out: bool) -> SlicePart:
    here = _all(own)
    rest = every.without(here)
    tasks = [total(runs.values()) for runs in own.values()]
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
        turned=(here.share - 0.5) * (every.share - 0.5) < 0,
    )


def _all(rows: _Rows) -> Ended:
    return total(each for runs in rows.values() for each in runs.values())


def _rest(whole: _Rows, own: _Rows) -> _Rows:
    """What is left of each task; those of which nothing is are left out."""
    found = {}
    for task, runs in whole.items():
        taken = own.get(task, {})
        left = {both: each.without(taken[both]) if both in taken else each for both, each in runs.items()}
        if any(each.n for each in left.values()):
            found[task] = {both: each for both, each in left.items() if each.n}
    return found


def _by_task(rows: _Rows) -> dict[str, list[Ended]]:
    return {task: list(runs.values()) for task, runs in rows.items()}


def _ended(connection: Connection, asked: ResultFilter) -> _Rows:
    c = counted(asked).c
    query = sa.select(c.task_id, c.both, *(count(c.points == points) for points in (2, 1, 0)))
    found: _Rows = {}
    for task, both, won, tied, lost in connection.execute(query.group_by(c.task_id, c.both)):
        found.setdefault(task, {})[both] = Ended(won, tied, lost)
    return found


def _tasks_of(connection: Connection, asked: ResultFilter, part: Within) -> list[str]:
    c = counted(asked.model_copy(update={"within": (*asked.within, part)})).c
    return list(connection.execute(sa.select(c.task_id).distinct()).scalars())


def _named(database: Database, asked: ResultFilter, by: By) -> dict[str, str]:
    """The values of this property that occur among the counted pairs, with what each is called."""
    if by is By.CRITERION:
        return {each.path: called(each.path, each.name) for each in by_criterion(database, asked)}
    if by is By.EXPECTATION:
        # One that nobody assessed says no more than its task.
        return {each.text: each.text for each in by_expectation(database, asked) if each.assessed}
    if by is By.REVIEWER:
        return {each.id: each.name for each in reviewed_by(database, asked)}
    if by is By.LENGTH:
        return {name: _length(name) for name in LENGTHS}
    with current(database) as connection:
        require_revealed(connection, asked)
        c = counted(asked).c
        match by:
            case By.TAG | By.WORD | By.TASK:
                return _of_tasks(connection, asked, by)
            case By.CHECK:
                return _of_checks(connection, asked)
            case By.ITERATION | By.MODEL:
                candidate = tables.candidate.c
                every = {id for met in asked.meetings for id in met}
                column = candidate.iteration if by is By.ITERATION else candidate.model
                values = connection.execute(
                    sa.select(column).where(candidate.id.in_(every)).distinct()
                ).scalars()
                return {value: value for value in sorted(filter(None, values), key=natural)}
            case _:
                view_file, comparison = tables.view_file.c, tables.comparison.c
                families = (
                    sa.select(view_file.family)
                    .join_from(
                        tables.comparison,
                        tables.view_file,
                        sa.or_(
                            view_file.view_id == comparison.view_a, view_file.view_id == comparison.view_b
                        ),
                    )
                    .where(comparison.id.in_(sa.select(c.comparison_id)))
                    .distinct()
                )
                return {
                    name: name.replace("_", " ") for name in sorted(connection.execute(families).scalars())
                }


def _of_tasks(connection: Connection, asked: ResultFilter, by: By) -> dict[str, str]:
    c, task = counted(asked).c, tables.task.c
    query = sa.select(task.id, task.title, task.key, task.tags).where(task.id.in_(sa.select(c.task_id)))
    rows: list[Any] = list(connection.execute(query))
    if by is By.TASK:
        return {row.id: row.title or row.key for row in rows}
    seen: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        for value in row.tags if by is By.TAG else words_of(row.title):
            seen[value].add(row.id)
    # A word of one task alone is that task.
    least = 1 if by is By.TAG else 2
    return {value: value for value in sorted(seen, key=natural) if len(seen[value]) >= least}


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


def words_of(title: str) -> set[str]:
    """The words of a title that say what it is about, in small letters: no numbers, signs and function words.

    >>> sorted(words_of("Network 7: what of the h100 pool — and storage?"))
    ['h100', 'network', 'pool', 'storage?']
    """
    found = title.lower()
    for sign in "-_.,:;/()":
        found = found.replace(sign, " ")
    return {
        word
        for word in found.split()
        if len(word) >= SHORTEST and any(letter.isalpha() for letter in word) and word not in FUNCTION_WORDS
    }


def _length(name: str) -> str:
    least, below = LENGTHS[name]
    if below is None:
        return f"{least:,} characters and more"
    return f"{least:,} to {below:,} characters" if least else f"under {below:,} characters"


def name_of_part(database: Database, part: Within, *, project_id: str) -> str:
    """What a part of a project is called."""
    task, person = tables.task.c, tables.person.c
    with database.read() as connection:
        match part.by:
            case By.TASK:
                query = sa.select(task.title).where(task.id == part.value)
            case By.REVIEWER:
                query = sa.select(person.name).where(person.id == part.value)
            case By.LENGTH:
                return _length(part.value)
            case By.CHECK:
                return _found(connection, part.value)
            case By.CRITERION:
                return called(part.value, criterion_names(connection, project_id).get(part.value))
            case _:
                return part.value
        return connection.execute(query).scalar() or part.value
