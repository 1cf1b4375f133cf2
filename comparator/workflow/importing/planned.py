"""What a planned import consists of: runs with their outputs, the pairs they make, and the report on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from comparator.domain.blinding.redaction import Redaction
from comparator.domain.blinding.scan import PatternFinding
from comparator.domain.labels import Frozen, PerOutput
from comparator.domain.pair.task import TaskText
from comparator.interop.history import PairHistory
from comparator.interop.imported import Format, FoundLabel, FoundRun, LeftOut
from comparator.outputs.snapshot.take import Snapshot
from comparator.store.pairs import outputs, runs, tasks
from comparator.store.pairs.existing import RunKey
from comparator.store.pairs.run_files import FileRole
from comparator.store.pairs.runs import RunState
from comparator.workflow.importing import audit as audit
from comparator.workflow.importing.candidates import Completed


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
