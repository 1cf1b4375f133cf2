"""What a planned import consists of: outputs as they were read, the pairs they make, and the report on them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from comparator.domain.blinding.redaction import Redaction
from comparator.domain.blinding.scan import PatternFinding
from comparator.domain.errors import InputError
from comparator.domain.labels import Frozen, PerOutput
from comparator.domain.pair.task import TaskText
from comparator.interop.history import PairHistory
from comparator.interop.imported import Files, Format, FoundLabel, FoundRun, LeftOut
from comparator.outputs.snapshot.take import RefusedMember, Snapshot, Upload, digest_of
from comparator.outputs.view.reading import Reader, Readings
from comparator.store.pairs import outputs, runs, tasks
from comparator.store.pairs.existing import CandidateDetails, ExistingRuns, RunKey
from comparator.store.pairs.run_files import FileRole
from comparator.store.pairs.runs import RunState
from comparator.workflow.importing import audit as audit
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import open_reader, read_files, read_output, read_together

MEMBERS_LISTED = 100
"""So many members of one output or upload that were refused are listed; the rest are counted."""
_REASONS = 5


class GroupReader:
    """A reader for the outputs of one task in one iteration after the other.

    What several pairs of a group hold is read once; what was read of the group before is let go, but for what fits
    into `readings`.
    """

    def __init__(self, services: Services, readings: Readings | None = None) -> None:
        self._services, self._readings = services, readings
        self._open = ExitStack()
        self._now: tuple[tuple[str, str | None, str], Reader] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def of(self, run: FoundRun) -> Reader:
        """The reader for the group of this run."""
        group = (run.workspace, run.iteration, run.task_key)
        if self._now is None or self._now[0] != group:
            self._open.close()
            self._now = group, self._open.enter_context(open_reader(self._services, self._readings))
        return self._now[1]


class OutputReader:
    """Reads each output, and the files of each task once."""

    def __init__(self, services: Services) -> None:
        self.left_out: list[LeftOut] = []
        self._services = services
        self._files: dict[tuple[object, ...], tuple[Snapshot | None, Snapshot | None]] = {}
        self._run_files: dict[Path | Files, Snapshot] = {}

    def of_run(self, run: FoundRun) -> Snapshot:
        """The output of a run. Raises OutputRefused or LimitExceeded."""
        snapshot = self._output(run)
        self._note(run.address + (": " if run.path is None else "/"), snapshot, source=run.files)
        return snapshot

    def of_task(self, run: FoundRun) -> tuple[Snapshot | None, Snapshot | None]:
        """The input files of a run's task and its reference answer; None where there is none or it cannot be read."""
        key = (run.inputs, run.input_files, run.reference, run.reference_files)
        if key not in self._files:
            inputs = reference = None
            if run.reference.strip():
                data = run.reference.encode("utf-8", "replace")
                reference = read_output(self._services, (Upload("reference.md", data),))
            try:
                if run.reference_files is not None:
                    reference = read_files(self._services, run.reference_files)
                if run.input_files is not None:
                    inputs = read_files(self._services, run.input_files)
                else:
                    inputs = read_together(self._services, run.inputs)
            except InputError as error:
                self.left_out.append(LeftOut(file=f"inputs of {run.task_key}", reason=str(error)))
            self._note(f"inputs of {run.task_key}: ", inputs, source=run.input_files)
            self._note(f"reference of {run.task_key}: ", reference, source=run.reference_files)
            self._files[key] = (inputs, reference)
        return self._files[key]

    def run_files(self, run: FoundRun) -> dict[FileRole, Snapshot]:
        """The transcript of a run and the skill that it was given, as far as they are there and can be read."""
        found: dict[FileRole, Snapshot] = {}
        for role, source in ((FileRole.TRANSCRIPT, run.transcript), (FileRole.SKILL, run.skill)):
            if source is None:
                continue
            try:
                if source not in self._run_files:
                    self._run_files[source] = (
                        read_files(self._services, source)
                        if isinstance(source, Files)
                        else read_output(self._services, source)
                    )
                found[role] = self._run_files[source]
            except InputError as error:
                self.left_out.append(LeftOut(file=f"{role.value} of {run.address}", reason=str(error)))
        return found

    def _output(self, run: FoundRun) -> Snapshot:
        if run.files is not None:
            return read_files(self._services, run.files)
        if run.path is None:
            data = (run.text or "").encode("utf-8", "replace")
            attached = (Upload(each.name, each.data) for each in run.attachments)
            return read_output(self._services, (Upload(run.text_name, data), *attached))
        if run.path.is_dir() and not any(run.path.iterdir()):
            # A run that left nothing is kept and marked as void.
            return Snapshot(digest=digest_of(True, (), ()), name=run.path.name, is_folder=True, artifacts=())
        return read_output(self._services, run.path)

    def _note(self, where: str, snapshot: Snapshot | None, *, source: Files | None) -> None:
        """List what was refused, but for what had not been read either where our own lines come from."""
        earlier = {(each.file, each.reason) for each in source.left_out} if source else set()
        refused = [r for r in (snapshot.refused if snapshot else ()) if (r.path, r.reason) not in earlier]
        self.left_out += unread_members(where, refused)


def unread_members(where: str, refused: Sequence[RefusedMember]) -> Iterator[LeftOut]:
    """What of one output or upload was not read, each after `where` it lies."""
    for member in refused[:MEMBERS_LISTED]:
        yield LeftOut(file=f"{where}{member.path}", reason=member.reason)
    if len(refused) > MEMBERS_LISTED:
        more = f"{len(refused) - MEMBERS_LISTED:,} more of its files and folders were not read"
        yield LeftOut(file=where.rstrip(": /"), reason=more)


def why_not(left_out: Sequence[LeftOut]) -> str:
    """Each reason with the first file that it holds for."""
    first: dict[str, str] = {}
    for each in left_out:
        first.setdefault(each.reason, each.file)
    reasons = [f" {file}: {reason}." for reason, file in islice(first.items(), _REASONS)]
    return "".join(reasons)


class Completed(NamedTuple):
    """What became known of a candidate since it was stored."""

    candidate_id: str
    model: str | None
    skill_hash: str | None


def as_stored(
    runs: Sequence[FoundRun], present: ExistingRuns
) -> tuple[tuple[FoundRun, ...], tuple[Completed, ...]]:
    """The runs by the candidates that are there, and what they say of those beyond what is stored.

    One name and iteration in both, of which one knows a model or a skill's hash that the other lacks, is one candidate.
    """
    facts_of: defaultdict[tuple[str, str | None, str], set[tuple[str | None, str | None]]] = defaultdict(set)
    for run in runs:
        facts_of[_who(run)].add((run.model, run.skill_hash))
    stored: dict[tuple[str, str | None, str], CandidateDetails] = {}
    completed: list[Completed] = []
    for who, facts in facts_of.items():
        there = present.candidates(*who)
        if len(facts) != 1 or len(there) != 1:
            continue
        (now,), (before,) = facts, there
        both = tuple(zip(now, (before.model, before.skill_hash), strict=True))
        if any(one is not None and other is not None and one != other for one, other in both):
            continue
        stored[who] = before
        whole = tuple(one if one is not None else other for one, other in both)
        if whole != (before.model, before.skill_hash):
            completed.append(Completed(before.id, *whole))
    return tuple(_by(run, stored.get(_who(run))) for run in runs), tuple(completed)


def known_workspaces(runs: Sequence[FoundRun], known: Mapping[str, Collection[str]]) -> tuple[FoundRun, ...]:
    """The runs under the workspaces that a project keeps them in, by address: another import may begin a folder higher.

    Where the project holds two workspaces as one, as it did before they were told apart, they are new ones.
    """
    stored_as: defaultdict[str, set[str]] = defaultdict(set)
    for run in runs:
        stored_as[run.workspace].update(known[run.address])
    kept = {own: next(iter(there)) for own, there in stored_as.items() if len(there) == 1}
    shared = Counter(kept.values())
    taken = {own: there for own, there in kept.items() if shared[there] == 1 and there != own}
    return tuple(
        run.model_copy(update={"workspace": there, "task_key": _moved(run, there)})
        if (there := taken.get(run.workspace)) is not None
        else run
        for run in runs
    )


def _moved(run: FoundRun, workspace: str) -> str:
    key = run.task_key.removeprefix(f"{run.workspace}/") if run.workspace else run.task_key
    return f"{workspace}/{key}" if workspace else key


def _who(run: FoundRun) -> tuple[str, str | None, str]:
    return run.configuration, run.iteration, run.workspace


def _by(run: FoundRun, made: CandidateDetails | None) -> FoundRun:
    if made is None or (run.model, run.skill_hash) == (made.model, made.skill_hash):
        return run
    return run.model_copy(update={"model": made.model, "skill_hash": made.skill_hash})


@dataclass(frozen=True)
class ReadRun:
    """A run with its output and the snapshots that belong to its task; `key` is what makes it itself."""

    run: FoundRun
    snapshot: Snapshot
    text: TaskText
    inputs: Snapshot | None
    reference: Snapshot | None
    state: RunState
    state_reason: str
    run_files: Mapping[FileRole, Snapshot]
    """What tells how it came about."""

    @property
    def key(self) -> RunKey:
        """The run's identity in its project."""
        snapshots = [None if s is None else outputs.identity_of(s) for s in (self.inputs, self.reference)]
        run = self.run
        return RunKey(
            tasks.key_as_kept(run.task_key),
            tasks.identity_of(self.text, inputs=snapshots[0], reference=snapshots[1]),
            runs.identity_of(
                name=run.configuration,
                iteration=run.iteration,
                model=run.model,
                skill_hash=run.skill_hash,
                workspace=run.workspace,
            ),
            run.repetition,
            outputs.identity_of(self.snapshot),
        )


@dataclass(frozen=True)
class PlannedPair:
    """Two runs to be compared; `known` is the comparison's id where it was imported before."""

    first: ReadRun
    second: ReadRun
    findings: tuple[PatternFinding, ...]
    known: str | None
    characters: PerOutput[int]
    """How much text the two outputs hold."""

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
    audit: audit.Audit


@dataclass(frozen=True)
class Plan:
    """All that `carry_out` needs, and the report."""

    project: str
    runs: tuple[ReadRun, ...]
    pairs: tuple[PlannedPair, ...]
    labels: tuple[FoundLabel, ...]
    histories: Mapping[frozenset[str], PairHistory]
    """What was said of a pair, by the addresses of its two runs."""
    skill_names: tuple[str, ...]
    redactions: tuple[Redaction, ...]
    take_back: frozenset[str]
    """Names of files that are judged although they report on a run."""
    new_runs: int
    completed: tuple[Completed, ...]
    report: ImportReport

    @property
    def adds(self) -> bool:
        """Whether there may be anything that the project does not hold."""
        run_files = any(read.run_files for read in self.runs)
        return bool(
            self.report.new or self.new_runs or self.completed or self.labels or self.histories or run_files
        )
