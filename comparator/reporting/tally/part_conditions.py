"""Parts of the pairs by what their task, outputs or reviewers are, as conditions on a row of `outcome`."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import StrEnum

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import like
from comparator.store.reviewing import finalisations


class By(StrEnum):
    """What a part is told by."""

    TAG = "tag"
    TOPIC = "topic"
    """The words that group the task with others; see `reporting/why/topics.py`."""
    WORD = "word"
    """A word of the task's title."""
    TASK = "task"
    """The task's id."""
    FILES = "files"
    """A kind of file among both outputs."""
    LENGTH = "length"
    """How long the longer output is: a name in LENGTHS."""
    ITERATION = "iteration"
    MODEL = "model"
    REVIEWER = "reviewer"
    """The id of a person with a final review."""
    CRITERION = "criterion"
    """The path of a criterion that both were scored by."""
    EXPECTATION = "expectation"
    """The wording of an expectation that the task has."""
    CHECK = "check"
    """What a check of the project found: its id, a colon, and `both`, `neither`, or `only:` and a candidate's id."""


class Within(Frozen):
    """One part."""

    by: By
    value: str


LENGTHS = {
    "short": (0, 1_000),
    "medium": (1_000, 5_000),
    "long": (5_000, 25_000),
    "very long": (25_000, None),
}
"""Characters of the longer output: at least the first, less than the second."""


BOTH, NEITHER, ONLY = "both", "neither", "only:"
"""Where a check found something."""


def condition(part: Within) -> sa.ColumnElement[bool]:
    """That a row of `outcome` is in the part. Raises KeyError for a length that has no name in LENGTHS."""
    outcome, task, candidate = tables.outcome.c, tables.task.c, tables.candidate.c
    match part.by:
        case By.TASK:
            return outcome.task_id == part.value
        case By.TAG:
            tag = like(json.dumps(part.value, ensure_ascii=False))
            return outcome.task_id.in_(
                sa.select(task.id).where(sa.cast(task.tags, sa.Text).like(tag, escape="\\"))
            )
        case By.TOPIC:
            return outcome.task_id.in_(sa.select(task.id).where(task.topic == part.value))
        case By.WORD:
            return outcome.task_id.in_(
                sa.select(task.id).where(
                    _words(task.title).like(like(f" {part.value.lower()} "), escape="\\")
                )
            )
        case By.ITERATION | By.MODEL:
            column = candidate.iteration if part.by is By.ITERATION else candidate.model
            made = sa.select(candidate.id).where(column == part.value)
            return sa.or_(outcome.one.in_(made), outcome.two.in_(made))
        case By.REVIEWER:
            theirs = final_reviews().where(tables.review.c.person_id == part.value)
            return outcome.comparison_id.in_(theirs.with_only_columns(tables.review.c.comparison_id))
        case By.FILES:
            view_file = tables.view_file.c
            return _with_views(
                lambda view: sa.exists().where(view_file.view_id == view, view_file.family == part.value)
            )
        case By.LENGTH:
            least, below = LENGTHS[part.value]
            longest = _longest()
            return sa.and_(longest >= least, *([longest < below] if below is not None else ()))
        case By.CRITERION:
            path = like(f"{json.dumps(part.value)}:")
            return sa.type_coerce(outcome.criteria, sa.Text).like(path, escape="\\")
        case By.EXPECTATION:
            task_version = tables.task_version.c
            stated = like(json.dumps(part.value, ensure_ascii=False))
            versions = sa.select(task_version.id).where(
                sa.cast(task_version.expectations, sa.Text).like(stated, escape="\\")
            )
            return outcome.version_id.in_(versions)
        case By.CHECK:
            return _checked(part.value)


def final_reviews() -> sa.Select[tuple[str, str]]:
    """The pair and the person of each review that is final and was not reopened."""
    review, finalisation = tables.review.c, tables.finalisation.c
    return (
        sa.select(review.comparison_id, review.person_id)
        .join_from(tables.review, tables.finalisation, finalisation.review_id == review.id)
        .where(finalisations.not_reopened())
    )


def _checked(value: str) -> sa.ColumnElement[bool]:
    """That a check found something in both outputs, in none, or only in those of a candidate, in any iteration."""
    check_id, _, which = value.partition(":")
    outcome, check_count, candidate = tables.outcome.c, tables.check_count.c, tables.candidate.c

    def found(view: sa.ColumnElement[str], *, some: bool) -> sa.ColumnElement[bool]:
        matches = check_count.found > 0 if some else check_count.found == 0
        return view.in_(sa.select(check_count.view_id).where(check_count.check_id == check_id, matches))

    if which in (BOTH, NEITHER):
        some = which == BOTH
        return sa.and_(found(outcome.view_one, some=some), found(outcome.view_two, some=some))
    # Of this name: the same candidate in other iterations has an id of its own.
    name = sa.select(candidate.name).where(candidate.id == which.removeprefix(ONLY)).scalar_subquery()
    named = sa.select(candidate.id).where(candidate.name == name)
    return sa.or_(
        *(
            sa.and_(made.in_(named), found(own, some=True), found(other, some=False))
            for made, own, other in (
                (outcome.one, outcome.view_one, outcome.view_two),
                (outcome.two, outcome.view_two, outcome.view_one),
            )
        )
    )


def _words(column: sa.ColumnElement[str]) -> sa.ColumnElement[str]:
    """A title in small letters with a space at both ends and in place of what parts words."""
    found: sa.ColumnElement[str] = sa.func.lower(column)
    for sign in "-_.,:;/()":
        found = sa.func.replace(found, sign, " ")
    return sa.literal(" ").concat(found).concat(" ")


def _with_views(holds: Callable[[sa.ColumnElement[str]], sa.ColumnElement[bool]]) -> sa.ColumnElement[bool]:
    comparison = tables.comparison.c
    return tables.outcome.c.comparison_id.in_(
        sa.select(comparison.id).where(sa.or_(holds(comparison.view_a), holds(comparison.view_b)))
    )


def _longest() -> sa.ColumnElement[int]:
    comparison, view = tables.comparison.c, tables.view.c
    return (
        sa.select(sa.func.max(view.characters))
        .where(
            comparison.id == tables.outcome.c.comparison_id,
            sa.or_(view.id == comparison.view_a, view.id == comparison.view_b),
        )
        .select_from(sa.join(tables.comparison, tables.view, sa.true()))
        .correlate(tables.outcome)
        .scalar_subquery()
    )
