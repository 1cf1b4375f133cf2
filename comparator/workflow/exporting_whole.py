"""What only our own lines hold beside a verdict: every file of the outputs, and labels that came from elsewhere."""

from __future__ import annotations

from comparator.domain.errors import ComparatorError, RightsError
from comparator.domain.labels import Label, PerOutput
from comparator.domain.rights import Act
from comparator.interop.exported import Exported, GivenLabel
from comparator.interop.model import Attachment, Files, LeftOut
from comparator.outputs.snapshot import Snapshot
from comparator.store import comparisons, keys, labels, outputs, projects, runs, tasks
from comparator.store.database import Connection
from comparator.workflow.people import require
from comparator.workflow.reveal import told
from comparator.workflow.services import Services

MOST_BYTES = 64_000_000
"""Files of one output that are together larger are not written; the output goes out as its text."""
REFERENCE = "reference.md"
"""The name under which an import keeps a reference answer that is a text."""


def whole(services: Services, connection: Connection, pair: Exported, *, person_id: str | None) -> Exported:
    """The comparison with all that a line holds: files once it is revealed, labels for who may see them."""
    given = _labels(connection, pair, person_id=person_id)
    if pair.made is None:
        return pair.model_copy(update={"labels": given})
    key = keys.read(connection, pair.id)
    of = {Label.A: runs.get(connection, key.run_a), Label.B: runs.get(connection, key.run_b)}
    version_id = comparisons.get(connection, pair.id).task_version_id
    beside = tasks.files(connection, version_id)
    found = {
        label: _files(services, connection, of[label].snapshot_id, as_text=(made.file, pair.texts[label]))
        for label, made in pair.made.items()
    }
    return pair.model_copy(
        update={
            "labels": given,
            "files": PerOutput[Files | None](A=found[Label.A], B=found[Label.B]),
            "input_files": _files(services, connection, beside.input_snapshot),
            "reference_files": _files(
                services, connection, beside.reference_snapshot, as_text=(REFERENCE, pair.reference or "")
            ),
        }
    )


def _labels(connection: Connection, pair: Exported, *, person_id: str | None) -> tuple[GivenLabel, ...]:
    project_id = comparisons.get(connection, pair.id).project_id
    try:
        require(connection, person_id, Act.SEE_LABELS, project_id=project_id)
    except RightsError:
        return ()
    every = labels.of_comparison(connection, pair.id)
    revealed = pair.made is not None
    _, *authors = told(
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


def _files(
    services: Services,
    connection: Connection,
    snapshot_id: str | None,
    *,
    as_text: tuple[str | None, str] = (None, ""),
) -> Files | None:
    """The files of a snapshot; None where there are none, where name and text say all, or they are too large."""
    if snapshot_id is None:
        return None
    try:
        snapshot = outputs.load_snapshot(connection, snapshot_id)
        if sum(artifact.size for artifact in snapshot.artifacts) > MOST_BYTES:
            return None
        files = tuple(
            Attachment(name=artifact.path, data=services.blobs.get(artifact.sha256))
            for artifact in snapshot.artifacts
        )
    except ComparatorError:
        # Purged.
        return None
    return None if _says_all(snapshot, files, as_text) else _as_files(snapshot, files)


def _says_all(snapshot: Snapshot, files: tuple[Attachment, ...], as_text: tuple[str | None, str]) -> bool:
    name, text = as_text
    return not snapshot.is_folder and files == (
        Attachment(name=name or "", data=text.encode("utf-8", "replace")),
    )


def _as_files(snapshot: Snapshot, files: tuple[Attachment, ...]) -> Files:
    left_out = tuple(LeftOut(file=each.path, reason=each.reason) for each in snapshot.refused)
    return Files(folder=snapshot.is_folder, name=snapshot.name, files=files, left_out=left_out)
