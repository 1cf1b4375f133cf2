"""What only our own lines hold: every file of the outputs and their task, and labels."""

from __future__ import annotations

from comparator.domain.errors import ComparatorError, LimitExceeded
from comparator.domain.labels import PerOutput
from comparator.domain.rights import Act
from comparator.interop.exported import Exported, GivenLabel, RunRecord
from comparator.interop.imported import Attachment, Files, LeftOut
from comparator.store.core.database import Connection
from comparator.store.pairs import comparisons, labels, outputs, tasks
from comparator.store.pairs.runs import RunState
from comparator.store.people import projects
from comparator.workflow.exporting.gather import runs_of
from comparator.workflow.people.people import may
from comparator.workflow.projects.reveal import neutral_until_reveal
from comparator.workflow.services import Services

MOST_BYTES = 16_000_000
"""The most that a line holds of one output, or of the files of its task."""
REFERENCE = "reference.md"
"""The name under which an import keeps a reference answer that is a text."""


def whole(services: Services, connection: Connection, pair: Exported) -> Exported:
    """The comparison with all that a line holds: files once it is revealed, labels for who may see them.

    Raises LimitExceeded where its files are too large for a line.
    """
    project_id = comparisons.get(connection, pair.id).project_id
    tells = may(services, Act.SEE_LABELS, project_id=project_id)
    given = {"labels": _labels(connection, pair, project_id) if tells else ()}
    if pair.made is None:
        return pair.model_copy(update=given)

    def files(snapshot_id: str | None, name: str | None = None, text: str = "") -> Files | None:
        """The files of a snapshot; None where there are none, they were purged, or name and text say all."""
        if snapshot_id is None:
            return None
        try:
            snapshot = outputs.load_snapshot(connection, snapshot_id)
            if snapshot.size > MOST_BYTES:
                raise LimitExceeded(f"A line holds up to {MOST_BYTES:,} bytes of an output.")
            found = tuple(
                Attachment(name=artifact.path, data=services.blobs.get(artifact.sha256))
                for artifact in snapshot.artifacts
            )
        except LimitExceeded:
            raise
        except ComparatorError:
            return None
        # A table's cells lose the spaces around them.
        says_all = name == (name or "").strip() and not snapshot.is_folder
        if says_all and [(each.name, each.data) for each in found] == [
            (name, text.encode("utf-8", "replace"))
        ]:
            return None
        left_out = tuple(LeftOut(file=each.path, reason=each.reason) for each in snapshot.refused)
        return Files(folder=snapshot.is_folder, name=snapshot.name, files=found, left_out=left_out)

    runs = runs_of(connection, pair.id)
    version = tasks.get_version(connection, comparisons.get(connection, pair.id).task_version_id)
    records: dict[str, RunRecord] = {}
    own: dict[str, Files | None] = {}
    for label, run in runs.items():
        own[label.value] = files(run.snapshot_id, pair.made[label].file, pair.texts[label])
        records[label.value] = RunRecord(
            cut_off=(run.state_reason or None) if run.state is RunState.CUT_OFF else None,
            superseded=run.state is RunState.SUPERSEDED,
            grading=run.grading,
            details=run.details,
        )
    return pair.model_copy(
        update=given
        | {
            "records": PerOutput[RunRecord](**records),
            "files": PerOutput[Files | None](**own),
            "input_files": files(version.input_snapshot),
            "reference_files": files(version.reference_snapshot, REFERENCE, pair.reference or ""),
        }
    )


def _labels(connection: Connection, pair: Exported, project_id: str) -> tuple[GivenLabel, ...]:
    every = labels.of_comparison(connection, pair.id)
    revealed = pair.made is not None
    project = projects.get(connection, project_id)
    authors = (label.author for label in every)
    _, *named = neutral_until_reveal(connection, project, *authors, revealed=revealed)
    return tuple(
        GivenLabel(
            winner=label.winner,
            kind=label.kind.value,
            author=author,
            blind=label.blind,
            # It says which output came first where it comes from, which tells whose it is.
            value=label.value if revealed else None,
        )
        for label, author in zip(every, named, strict=True)
    )
