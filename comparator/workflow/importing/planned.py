"""What a planned import consists of: outputs as they were read, the pairs they make, and the report on them."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from typing import NamedTuple

from comparator.domain.blinding.redaction import Redaction
from comparator.domain.blinding.scan import PatternFinding
from comparator.domain.labels import Frozen, PerOutput
from comparator.domain.pair.task import TaskText
from comparator.interop.imported import Findings, Format, FoundRun, LeftOut, PairHistory
from comparator.outputs.snapshot import RefusedMember, Snapshot
from comparator.outputs.view.reading import Reader, Readings
from comparator.store.pairs import outputs, tasks
from comparator.store.pairs.runs import NewCandidate, RunKey, RunState
from comparator.workflow.importing.audit import Audit
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import open_reader

MEMBERS_LISTED = 100
"""So many members of one output or upload that were refused are listed; the rest are counted."""
_REASONS = 5


@contextmanager
def group_reader(
    services: Services, readings: Readings | None = None
) -> Iterator[Callable[[FoundRun], Reader]]:
    """Gives a reader for the outputs of one task in one iteration after the other.

    What several pairs of a group hold is read once; what was read of the group before is let go, but for what fits
    into `readings`.
    """
    now: tuple[tuple[str, str | None, str], Reader] | None = None
    with ExitStack() as opened:

        def of(run: FoundRun) -> Reader:
            nonlocal now
            group = (run.workspace, run.iteration, run.task_key)
            if now is None or now[0] != group:
                opened.close()
                now = group, opened.enter_context(open_reader(services, readings))
            return now[1]

        yield of


def unread_members(where: str, refused: Sequence[RefusedMember]) -> Iterator[LeftOut]:
    """What of one output or upload was not read, each after `where` it lies."""
    for member in refused[:MEMBERS_LISTED]:
        yield LeftOut(file=f"{where}{member.path}", reason=member.reason)
    if len(refused) > MEMBERS_LISTED:
        more = f"{len(refused) - MEMBERS_LISTED:,} more of its files and folders were not read"
        yield LeftOut(file=where.rstrip(": /"), reason=more)


_LAYOUT = " A workspace has folders EVAL/CONFIGURATION/outputs, and each prompt in EVAL/eval_metadata.json."


def why_not(left_out: Sequence[LeftOut]) -> str:
    """Each reason with the first file that it holds for; how a workspace is laid out where nothing was left out."""
    first: dict[str, str] = {}
    for exclusion in left_out:
        first.setdefault(exclusion.reason, exclusion.file)
    reasons = [f" {file}: {reason}." for reason, file in islice(first.items(), _REASONS)]
    return "".join(reasons) or _LAYOUT


def why_none(runs: Sequence[FoundRun]) -> str:
    """Why these runs make no pair, and what would make some; empty where there are no runs."""
    if not runs:
        return ""
    names = sorted({run.configuration for run in runs})
    return (
        "No pairs: no task has outputs of two candidates that can be put side by side. There are "
        f"{len(runs):,} outputs of {', '.join(names[:4])}{' …' if len(names) > 4 else ''}. Give both outputs the same "
        "task and iteration, or choose across iterations with --compare 1/NAME 2/NAME, or two runs of one with "
        "--compare NAME NAME."
    )


def known_workspaces(runs: Sequence[FoundRun], known: Mapping[str, Collection[str]]) -> tuple[FoundRun, ...]:
    """The runs under the workspaces that a project keeps them in, by address: another import may begin a folder higher,
    or find a second workspace."""
    stored_as: defaultdict[str, set[str]] = defaultdict(set)
    for run in runs:
        stored_as[run.workspace].update(known[run.address])

    def moved(run: FoundRun) -> FoundRun:
        if len(stored_as[run.workspace]) != 1 or run.workspace in stored_as[run.workspace]:
            return run
        (there,) = stored_as[run.workspace]
        key = run.task_key.removeprefix(f"{run.workspace}/") if run.workspace else run.task_key
        return run.copy_with(workspace=there, task_key=f"{there}/{key}" if there else key)

    return tuple(map(moved, runs))


def maker_of(run: FoundRun) -> NewCandidate:
    """The candidate that made it."""
    same = run.model_dump(include={"workspace", "iteration", "model", "skill_hash"})
    return NewCandidate(name=run.configuration, **same)


class ReadRun(NamedTuple):
    """A run with its output and the snapshots that belong to its task; `key` is what makes it itself."""

    run: FoundRun
    snapshot: Snapshot
    text: TaskText
    inputs: Snapshot | None
    reference: Snapshot | None
    state: RunState
    state_reason: str

    @property
    def key(self) -> RunKey:
        """The run's identity in its project."""
        snapshots = [None if s is None else outputs.identity_of(s) for s in (self.inputs, self.reference)]
        run = self.run
        return RunKey(
            tasks.key_as_kept(run.task_key),
            tasks.identity_of(self.text, inputs=snapshots[0], reference=snapshots[1]),
            maker_of(run).identity,
            run.repetition,
            outputs.identity_of(self.snapshot),
        )


class PlannedPair(NamedTuple):
    """Two runs to be compared; `known` is the comparison's id where it was imported before."""

    first: ReadRun
    second: ReadRun
    findings: tuple[PatternFinding, ...]
    characters: PerOutput[int]
    """How much text the two outputs hold."""
    known: str | None

    @property
    def is_void(self) -> bool:
        """Whether one of the runs is void."""
        return RunState.VOID in (self.first.state, self.second.state)


class ImportReport(Frozen):
    """What an import finds or did. `found` counts sibling pairs, `new` and `already` the chosen ones."""

    project: str
    format: Format
    runs: int
    found: int
    new: int
    already: int
    sets: int
    no_pairs: str = ""
    """Why runs make no pair at all, and what would make some."""
    left_out: tuple[LeftOut, ...]
    audit: Audit


class Plan(NamedTuple):
    """All that `carry_out` needs, and the report."""

    request: ImportRequest
    findings: Findings
    """What the source holds, without the pairs that the project has already."""
    runs: tuple[ReadRun, ...]
    pairs: tuple[PlannedPair, ...]
    redactions: tuple[Redaction, ...]
    new_runs: int
    report: ImportReport

    @property
    def histories(self) -> dict[frozenset[str], PairHistory]:
        """What was said of a pair, by the addresses of its two runs."""
        stated = self.findings.stated
        return {frozenset((pair.first, pair.second)): pair.history for pair in stated if pair.history}

    @property
    def adds(self) -> bool:
        """Whether there may be anything that the project does not hold."""
        return bool(self.report.new or self.new_runs or self.findings.labels or self.histories)
