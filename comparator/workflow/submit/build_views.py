"""The blinded views of both outputs of a submission, built alike."""

from __future__ import annotations

from comparator.domain.blinding.redaction import redacts_anything
from comparator.domain.labels import PerOutput
from comparator.outputs.view.build import build_pair, texts_to_scan
from comparator.outputs.view.built import BuiltView
from comparator.outputs.view.reading import Reader
from comparator.workflow.page_pictures import with_pictures
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import task_texts_to_scan
from comparator.workflow.submit.submission import Submission, with_nouns


def built(
    services: Services, submission: Submission, reader: Reader
) -> tuple[Submission, PerOutput[BuiltView]]:
    """What judge and reviewer will see of both outputs, pictures of pages included, and the submission with the nouns
    that stand for names in it. Stores nothing but blobs."""
    submission = _with_nouns(submission, reader)
    pair = build_pair(
        submission.outputs,
        reader,
        redactions=submission.redactions,
        taken_back=submission.taken_back,
        budget=services.budget,
        new_id=services.new_id,
        prompt=submission.task.prompt,
    )
    pair = with_pictures(
        services,
        pair,
        project=submission.project,
        candidates=submission.candidates,
        redactions=submission.redactions,
    )
    return submission, pair


def _with_nouns(submission: Submission, reader: Reader) -> Submission:
    """The submission with nouns in its redactions that occur nowhere in what judge and reviewer get."""
    if not redacts_anything(submission.redactions):
        return submission
    texts = texts_to_scan(
        submission.outputs, reader, taken_back=submission.taken_back, prompt=submission.task.prompt
    )
    task_files = task_texts_to_scan(reader, inputs=submission.inputs, reference=submission.reference)
    redactions = with_nouns(submission.redactions, task=submission.task, texts=(*texts, *task_files))
    return submission.model_copy(update={"redactions": redactions})
