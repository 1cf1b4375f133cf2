"""What only our own lines hold beside a verdict: every file of the outputs, and labels that came from elsewhere."""

from __future__ import annotations

from comparator.domain.errors import ComparatorError, NotFound, RightsError
from comparator.domain.labels import Label, PerOutput
from comparator.domain.rights import Act
from comparator.interop.exported import Exported, GivenLabel, RunRecord
from comparator.interop.imported import Attachment, Files, LeftOut, StoredFile
from comparator.outputs.snapshot.take import Snapshot
from comparator.store.core.database import Connection
from comparator.store.pairs import comparisons, keys, labels, outputs, run_files, runs, tasks
from comparator.store.pairs.run_files import FileRole
from comparator.store.pairs.runs import Run, RunState
from comparator.store.people import projects
from comparator.workflow.exporting.large_files import LargeFiles
from comparator.workflow.people.people import require
from comparator.workflow.projects.reveal import neutral_until_reveal
from comparator.workflow.services import Services

REFERENCE = "reference.md"
"""The name under which an import keeps a reference answer that is a text."""


def whole(
    services: Services, connection: Connection, pair: Exported, *, large: LargeFiles, person_id: str | None
) -> Exported:
    """The comparison with all that a line holds: files once it is revealed, labels for who may see them.

    Files that are together too large for a line are put beside the lines.
    """
    given = _labels(connection, pair, person_id=person_id)
    if pair.made is None:
        return pair.model_copy(update={"labels": given})
    key = keys.read(connection, pair.id)
    of = {Label.A: runs.get(connection, key.run_a), Label.B: runs.get(connection, key.run_b)}
    version_id = comparisons.get(connection, pair.id).task_version_id
    task_files = tasks.files(connection, version_id)
    reader = _Reader(services, connection, large)
    found = {
        label: reader.files(of[label].snapshot_id, as_text=(made.file, pair.texts[label]))
        for label, made in pair.made.items()
    }
    return pair.model_copy(
        update={
            "labels": given,
            "records": PerOutput[RunRecord](
                A=_record(connection, of[Label.A], reader), B=_record(connection, of[Label.B], reader)
            ),
            "files": PerOutput[Files | None](A=found[Label.A], B=found[Label.B]),
            "input_files": reader.files(task_files.input_snapshot),
            "reference_files": reader.files(
                task_files.reference_snapshot, as_text=(REFERENCE, pair.reference or "")
            ),
        }
    )


def _record(connection: Connection, run: Run, reader: _Reader) -> RunRecord:
    of_run = run_files.of_run(connection, run.id)
    return RunRecord(
        transcript=reader.files(of_run.get(FileRole.TRANSCRIPT)),
        skill=reader.files(of_run.get(FileRole.SKILL)),
        cut_off=(run.state_reason or None) if run.state is RunState.CUT_OFF else None,
        superseded=run.state is RunState.SUPERSEDED,
        grading=run.grading,
        details=run.details,
    )


def _labels(connection: Connection, pair: Exported, *, person_id: str | None) -> tuple[GivenLabel, ...]:
    project_id = comparisons.get(connection, pair.id).project_id
    try:
        require(connection, person_id, Act.SEE_LABELS, project_id=project_id)
    except RightsError:
        return ()
    every = labels.of_comparison(connection, pair.id)
    revealed = pair.made is not None
    _, *authors = neutral_until_reveal(
        connection,
        projects.get(connection, project_id),
        *(label.author for label in every),
        revealed=revealed,
    )
    return tuple(
        GivenLabel(
            winner=label.winner,
            kind=label.kind.value,
            author=author,
            blind=label.blind,
            # It says which output came first where it comes from, which tells whose it is.
            value=label.value if revealed else None,
        )
        for label, author in zip(every, authors, strict=True)
    )


class _Reader:
    """Reads the files of one comparison's outputs and task, or has them put beside the lines."""

    def __init__(self, services: Services, connection: Connection, large: LargeFiles) -> None:
        self._services, self._connection, self._large = services, connection, large

    def files(self, snapshot_id: str | None, *, as_text: tuple[str | None, str] = (None, "")) -> Files | None:
        """The files of a snapshot; None where there are none, or where name and text say all.

        Raises StoreError where bytes that are too large for a line are damaged.
        """
        if snapshot_id is None:
            return None
        try:
            snapshot = outputs.load_snapshot(self._connection, snapshot_id)
            if snapshot.size > self._large.longest:
                return _as_files(snapshot, tuple(map(self._large.keep, snapshot.artifacts)))
        except NotFound:
            # Purged.
            return None
        try:
            files = tuple(
                Attachment(name=artifact.path, data=self._services.blobs.get(artifact.sha256))
                for artifact in snapshot.artifacts
            )
        except ComparatorError:
            return None
        return None if _says_all(snapshot, files, as_text) else _as_files(snapshot, files)


def _says_all(snapshot: Snapshot, files: tuple[Attachment, ...], as_text: tuple[str | None, str]) -> bool:
    name, text = as_text
    # A table's cells lose the spaces around them.
    return (
        not snapshot.is_folder
        and name == (name or "").strip()
        and files == (Attachment(name=name, data=text.encode("utf-8", "replace")),)
    )


def _as_files(snapshot: Snapshot, files: tuple[Attachment | StoredFile, ...]) -> Files:
    left_out = tuple(LeftOut(file=each.path, reason=each.reason) for each in snapshot.refused)
    return Files(folder=snapshot.is_folder, name=snapshot.name, files=files, left_out=left_out)
