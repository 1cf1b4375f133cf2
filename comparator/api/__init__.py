"""The Python interface: compare two outputs, import experiments, judge them in bulk, reveal, decide, export.

The command line stands on the same functions. All of them work in the home folder and database that the settings
name (`COMPARATOR_…`, or the argument `settings`), raise `comparator.domain.errors.ComparatorError` with a sentence
that says what to do, and may be called from a notebook.

    from comparator import api

    done = api.compare("runs/v31", "runs/v32", "Summarise the report.", expectations=["It names the total."])
    done.result.winner, done.result.reasoning
"""

from comparator.api.comparing import Comparison, compare, import_workspace, look_through
from comparator.api.deciding import Decision, Revealed, batch, decide, judge_records, reveal, work
from comparator.api.exporting import Shown, export, import_review, results, show
from comparator.jobs.manage_batches import BatchReport
from comparator.reporting.trust.labelled import LabelledRecord
from comparator.workflow.importing.planned import ImportReport
from comparator.workflow.importing.store import Imported

__all__ = [
    "BatchReport",
    "Comparison",
    "Decision",
    "ImportReport",
    "Imported",
    "LabelledRecord",
    "Revealed",
    "Shown",
    "batch",
    "compare",
    "decide",
    "export",
    "import_review",
    "import_workspace",
    "judge_records",
    "look_through",
    "results",
    "reveal",
    "show",
    "work",
]
