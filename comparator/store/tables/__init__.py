"""All tables, grouped by theme, in one MetaData."""

from comparator.store.tables.base import metadata
from comparator.store.tables.bulk import lease, message_batch, message_request, worker
from comparator.store.tables.comparisons import (
    comparison,
    fact,
    label,
    office_pages,
)
from comparator.store.tables.guidance import guidance, guidance_split
from comparator.store.tables.judging import (
    attempt,
    batch,
    batch_item,
    budget,
    judgment,
    rubric,
)
from comparator.store.tables.outputs import (
    artifact,
    blob,
    file_original,
    snapshot,
    view,
    view_file,
    view_source,
)
from comparator.store.tables.people import (
    entry_try,
    event,
    invitation,
    person,
    project,
    purge_permit,
    role,
    sign_in,
)
from comparator.store.tables.reviews import (
    adjudication,
    change,
    claim,
    finalisation,
    note,
    review,
)
from comparator.store.tables.runs import (
    ab_key,
    candidate,
    reveal,
    run,
    run_pair,
)
from comparator.store.tables.saved import check_count, output_check
from comparator.store.tables.tasks import task, task_version
from comparator.store.tables.themes import (
    analysis,
    finding,
    inquiry,
    theme_mark,
    theme_pair,
)

__all__ = [
    "ab_key",
    "adjudication",
    "analysis",
    "artifact",
    "attempt",
    "batch",
    "batch_item",
    "blob",
    "budget",
    "candidate",
    "change",
    "check_count",
    "claim",
    "comparison",
    "entry_try",
    "event",
    "fact",
    "file_original",
    "finalisation",
    "finding",
    "guidance",
    "guidance_split",
    "inquiry",
    "invitation",
    "judgment",
    "label",
    "lease",
    "message_batch",
    "message_request",
    "metadata",
    "note",
    "office_pages",
    "output_check",
    "person",
    "project",
    "purge_permit",
    "reveal",
    "review",
    "role",
    "rubric",
    "run",
    "run_pair",
    "sign_in",
    "snapshot",
    "task",
    "task_version",
    "theme_mark",
    "theme_pair",
    "view",
    "view_file",
    "view_source",
    "worker",
]
