"""Where the result differs: the parts of a result by one property at a time, each against the rest."""

from collections import Counter, defaultdict

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa

from comparator.domain.counted import natural
from comparator.domain.labels import Frozen
from comparator.reporting.facts import Facts, facts_of, kept
from comparator.reporting.frames import Frame
from comparator.reporting.scope import LENGTHS, By, Rated, ResultFilter, Within
from comparator.stats.differences import ByTask, Ended, benjamini_hochberg, chance, total
from comparator.stats.grouping import group
from comparator.stats.intervals import Evidence, TooFew, evidence
from comparator.stats.paired import Sums, win_rate
from comparator.store import tables
from comparator.store.core.database import Database

MOST = 60
"""So many parts of one property are looked at, those with most pairs."""


class SlicePart(Rated):
    """One part: who won its pairs, and how it stands to the rest."""

    part: Within
    name: str
    difference: float
    """Its share of points minus that of the rest, -1 to 1."""
    p: float | None
    """The chance of such a difference to the rest if there were none; None with too few tasks."""
    stands_out: bool
    """Whether that is more than chance, with all parts that were looked at in mind (Benjamini and Hochberg)."""
    turned: bool
    """Whether it is won by the one that loses overall; of many iterations one is by chance, and none is told of."""

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
    share: float
    """Candidate one's share of points in all counted pairs, 0 to 1."""
    left_out: int
    """Parts that were not looked at, because there are so many."""


@kept
def slices(database: Database, result_filter: ResultFilter, by: By) -> Parts:
    """The parts of the counted pairs by this property, under all filters but its own. Raises BlindnessError."""
    result_filter = result_filter.without(by)
    if by is By.TOPIC:
        find_topics(database, result_filter.project_id)
    with facts_of(database, result_filter.project_id) as facts:
        return _parts(facts, facts.counted(result_filter), result_filter, by)


@kept
def comparable(database: Database, result_filter: ResultFilter) -> list[By]:
    """The properties by which counted pairs differ; topics that part the tasks as tags do are left out."""
    find_topics(database, result_filter.project_id)
    with facts_of(database, result_filter.project_id) as facts:
        differ = [by for by in By if _differ(facts, result_filter.without(by), by)]
        tasks = [facts.tasks[id] for id in facts.counted(result_filter).task_id.unique()]
    topics, tags = {row.topic for row in tasks}, {tuple(row.tags) for row in tasks}
    alike = len(topics) == len(tags) == len({(row.topic, *row.tags) for row in tasks})
    return [by for by in differ if by is not By.TOPIC or not alike]


def _differ(facts: Facts, result_filter: ResultFilter, by: By) -> bool:
    pairs = facts.counted(result_filter)
    parts = (Within(by=by, value=value) for value in _values(facts, pairs, result_filter, by))
    return any(0 < facts.mask(pairs, part).sum() < len(pairs) for part in parts)


def models_apart(database: Database, result_filter: ResultFilter) -> bool:
    """Whether no iteration has two models, so that models cannot be told apart from what else iterations changed."""
    with facts_of(database, result_filter.project_id) as facts:
        every = (facts.candidates[id] for met in result_filter.meetings for id in met)
        models = {(candidate.iteration, candidate.model) for candidate in every if candidate.model}
    return len(models) == len({iteration for iteration, _ in models})


def _parts(facts: Facts, pairs: Frame, result_filter: ResultFilter, by: By) -> Parts:
    runs = _Runs(pairs)
    whole = runs.outcomes(pairs.points)
    rows = [
        (part, name_of_part(facts, part), runs.outcomes(pairs.points[facts.mask(pairs, part)]))
        for part in (Within(by=by, value=value) for value in _values(facts, pairs, result_filter, by))
    ]
    every = _all(whole)
    rows = sorted(
        ((part, name, own) for part, name, own in rows if 0 < _all(own).n < every.n),
        key=lambda row: -_all(row[2]).n,
    )
    looked = rows[:MOST]
    chances = [chance(runs.by_task(own), runs.by_task(whole - own)) for _, _, own in looked]
    tested = [p for p in chances if p is not None]
    named_out = iter(benjamini_hochberg(tested))
    clear = [p is not None and next(named_out) for p in chances]
    share = every.share if every.n else 0.0
    parts = [
        _part(part, name, runs.by_task(own), every, share, p, stands_out)
        for (part, name, own), p, stands_out in zip(looked, chances, clear, strict=True)
    ]
    if by is By.ITERATION:
        parts.sort(key=lambda part: natural(part.name))
    else:
        parts.sort(key=lambda part: (isinstance(part.rate, TooFew), part.difference, natural(part.name)))
    return Parts(
        by=by,
        parts=tuple(parts),
        share=share,
        left_out=len(rows) - len(looked),
    )


def _part(
    part: Within, name: str, own: ByTask, every: Ended, share: float, p: float | None, stands_out: bool
) -> SlicePart:
    tasks = [total(outcomes) for outcomes in own.values()]
    here = total(tasks)
    rest = every.without(here)
    return SlicePart(
        part=part,
        name=name,
        won=here.won,
        tied=here.tied,
        lost=here.lost,
        tasks=len(tasks),
        rate=win_rate(Sums.added((task.n, 2 * task.won + task.tied) for task in tasks), tied=here.tied),
        difference=here.share - (rest.share if rest.n else here.share),
        p=p,
        stands_out=stands_out,
        turned=part.by is not By.ITERATION and (here.share - 0.5) * (share - 0.5) < 0,
    )


Ends = npt.NDArray[np.intp]
"""A row for each run, in order, with how many of its pairs were won, tied and lost."""


class _Runs:
    """The runs of each task, and of each two candidates, of which the pairs stand together."""

    def __init__(self, pairs: Frame) -> None:
        grouped = pairs.groupby(["task_id", "both"])
        self.place = grouped.ngroup()
        self.tasks = grouped.size().index.get_level_values(0)

    def outcomes(self, points: Frame) -> Ends:
        """How the pairs of each run ended, by points under their ids."""
        places = self.place[points.index].to_numpy()
        return np.stack(
            [np.bincount(places[points == value], minlength=len(self.tasks)) for value in (2, 1, 0)], axis=1
        )

    def by_task(self, ends: Ends) -> dict[str, list[Ended]]:
        """Of each task its runs, without those that have no pair."""
        runs: defaultdict[str, list[Ended]] = defaultdict(list)
        for place in np.flatnonzero(ends.any(axis=1)):
            runs[self.tasks[place]].append(Ended(*ends[place].tolist()))
        return runs


def _all(ends: Ends) -> Ended:
    return Ended(*ends.sum(axis=0).tolist())


def _values(facts: Facts, pairs: Frame, result_filter: ResultFilter, by: By) -> list[str]:
    """The values of this property that occur among the counted pairs."""
    tasks = [facts.tasks[id] for id in pairs.task_id.unique()]
    match by:
        case By.LENGTH:
            return list(LENGTHS)
        case By.REVIEWER:
            return list(facts.reviews.person[facts.reviews.comparison_id.isin(pairs.index)].unique())
        case By.TASK:
            return [row.id for row in tasks]
        case By.TOPIC:
            return sorted({row.topic for row in tasks if row.topic})
        case By.TAG:
            return sorted({tag for row in tasks for tag in row.tags})
        case By.ITERATION | By.MODEL:
            every = (facts.candidates[id] for met in result_filter.meetings for id in met)
            values = {getattr(candidate, by.value) for candidate in every}
            return sorted(filter(None, values), key=natural)
        case By.SINCE:
            return []
        case _:
            return sorted(facts.families[facts.families.index.isin(pairs.index)].unique())


def name_of_part(facts: Facts, part: Within) -> str:
    """What a part of the project is called."""
    value, of = part.value, tables.person.c.name
    match part.by:
        case By.TASK if value in facts.tasks:
            return str(facts.tasks[value].title or facts.tasks[value].key)
        case By.LENGTH:
            least, below = LENGTHS[value]
            if below is None:
                return f"{least:,} characters and more"
            return f"{least:,} to {below:,} characters" if least else f"under {below:,} characters"
        case By.FILES:
            return value.replace("_", " ")
        case By.REVIEWER:
            return (
                facts.connection.execute(sa.select(of).where(tables.person.c.id == value)).scalar() or value
            )
        case _:
            return value


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
        clusters = group([f"{row.title} {row.prompt or ''}" for row in read], groups=groups)
        shared = Counter(word for cluster in clusters for word in cluster.words)
        for cluster in clusters:
            own = [word for word in cluster.words if shared[word] == 1]
            for place in cluster.members:
                topics[read[place].id] = ", ".join(own or cluster.words)
    with database.write() as connection:
        connection.execute(
            tables.task.update().where(task.id == sa.bindparam("task")).values(topic=sa.bindparam("words")),
            [{"task": id, "words": words} for id, words in topics.items()],
        )
