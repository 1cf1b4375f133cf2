"""Decide between two candidates by the plan that was fixed before the reveal."""

from __future__ import annotations

from contextlib import closing

from comparator.api.opened import project_named
from comparator.bootstrap import load_settings
from comparator.domain.errors import InputError
from comparator.reporting.results.candidates import ProjectState, project_state
from comparator.reporting.results.decision import Advice, Excluded, advice, excluded
from comparator.reporting.tally import refresh
from comparator.reporting.tally.scope import Meets, ResultFilter, Runs, Verdicts
from comparator.settings import Settings
from comparator.store.core.database import Database

ALL = "all"
"""Every iteration that both candidates have."""
MOST_NAMED = 5
"""Pairs of candidates that a refusal names."""


class Decision(Advice):
    """What to do, and which pairs of the two are not counted."""

    excluded: tuple[Excluded, ...]


def decide(
    candidate: str,
    baseline: str,
    *,
    project: str = "",
    iteration: str = "",
    verdicts: str = Verdicts.REVIEWED,
    all_runs: bool = False,
    count_offline: bool = False,
    settings: Settings | None = None,
) -> Decision:
    """Adopt the candidate, keep the baseline, or cannot tell yet (`Decision.decision.outcome`), and the figures.

    Both are named as the dashboards name them after the reveal, or without their iteration: then `iteration` chooses
    one, or "all"; without it, it is the newest that both have. `verdicts` is "reviewed" (people only), "judge" or
    "either". `project` may be left out where there is one. Raises InputError where the two did not meet in revealed
    pairs.
    """
    with closing(Database.open((settings or load_settings()).database)) as database:
        database.check()
        asked = result_filter(
            database,
            candidate,
            baseline,
            project_id=project_named(database, project),
            verdicts=Verdicts(verdicts),
            iteration=iteration,
        )
        runs = Runs.ALL if all_runs else Runs.VALID
        asked = asked.model_copy(update={"runs": runs, "offline": count_offline})
        found = advice(database, asked)
        return Decision(**dict(found), excluded=excluded(database, asked, found.result))


def result_filter(
    database: Database,
    candidate: str,
    baseline: str,
    *,
    project_id: str,
    verdicts: Verdicts,
    iteration: str = "",
) -> ResultFilter:
    """The question for the candidate against the baseline, by name, its figures up to date. Raises InputError."""
    refresh.bring_up(database)
    (one, two), *also = _met(project_state(database, project_id), candidate, baseline, iteration)
    return ResultFilter(project_id=project_id, one=one, two=two, also=tuple(also), verdicts=verdicts)


def _met(state: ProjectState, candidate: str, baseline: str, iteration: str) -> list[Meets]:
    """The revealed candidates of these names, seen from the candidate, newest iteration first. Raises InputError."""
    met: list[tuple[int, Meets]] = []
    for each in state.revealed_meetings:
        called = {each.one_name: each.one, each.two_name: each.two}
        if candidate != baseline and candidate in called and baseline in called:
            return [Meets(called[candidate], called[baseline])]
        met.extend(
            (number_in(each.iteration), Meets(called[first], called[second]))
            for first, second in ((each.one_name, each.two_name), (each.two_name, each.one_name))
            if each.iteration is not None and (_bare(first), _bare(second)) == (candidate, baseline)
        )
    met.sort(key=lambda pair: -pair[0])
    if iteration and iteration != ALL:
        met = [pair for pair in met if pair[0] == number_in(iteration)]
    if not met:
        raise InputError(_not_met(state, candidate, baseline, iteration))
    newest = met if iteration == ALL else [pair for pair in met if pair[0] == met[0][0]]
    if iteration != ALL and len(newest) > 1:
        raise InputError(
            f"{candidate} and {baseline} met in several workspaces of iteration {met[0][0]}. "
            f"Name one with its workspace: {_some(state)}."
        )
    return [meets for _, meets in newest]


def _bare(name: str) -> str:
    """A candidate's name without what tells it from others of that name.

    >>> _bare("with_skill (31)")
    'with_skill'
    """
    return name.partition(" (")[0]


def number_in(iteration: str) -> int:
    """The number of an iteration; 0 without one.

    >>> number_in("iteration-31")
    31
    """
    digits = "".join(each for each in iteration if each.isdecimal())
    return int(digits) if digits else 0


def _not_met(state: ProjectState, candidate: str, baseline: str, iteration: str) -> str:
    if not state.revealed_meetings:
        return (
            f"{candidate!r} and {baseline!r} did not meet in revealed pairs: nothing of this project is revealed yet. "
            "`comparator reveal PROJECT` or a lead on the dashboards reveals it."
        )
    where = f" in iteration {iteration}" if iteration and iteration != ALL else ""
    return (
        f"{candidate!r} and {baseline!r} did not meet in revealed pairs{where}. These did: {_some(state)}. Write a "
        f"name as it stands here, or without its iteration and add --iteration NUMBER or --iteration {ALL}."
    )


def _some(state: ProjectState) -> str:
    met = state.revealed_meetings
    named = "; ".join(f"{each.one_name} and {each.two_name}" for each in met[:MOST_NAMED])
    return f"{named} and {len(met) - MOST_NAMED} more pairs" if len(met) > MOST_NAMED else named
