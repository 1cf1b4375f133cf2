"""Whether a judge can be trusted in a project, against length alone; and measuring judges on its labelled pairs."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

import streamlit as st

from comparator.domain.labels import LabelKind
from comparator.domain.rights import Act
from comparator.domain.scoring.review import How
from comparator.jobs.manage_batches import report, reports
from comparator.jobs.start_batches import start
from comparator.judges.protocol import judge_called
from comparator.reporting.findings import DOUBTFUL
from comparator.reporting.trust.judge import Agreement, Swapped, WithLabels
from comparator.reporting.trust.labelled import AS_GIVEN, LabelledRecord, labelled_pairs
from comparator.reporting.trust.record import TRUSTED_ABOVE, JudgeVersion, VersionRecord
from comparator.reporting.why.differ import ENOUGH_TO_WARN
from comparator.stats.intervals import ENOUGH as LEAST
from comparator.stats.intervals import Estimate, TooFew, share
from comparator.store.bulk.batches import BatchRequest, BatchState
from comparator.ui.frame import safe, session, shell
from comparator.ui.frame.charts import Chart
from comparator.ui.frame.charts.labelled import right_verdicts, who
from comparator.ui.frame.charts.same_winner import same_winner_chart
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.state import PageScript
from comparator.ui.frame.words import counted

TRUST, AGREES, GRADED, RIGHT, CONSISTENT = (
    "Trusted",
    "Agrees with people",
    "Agrees with graders",
    "Right on known winners",
    "Same in both orders",
)
TRUSTED, UNSURE, REFUTED, FEW, UNTESTED = "yes", "not sure yet", "no", "too few tests", "not tested"
BY_LENGTH, DOUBTED, BACKED = "no more than length", "doubtful", "likely"
COLOURS: Mapping[str, Literal["green", "orange", "red"]] = {
    TRUSTED: "green",
    UNSURE: "orange",
    REFUTED: "red",
    FEW: "orange",
    UNTESTED: "orange",
    BY_LENGTH: "red",
    DOUBTED: "orange",
    BACKED: "green",
}
ADVICE = {
    TRUSTED: "It is right in more than two of three pairs, by its whole interval. Let it judge the rest, and "
    "have people review a sample.",
    UNSURE: "It may be right in fewer than two of three pairs. Test the judge on more pairs whose winner is known.",
    REFUTED: "It is right in fewer than two of three pairs. Give it guidance, try another model, or let people decide.",
    FEW: f"A test takes {LEAST} pairs whose winner is known, or that were reviewed before its scores were shown.",
    UNTESTED: "A judge is tested by people who have not seen its scores, or on pairs whose winner is known.",
    BY_LENGTH: "Always choosing the longer output does at least as well on these pairs. Test the judge on pairs "
    "whose shorter output is the better one.",
    DOUBTED: "Reviews made before the judge's scores are shown tell which of the two is right.",
    BACKED: "Imported graders name its winner pair by pair, but no person has tested it. To be sure, have some pairs "
    "reviewed before its scores are shown.",
}
"""What to do, by how far a judge can be trusted."""


class Row(NamedTuple):
    """One judge in one project: its record with people, on labelled pairs, or both."""

    project_id: str
    judge: str
    version: VersionRecord | None
    labelled: LabelledRecord | None
    labels: tuple[WithLabels, ...] = ()

    @property
    def graders(self) -> WithLabels | None:
        """The judge beside imported graders."""
        return next((label for label in self.labels if label.by is LabelKind.GRADER), None)


def rows_of(
    by_project: Mapping[str, Sequence[VersionRecord]],
    measured: Sequence[LabelledRecord],
    known: Mapping[str, JudgeVersion],
) -> Iterator[Row]:
    """Every judge of every project, those that judged most first; the offline check is none."""
    labelled = {
        (record.project_id, record.judge.digest): record
        for record in measured
        if record.judge.kind != "offline"
    }
    records = [(project_id, version) for project_id, versions in by_project.items() for version in versions]
    for project_id, version in sorted(records, key=lambda record: -record[1].judged):
        yield Row(project_id, short(version), version, labelled.pop((project_id, version.digest), None))
    for (project_id, _), only in labelled.items():
        yield Row(project_id, who(only, known), None, only)


def same_in_both(row: Row) -> tuple[int, int]:
    """In how many pairs the judge named the same winner in both orders, and of how many."""
    version, labelled = row.version, row.labelled
    if version is not None and version.read_twice:
        return version.read_twice - version.flipped, version.read_twice
    if labelled is None or labelled.mode == AS_GIVEN:
        return 0, 0
    return labelled.counts.consistent, labelled.counts.covered


def _longer(row: Row) -> tuple[int, int]:
    """In how many labelled pairs always choosing the longer output would be right, and of how many."""
    counts = row.labelled.counts if row.labelled else None
    known = counts is not None and counts.label_longer + counts.label_shorter
    return (counts.label_longer, counts.covered) if counts and known else (0, 0)


def right_on_labels(record: LabelledRecord | None) -> str:
    """How often it is right on labelled pairs, with their number."""
    if record is None or not record.counts.covered:
        return "none known"
    hits, n = right_verdicts(record.counts), record.counts.covered
    return with_n(share(hits, n), hits, n)


def with_n(estimate: Estimate | TooFew, successes: int, n: int) -> str:
    """A share with the number that it is of; the counts where these are too few."""
    return (
        f"{percent(estimate.value)} of {n:,}" if isinstance(estimate, Estimate) else f"{successes:,} of {n:,}"
    )


def agreed_with(version: VersionRecord | None) -> Agreement | None:
    """The agreement that says most: of reviewers who scored first, else of most reviews."""
    agreement = version.agreement if version else ()
    blind = (agreed for agreed in agreement if agreed.how is How.BLIND_FIRST)
    return next(blind, None) or max(agreement, key=lambda agreed: agreed.n, default=None)


def _tested(row: Row) -> Estimate | None:
    """How often it is right: by reviewers who scored first, else by labels; None where too few say so."""
    agreed = agreed_with(row.version)
    if agreed is not None and agreed.how is How.BLIND_FIRST and isinstance(agreed.share, Estimate):
        return agreed.share
    counts = row.labelled.counts if row.labelled else None
    right = share(right_verdicts(counts), counts.covered) if counts and counts.covered else None
    return right if isinstance(right, Estimate) else None


def trust_of(row: Row) -> str:
    """Whether the judge can be trusted in the project."""
    tested = _tested(row)
    if tested is None:
        graded = row.graders
        if (
            graded
            and not graded.says_nothing
            and (decided := graded.agreed + graded.opposite) >= ENOUGH_TO_WARN
        ):
            return DOUBTED if graded.agreed < DOUBTFUL * decided else BACKED
        agreed, labelled = agreed_with(row.version), row.labelled
        some = (agreed and agreed.how is How.BLIND_FIRST) or (labelled and labelled.counts.covered)
        return FEW if some else UNTESTED
    longer, n = _longer(row)
    if n and tested.value <= longer / n:
        return BY_LENGTH
    if tested.interval.low > TRUSTED_ABOVE:
        return TRUSTED
    return REFUTED if tested.interval.high < TRUSTED_ABOVE else UNSURE


def headline(row: Row) -> None:
    """Whether the judge that was used last can be trusted here, and what to do about it; the chart says why."""
    answer, tested = trust_of(row), _tested(row)
    st.badge(safe.text(f"Can it be trusted? {answer.capitalize()}"), color=COLOURS[answer])
    if (graded := row.graders) and answer is UNTESTED:
        safe.say(f"{graded.author} agrees with it no more than guessing: either may be wrong.")
    safe.say(ADVICE[answer])
    if answer in (UNTESTED, FEW, DOUBTED) and session.may(Act.CHANGE_SETTINGS, project_id=row.project_id):
        st.page_link(
            PageScript.SETTINGS,
            label="Hide its scores until a reviewer has decided",
            icon=":material/visibility_off:",
        )
    longer, n = _longer(row)
    if tested is not None and n:
        # As the percentages are shown.
        points = round(100 * tested.value) - round(100 * longer / n)
        than = (
            f"{abs(points)} points {'more' if points > 0 else 'less'} often than" if points else "as often as"
        )
        of = with_n(share(longer, n), longer, n)
        safe.say(f"It is right {than} always choosing the longer output would be ({of} pairs).")


def age(row: Row) -> tuple[int, str, int]:
    """For the judge that was used last: those that judged here come before those that were only measured."""
    version = row.version
    if version is None or not version.judged:
        return 0, "", 0
    return 1, version.since.isoformat() if version.since else "", version.number or 0


def trust_chart(row: Row) -> Chart:
    """What trust in this judge rests on; of one that was only tested, the test."""
    (same, twice), labels, model = same_in_both(row), row.labels, row.judge
    if row.version is not None:
        model = row.version.model
    elif row.labelled is not None:
        tested = row.labelled.counts.verdicts
        labels = (WithLabels(model=model, by=LabelKind.GOLD, author="", counts=tested),)
    agreements = row.version.agreement if row.version else ()
    return same_winner_chart(agreements, labels, [Swapped(model, same, twice)] if twice else [])


def short(record: VersionRecord) -> str:
    """The version for the axis of a chart."""
    version = f"v{record.number}" if record.number else record.digest[:6]
    return f"{judge_called(record.kind, record.model)} {version}"


LOOK_SECONDS = 2.0
SAMPLE = 50
DEAR = 5.0
"""US dollars that a judge may cost unless something else is said."""


def measure(project_id: str) -> None:
    """A form that has judges read the project's labelled pairs; while they do, how far they are."""
    if session.may(Act.JUDGE, project_id=project_id) and not follow_trials(project_id):
        _form(project_id, len(labelled_pairs(session.services().database, project_id)))


def follow_trials(project_id: str) -> bool:
    """How far the batches are by which a judge is measured or guidance tried; whether one runs."""
    under_way = [
        batch_report
        for batch_report in reports(session.services(), project_id=project_id)
        if batch_report.batch.trial and batch_report.counts.left
    ]
    running = [batch_report for batch_report in under_way if batch_report.batch.state is BatchState.RUNNING]
    for batch_report in under_way:
        if batch_report.batch.state is BatchState.PAUSED:
            why = f" {batch_report.batch.problem}" if batch_report.batch.problem else ""
            st.info(
                safe.text(f"{batch_report.batch.name} is paused.{why} Resume it on the page Batches."),
                icon=":material/pause:",
            )
    if running:
        _follow(tuple(batch_report.batch.id for batch_report in running))
    return bool(running)


@st.fragment(run_every=LOOK_SECONDS)
def _follow(batch_ids: tuple[str, ...]) -> None:
    """A bar for each of these batches; the whole page again once one has ended."""
    for batch_report in (report(session.services(), id) for id in batch_ids):
        if batch_report.batch.state is not BatchState.RUNNING:
            st.rerun()
        ended, total = batch_report.counts.done + batch_report.counts.failed, batch_report.counts.total
        pairs = counted(total, "pair")
        st.progress(
            ended / max(total, 1), text=safe.text(f"{batch_report.batch.name}: {ended:,} of {pairs} read")
        )


def _form(project_id: str, pairs: int) -> None:
    with st.popover("Test a judge on known winners", icon=":material/straighten:", key="judge_measure"):
        if not pairs:
            st.caption(
                "No pair of this project has a known winner yet. Import pairs with labels (comparator probe writes "
                "some), or review before the judge's scores are shown."
            )
            return
        safe.caption(
            f"The judge reads {counted(pairs, 'pair')} whose winner is known, in both orders. No verdict changes, "
            f"and finished readings are not charged again. Judge: {session.usual_judge()}."
        )
        known = session.named_judges()
        # None of them means the judge of the settings.
        names = known and st.multiselect(
            "Judges", list(known), key="judge_names", placeholder="As set", width=640
        )
        with shell.row("bottom"):
            sample = st.number_input(
                "Pairs, at most",
                min_value=1,
                max_value=pairs,
                value=min(SAMPLE, pairs),
                key="judge_sample",
                width=200,
            )
            budget = st.number_input(
                "Budget per judge, USD",
                min_value=0.0,
                value=DEAR,
                key="judge_budget",
                width=220,
                help="0 sets no budget, which a model without a known price needs.",
            )
            pressed = st.button("Start the test", key="judge_start", icon=":material/play_arrow:")
        if pressed:
            with shell.guard():
                _start(project_id, tuple(names), sample=int(sample), budget=float(budget))


def _start(project_id: str, names: tuple[str, ...], *, sample: int, budget: float) -> None:
    services = session.as_me()
    # The offline check costs nothing, and has no price to compare with a ceiling.
    free = not names and services.judge().identity.kind == "offline"
    request = BatchRequest(
        project_id=project_id,
        named=names,
        labelled=True,
        sample=sample,
        budget=Decimal(str(budget)) if budget and not free else None,
    )
    start(services, request)
    session.wake_worker()
    shell.tell_next("The pairs are being read. The figures appear here as they come in.")
    st.rerun()
