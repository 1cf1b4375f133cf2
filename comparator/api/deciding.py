"""What the plan that was fixed before the reveal makes of two candidates."""

from __future__ import annotations

from contextlib import closing

from comparator.api.opened import project_named
from comparator.domain.errors import InputError
from comparator.reporting.results.candidates import ProjectState, project_state
from comparator.reporting.results.decision import Advice, advice
from comparator.reporting.tally import keeping
from comparator.reporting.tally.scope import ResultFilter, Runs, Verdicts
from comparator.settings import Settings
from comparator.store.core.database import Database


def decide(
    candidate: str,
    baseline: str,
    *,
    project: str = "",
    verdicts: str = Verdicts.REVIEWED,
    all_runs: bool = False,
    count_offline: bool = False,
    settings: Settings | None = None,
) -> Advice:
    """Adopt the candidate, keep the baseline, or cannot tell yet (`Advice.decision.outcome`), and the figures.

    Both are named as the dashboards name them after the reveal. `verdicts` is "reviewed" (people only), "judge" or
    "either". `project` may be left out where there is one. Raises InputError where the two did not meet in revealed
    pairs.
    """
    with closing(Database.open((settings or Settings.load()).database)) as database:
        database.check()
        keeping.bring_up(database)
        project_id = project_named(database, project)
        one, two = _ids(project_state(database, project_id), candidate, baseline)
        asked = ResultFilter(
            project_id=project_id,
            one=one,
            two=two,
            verdicts=Verdicts(verdicts),
            runs=Runs.ALL if all_runs else Runs.VALID,
            offline=count_offline,
        )
        return advice(database, asked)


def _ids(state: ProjectState, candidate: str, baseline: str) -> tuple[str, str]:
    """The ids of the two in the meeting in which they are called so. Raises InputError."""
    for met in state.told:
        called = {met.one_name: met.one, met.two_name: met.two}
        if candidate in called and baseline in called and candidate != baseline:
            return called[candidate], called[baseline]
    known = "; ".join(f"{met.one_name} and {met.two_name}" for met in state.told)
    raise InputError(
        f"{candidate!r} and {baseline!r} did not meet in revealed pairs. "
        + (
            f"There are: {known}."
            if known
            else "Nothing of this project is revealed yet: a lead reveals it on the dashboards."
        )
    )
