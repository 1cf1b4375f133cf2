"""The facts of a project as one pandas frame, a row a comparison: every figure of the dashboards is read from it.

A process keeps frames until the project's revision changes. Stored facts know A and B only; which candidate made which
is joined for revealed pairs.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
import pandas as pd
import sqlalchemy as sa

from comparator.domain.answers import Answers
from comparator.domain.counted import natural
from comparator.domain.errors import BlindnessError
from comparator.outputs.view.built import Measures
from comparator.reporting.frames import (
    MEASURES,
    Frame,
    frame_of,
    read_json,
    read_pairs,
    read_reviews,
    read_runs,
    tries_query,
)
from comparator.reporting.scope import LENGTHS, By, Rated, ResultFilter, Runs, Within
from comparator.stats.paired import Sums, win_rate
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.judging.rubrics import criterion_names
from comparator.store.pairs.runs import Candidate, candidates
from comparator.store.reviewing import reviews
from comparator.store.reviewing.notes import NoteKind

P = ParamSpec("P")
T = TypeVar("T")


class Facts:
    """The facts of a project, and a connection for what stands beside them.

    `pairs` has a row a comparison, by its id. Scores are in tenths, pass rates in hundredths; `one` is the smaller of
    the two candidates' ids, and `points` (2 won, 1 tied, 0 lost) and differences are seen from it. `side` is 1 where A
    is its output, -1 where B is; it says nothing where a pair is not revealed.
    """

    def __init__(
        self, connection: Connection, project_id: str, *, revision: int = 0, answers: Answers | None = None
    ) -> None:
        self.connection, self.project_id = connection, project_id
        self._revision, self._answers = revision, answers or Answers()
        self.pairs: Frame = self.kept("pairs", lambda: read_pairs(connection, project_id))

    def kept(self, what: str, read: Callable[[], T]) -> T:
        """What `read` gives, or gave before at this revision; it may depend on what raises the revision only."""
        key = f"{self.project_id} {what}"
        answer: T | None = self._answers.get(key, self._revision)
        if answer is None:
            answer = read()
            # Outside a snapshot something may have changed in between.
            if _revision(self.connection, self.project_id) == self._revision:
                self._answers.keep(key, answer, self._revision, size=_bytes(answer))
        return answer

    def counted(self, result_filter: ResultFilter, *, every_kind: bool = False) -> Frame:
        """The pairs of a result that have a verdict, seen from candidate one; with `every_kind`, verdicts of all kinds.

        Raises BlindnessError where no pair of the two is revealed: who may review must not see results.
        """
        pairs = self.revealed(result_filter)
        wanted = pairs.points.notna()
        if result_filter.runs is Runs.VALID:
            wanted &= pairs.valid
        if not every_kind:
            wanted &= pairs.kind.isin(result_filter.kinds)
        return self.within(pairs[wanted], result_filter.within)

    def revealed(self, result_filter: ResultFilter) -> Frame:
        """All revealed pairs of the two, seen from candidate one, whatever part is asked for. Raises BlindnessError."""
        pairs = self.of_two(result_filter)
        pairs = pairs[pairs.revealed]
        if pairs.empty:
            raise BlindnessError(
                "The comparisons of these two candidates are not revealed yet. Their result appears here after the "
                "reveal."
            )
        turned = pairs.both.isin([met.both for met in result_filter.meetings if met.one > met.two])
        if not turned.any():
            return pairs
        sign = np.where(turned, -1, 1)
        frame = pairs.copy()
        frame["side"] = pairs.side * sign
        for name in ("points", "judge_points"):
            frame[name] = np.where(turned, 2 - pairs[name], pairs[name])
        for name in MEASURES:
            frame[name] = pairs[name] * sign
        for name in ("overall", "passed"):
            frame[f"{name}_one"] = pairs[f"{name}_one"].where(~turned, pairs[f"{name}_two"])
            frame[f"{name}_two"] = pairs[f"{name}_two"].where(~turned, pairs[f"{name}_one"])
        return frame

    def of_two(self, result_filter: ResultFilter) -> Frame:
        """All pairs of the two, revealed or not."""
        return self.pairs[self.pairs.both.isin([met.both for met in result_filter.meetings])]

    def within(self, pairs: Frame, parts: Sequence[Within]) -> Frame:
        """Those of the pairs that are in all of these parts."""
        for part in parts:
            pairs = pairs[self.mask(pairs, part)]
        return pairs

    def mask(self, pairs: Frame, part: Within) -> Frame:
        """Which of the pairs are in the part. Raises KeyError for a length that has no name in LENGTHS."""
        value = part.value
        match part.by:
            case By.TASK:
                return pairs.task_id == value
            case By.TAG | By.TOPIC:
                return pairs.task_id.isin([row.id for row in self.tasks.values() if _is_of(row, part)])
            case By.ITERATION | By.MODEL:
                ids = [id for id, one in self.candidates.items() if getattr(one, part.by.value) == value]
                return pairs.one.isin(ids) | pairs.two.isin(ids)
            case By.SINCE:
                first = natural(value)
                ids = [id for id, one in self.candidates.items() if natural(one.iteration or "") >= first]
                return pairs.one.isin(ids) | pairs.two.isin(ids)
            case By.REVIEWER:
                review = tables.review.c
                theirs = final_reviews().where(review.person_id == value)
                ids = self.connection.execute(theirs.with_only_columns(review.comparison_id)).scalars()
                return pairs.index.to_series().isin(list(ids))
            case By.FILES:
                return pairs.comparison_id.isin(self.families.index[self.families == value])
            case By.LENGTH:
                least, below = LENGTHS[value]
                longest = pairs[["characters_a", "characters_b"]].max(axis=1)
                return (longest >= least) & (longest < (np.inf if below is None else below))

    def read(self, column: str, pairs: Frame) -> Frame:
        """The values of a column of JSON of these pairs, by their ids; pairs without one are left out."""
        texts = self.kept(column, lambda: read_json(self.connection, self.project_id, column))
        return texts.reindex(pairs.index).dropna().map(json.loads)

    @cached_property
    def candidates(self) -> Mapping[str, Candidate]:
        """The project's candidates by id, revealed or not."""
        return {candidate.id: candidate for candidate in candidates(self.connection, self.project_id)}

    @cached_property
    def tasks(self) -> Mapping[str, Any]:
        """The project's tasks by id: key, title, tags and topic."""
        task = tables.task.c
        query = sa.select(task.id, task.key, task.title, task.tags, task.topic)
        rows = self.connection.execute(query.where(task.project_id == self.project_id))
        return {row.id: row for row in rows}

    @cached_property
    def expectations(self) -> Mapping[str, Sequence[str]]:
        """The expectations of each task version."""
        task_version = tables.task_version.c
        query = (
            sa.select(task_version.id, task_version.expectations)
            .join(tables.task, tables.task.c.id == task_version.task_id)
            .where(tables.task.c.project_id == self.project_id)
        )
        return {row.id: row.expectations for row in self.connection.execute(query)}

    @cached_property
    def families(self) -> Frame:
        """The families of files in both outputs of a pair, each once, under its comparison's id."""
        view_file, comparison = tables.view_file.c, tables.comparison.c
        sides = (
            sa.select(comparison.id, view_file.family)
            .join_from(tables.comparison, tables.view_file, view_file.view_id == side)
            .where(comparison.project_id == self.project_id)
            for side in (comparison.view_a, comparison.view_b)
        )
        both = sa.union(*sides).subquery()
        return frame_of(self.connection, sa.select(both).order_by(both.c.family)).set_index("id").family

    @cached_property
    def families_by_pair(self) -> Mapping[str, list[str]]:
        """The same, by the ids of comparisons."""
        by_pair: dict[str, list[str]] = self.families.groupby(level=0).agg(list).to_dict()
        return by_pair

    def criterion(self, path: str) -> str:
        """What the rubrics call a criterion, else its key, with its dimension."""
        dimension, _, key = path.partition(".")
        return f"{self._criteria.get(path) or key.replace('_', ' ').capitalize()} ({dimension})"

    @cached_property
    def _criteria(self) -> Mapping[str, str]:
        return criterion_names(self.connection, self.project_id)

    @property
    def reviews(self) -> Frame:
        """The final reviews: what `store/facts/review_facts.py` says of each, with its comparison's id."""
        return self.kept("reviews", lambda: read_reviews(self.read("reviews", self.pairs)))

    @property
    def labels(self) -> Frame:
        """The labels that name a winner, oldest first: comparison, kind, winner and what came with it."""
        label, comparison = tables.label.c, tables.comparison.c
        query = (
            sa.select(label.comparison_id, label.kind, label.winner, label.value, label.author)
            .join(tables.comparison, comparison.id == label.comparison_id)
            .where(comparison.project_id == self.project_id, label.winner.is_not(None))
            .order_by(label.at, label.id)
        )
        return self.kept("labels", lambda: frame_of(self.connection, query))

    @property
    def guesses(self) -> Frame:
        """What reviewers of revealed pairs guessed of A: the neutral number of a candidate, and the right one."""
        note, comparison, ab_key = tables.note.c, tables.comparison.c, tables.ab_key.c
        query = (
            sa.select(
                note.comparison_id,
                note.content.label("guess"),
                tables.candidate.c.neutral_number.label("number_a"),
            )
            .join(tables.comparison, comparison.id == note.comparison_id)
            .join(tables.ab_key, ab_key.comparison_id == note.comparison_id)
            .join(tables.run, tables.run.c.id == ab_key.run_a)
            .join(tables.candidate, tables.candidate.c.id == tables.run.c.candidate_id)
            .where(
                comparison.project_id == self.project_id,
                comparison.reveal_id.is_not(None),
                note.kind == NoteKind.GUESS.value,
            )
        )

        def read() -> Frame:
            lines: Frame = frame_of(self.connection, query)
            return lines.assign(guess=lines.guess.map(lambda said: said.get("candidate_a")))

        return self.kept("guesses", read)

    @property
    def tries(self) -> Frame:
        """What each version of a judge took for each comparison; `cost` in the smallest units."""
        return self.kept("tries", lambda: frame_of(self.connection, tries_query(self.project_id)))

    @property
    def measures(self) -> Frame:
        """What was counted in each output, by its view; purged ones are left out."""
        view, source, snapshot = tables.view.c, tables.view_source.c, tables.snapshot.c
        query = (
            sa.select(view.id, view.measures)
            .join(tables.view_source, source.view_id == view.id)
            .join(tables.snapshot, snapshot.id == source.snapshot_id)
            .where(snapshot.project_id == self.project_id, view.measures.is_not(None))
        )

        def read() -> Frame:
            known = {row.id: row.measures for row in self.connection.execute(query)}
            return pd.DataFrame.from_dict(known, orient="index", columns=[*Measures.model_fields])

        return self.kept("measures", read)

    @property
    def runs(self) -> Frame:
        """Each run of a candidate by its id, with what it took: tokens, tenths of seconds, millionths of money, and the
        share of imported graders' expectations that it meets in hundredths."""
        return self.kept("runs", lambda: read_runs(self.connection, self.project_id))


@contextmanager
def facts_of(database: Database, project_id: str) -> Iterator[Facts]:
    """The facts of a project as of now, or within `one_moment` as of then."""
    with database.read() as connection:
        revision = _revision(connection, project_id)
        yield Facts(connection, project_id, revision=revision, answers=database.answers)


def kept(
    read: Callable[Concatenate[Database, ResultFilter, P], T],
) -> Callable[Concatenate[Database, ResultFilter, P], T]:
    """Keeps what this gives between clicks, for as long as nothing of the project changes."""

    @wraps(read)
    def keeping(database: Database, result_filter: ResultFilter, /, *more: P.args, **named: P.kwargs) -> T:
        with facts_of(database, result_filter.project_id) as facts:
            return facts.kept(
                f"{read.__name__} {result_filter!r} {more!r} {named!r}",
                lambda: read(database, result_filter, *more, **named),
            )

    return keeping


def _bytes(value: Any) -> int:
    """About how much memory it takes."""
    if isinstance(value, tuple | list):
        return sum(map(_bytes, value))
    if isinstance(value, pd.DataFrame | pd.Series):
        return int(np.sum(value.memory_usage(deep=True)))
    return len(repr(value))


def sums(values: Frame, tasks: Frame) -> Sums:
    """The sums of these whole numbers over their tasks, for a mean and its interval; what is not known is left out."""
    known = values.notna().to_numpy()
    by_task = values[known].groupby(tasks.to_numpy()[known])
    n, s = by_task.count().to_numpy(), by_task.sum().to_numpy().round().astype("int64")
    parts = (n.sum(), s.sum(), (s * s).sum(), (s * n).sum(), (n * n).sum())
    return Sums(len(n), *(int(part) for part in parts))


def rated(points: Frame, tasks: Frame) -> Rated:
    """How these pairs ended, by points, with the win rate; `tasks` are those of the same pairs."""
    outcomes, summed = count_outcomes(points), sums(points, tasks)
    return Rated(**outcomes, tasks=summed.tasks, rate=win_rate(summed, tied=outcomes["tied"]))


def count_outcomes(points: Frame) -> dict[str, int]:
    """How many of these pairs were `won`, `tied` and `lost`."""
    return {name: int((points == value).sum()) for name, value in (("won", 2), ("tied", 1), ("lost", 0))}


def final_reviews() -> sa.Select[tuple[str, str]]:
    """The pair and the person of each review that is final and was not reopened."""
    review, finalisation = tables.review.c, tables.finalisation.c
    return (
        sa.select(review.comparison_id, review.person_id)
        .join_from(tables.review, tables.finalisation, finalisation.review_id == review.id)
        .where(reviews.not_reopened())
    )


def _is_of(task: Any, part: Within) -> bool:
    return part.value in task.tags if part.by is By.TAG else bool(task.topic == part.value)


def _revision(connection: Connection, project_id: str) -> int:
    project = tables.project.c
    return connection.execute(sa.select(project.revision).where(project.id == project_id)).scalar() or 0
