"""Reading the outputs of an import and the files of its tasks; what of them was not read is noted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self

from comparator.domain.errors import InputError
from comparator.interop.imported import Files, FoundRun, LeftOut
from comparator.outputs.snapshot.take import RefusedMember, Snapshot, Upload, digest_of
from comparator.outputs.view.reading import Reader, Readings
from comparator.store.pairs.run_files import FileRole
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
