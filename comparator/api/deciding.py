"""Reveal who made what, and decide between two candidates by the plan that was fixed before."""

import re
from collections.abc import Sequence
from contextlib import closing
from typing import Any

from comparator.api.opened import opened, understood, wait_for
from comparator.bootstrap import load_settings
from comparator.domain.counted import counted, natural
from comparator.domain.errors import InputError
from comparator.domain.labels import Frozen
from comparator.jobs import manage_batches, start_batches
from comparator.jobs.manage_batches import BatchReport
from comparator.jobs.worker import Worker
from comparator.reporting.results.candidates import ProjectState, project_state
from comparator.reporting.results.decision import Advice, Excluded, advice, excluded_pairs
from comparator.reporting.scope import Meets, ResultFilter, Runs, Verdicts
from comparator.reporting.trust.labelled import LabelledRecord, labelled_records
from comparator.reporting.why.differ import Differs, lengths_differ, may_be_length
from comparator.settings import Settings
from comparator.store.bulk.batches import BatchRequest
from comparator.store.core.database import Database
from comparator.store.people.projects import project_named
from comparator.workflow.projects.reveal import reveal_sets
from comparator.workflow.services import Services

ALL = "all"
"""Every iteration that both candidates have."""
MOST_NAMED = 5
"""Pairs of candidates that a refusal names."""


class Decision(Advice):
    """What to do, which pairs of the two are not counted, and what their length does."""

    excluded: tuple[Excluded, ...]
    length: Differs | None
    """How often the longer output wins, and whose it is; None where none is longer."""

    @property
    def may_be_length(self) -> bool:
        """Whether the lead may come from length alone, as the dashboards warn."""
        return may_be_length(self.result.share, self.length)


class Revealed(Frozen):
    """How many comparisons were revealed, and the names of each two candidates that met in them."""

    comparisons: int
    candidates: tuple[tuple[str, str], ...]


def reveal(
    project: str,
    *,
    candidates: tuple[str, str] | None = None,
    note: str = "",
    settings: Settings | None = None,
) -> Revealed:
    """Say who made what in all pairs of a project, or in those of these two candidates; for good, with a note why.

    Raises InputError where nothing is left to reveal, and BlindnessError while a review of one of the pairs is open.
    """
    with opened(settings) as services:
        project_id = project_named(services.database, project)
        state = project_state(services.database, project_id)
        hidden = {
            (met.one, met.two)
            for met in (*state.meetings, *state.repeated)
            if met.unrevealed and (candidates is None or {met.one_name, met.two_name} == set(candidates))
        }
        if not hidden:
            met = some_pairs([(met.one_name, met.two_name) for met in state.meetings], most=MOST_NAMED)
            raise InputError(
                "Nothing is left to reveal for these candidates. "
                f"Candidates compared in {project}: {'; '.join(met) or 'none'}."
            )
        number = reveal_sets(services, project_id, hidden, reason=note)
        after = project_state(services.database, project_id)
        names = [
            (met.one_name, met.two_name)
            for met in (*after.meetings, *after.repeated)
            if (met.one, met.two) in hidden
        ]
        return Revealed(comparisons=number, candidates=tuple(names))


def some_pairs(candidates: Sequence[tuple[str, str]], *, most: int) -> list[str]:
    """Two candidates an entry, `most` of them, and then how many more there are.

    >>> some_pairs([("v1", "v2"), ("v1", "v3")], most=1)
    ['v1 and v2', 'and 1 more pair']
    """
    entries = [" and ".join(two) for two in candidates[:most]]
    more = len(candidates) - most
    return [*entries, f"and {counted(more, 'more pair')}"] if more > 0 else entries


def decide(
    candidate: str,
    baseline: str,
    *,
    project: str = "",
    iteration: str = "",
    verdicts: str = Verdicts.REVIEWED,
    all_runs: bool = False,
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
        question = result_filter(
            database,
            candidate,
            baseline,
            project_id=project_named(database, project),
            verdicts=Verdicts(verdicts),
            iteration=iteration,
        )
        runs = Runs.ALL if all_runs else Runs.VALID
        question = question.copy_with(runs=runs)
        answer = advice(database, question)
        return Decision(
            **dict(answer),
            excluded=excluded_pairs(database, question, answer.result),
            length=lengths_differ(database, question) if answer.result.n else None,
        )


def result_filter(
    database: Database, candidate: str, baseline: str, *, project_id: str, verdicts: Verdicts, iteration: str
) -> ResultFilter:
    """The question for the candidate against the baseline, by name. Raises InputError."""
    (one, two), *also = _met(project_state(database, project_id), candidate, baseline, iteration)
    return ResultFilter(project_id=project_id, one=one, two=two, also=tuple(also), verdicts=verdicts)


def _met(state: ProjectState, candidate: str, baseline: str, iteration: str) -> list[Meets]:
    """The revealed candidates of these names, seen from the candidate, newest iteration first. Raises InputError."""
    met: list[tuple[str, Meets]] = []
    for meeting in state.revealed_meetings:
        called = {meeting.one_name: meeting.one, meeting.two_name: meeting.two}
        if candidate != baseline and candidate in called and baseline in called:
            return [Meets(called[candidate], called[baseline])]
        seen, plain = Meets(meeting.one, meeting.two), meeting.plain or ("", "")
        met.extend(
            (meeting.iteration, meets)
            for meets, names in ((seen, plain), (seen.turned, plain[::-1]))
            if meeting.iteration is not None and names == (candidate, baseline)
        )
    met.sort(key=lambda pair: natural(pair[0]), reverse=True)
    if iteration and iteration != ALL:
        numbers = re.findall(r"\d+", iteration)
        met = [pair for pair in met if pair[0] == iteration] or [
            pair for pair in met if numbers and re.findall(r"\d+", pair[0]) == numbers
        ]
    if not met:
        raise InputError(_not_met(state, candidate, baseline, iteration))
    newest = met if iteration == ALL else [pair for pair in met if pair[0] == met[0][0]]
    if iteration != ALL and len(newest) > 1:
        raise InputError(
            f"{candidate} and {baseline} met in several workspaces of iteration {met[0][0]}. "
            f"Name one with its workspace: {_some(state)}."
        )
    return [meets for _, meets in newest]


def _not_met(state: ProjectState, candidate: str, baseline: str, iteration: str) -> str:
    if not state.revealed_meetings:
        return (
            f"{candidate!r} and {baseline!r} did not meet in revealed pairs: nothing of this project is revealed yet. "
            "`comparator reveal PROJECT` or a lead on the dashboards reveals it."
        )
    where = f" in iteration {iteration}" if iteration and iteration != ALL else ""
    return (
        f"{candidate!r} and {baseline!r} did not meet in revealed pairs{where}. These did: {_some(state)}. Write a "
        f"name as it stands here, or without its iteration and add --iteration NAME or --iteration {ALL}."
    )


def _some(state: ProjectState) -> str:
    met = [(meeting.one_name, meeting.two_name) for meeting in state.revealed_meetings]
    return "; ".join(some_pairs(met, most=MOST_NAMED))


IDLE_SECONDS = 2.0


def batch(project: str, *, settings: Settings | None = None, **options: Any) -> BatchReport:
    """Have comparisons judged in the background: those given by id, else all of the project that wait for a judge.

    The options are the fields of `store.bulk.batches.BatchRequest`. `named` judges have a batch each. A worker
    has to run: `work`, `comparator worker`, or the app. Raises InputError where nothing waits or the project is
    unknown, JudgeNotAllowed for a budget where no price is known.
    """
    with opened(settings) as services:
        project_id = project_named(services.database, project)
        return start(services, understood(BatchRequest, project_id=project_id, **options))


def start(services: Services, request: BatchRequest) -> BatchReport:
    """Store the batch in the name of the person at this machine; where it is."""
    batch = start_batches.start(services, request)
    return manage_batches.report(services, batch.id)


def work(*, idle_seconds: float = IDLE_SECONDS, settings: Settings | None = None) -> tuple[BatchReport, ...]:
    """Work at all batches until nothing has waited for `idle_seconds`; where each batch is then, the newest first."""
    with opened(settings) as services:
        wait_for(Worker(services, idle_seconds=idle_seconds).run())
        return manage_batches.reports(services)


def judge_records(project: str, *, settings: Settings | None = None) -> tuple[LabelledRecord, ...]:
    """How each judge did on the project's labelled pairs; `comparator.stats.accuracy` makes rates of the counts.

    Raises InputError for a project that there is not.
    """
    with opened(settings) as services:
        return labelled_records(services.database, [project_named(services.database, project)])
