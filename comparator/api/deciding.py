"""Decide between two candidates by the plan that was fixed before the reveal."""

from __future__ import annotations

from contextlib import closing

from comparator.api.opened import project_named
from comparator.bootstrap import load_settings
from comparator.domain.errors import InputError
from comparator.reporting.results.candidates import ProjectState, project_state
from comparator.reporting.results.decision import Advice, Excluded, advice, excluded
from comparator.reporting.tally import refresh
from comparator.reporting.tally.scope import ResultFilter, Runs, Verdicts
from comparator.settings import Settings
from comparator.store.core.database import Database


class Decision(Advice):
    """What to do, and which pairs of the two are not counted."""

    excluded: tuple[Excluded, ...]


def decide(
    candidate: str,
    baseline: str,
    *,
    project: str = "",
    verdicts: str = Verdicts.REVIEWED,
    all_runs: bool = False,
    count_offline: bool = False,
    settings: Settings | None = None,
) -> Decision:
    """Adopt the candidate, keep the baseline, or cannot tell yet (`Decision.decision.outcome`), and the figures.

    Both are named as the dashboards name them after the reveal. `verdicts` is "reviewed" (people only), "judge" or
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
        )
        runs = Runs.ALL if all_runs else Runs.VALID
        asked = asked.model_copy(update={"runs": runs, "offline": count_offline})
        found = advice(database, asked)
        return Decision(**dict(found), excluded=excluded(database, asked, found.result))


def result_filter(
    database: Database, candidate: str, baseline: str, *, project_id: str, verdicts: Verdicts
) -> ResultFilter:
    """The question for the candidate against the baseline, by name, its figures up to date. Raises InputError."""
    refresh.bring_up(database)
    one, two = _ids(project_state(database, project_id), candidate, baseline)
    return ResultFilter(project_id=project_id, one=one, two=two, verdicts=verdicts)


def _ids(state: ProjectState, candidate: str, baseline: str) -> tuple[str, str]:
    """The ids of the two in the meeting in which they are called so. Raises InputError."""
    for met in state.revealed_meetings:
        called = {met.one_name: met.one, met.two_name: met.two}
        if candidate in called and baseline in called and candidate != baseline:
            return called[candidate], called[baseline]
    known = "; ".join(f"{met.one_name} and {met.two_name}" for met in state.revealed_meetings)
    raise InputError(
        f"{candidate!r} and {baseline!r} did not meet in revealed pairs. "
        + (
            f"There are: {known}."
            if known
            else "Nothing of this project is revealed yet: a lead reveals it on the dashboards."
        )
    )
