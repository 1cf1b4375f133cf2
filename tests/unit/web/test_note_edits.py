"""What the notes' browser sends is read with what it says beside, and refused where it is no note."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from comparator.web.review.messages import NoteEdit

ID = "a" * 20
PASSAGE = {"fileId": ID, "text": "420 kg", "start": 3, "end": 9, "file": "plan.md", "label": "A"}


def test_a_comment_on_a_passage_is_read() -> None:
    edit = NoteEdit.model_validate(
        {"id": ID, "do": "comment", "text": "Vague.", "passage": PASSAGE, "repliesTo": None}
    )

    assert edit.passage is not None
    assert (edit.text, edit.passage.file_id, edit.passage.start, edit.replies_to) == ("Vague.", ID, 3, None)


@pytest.mark.parametrize(
    "spoiled",
    [{"id": "../1"}, {"do": "drop"}, {"files": ["x"]}, {"passage": {}}, {"text": 7}, {"repliesTo": "x"}],
)
def test_what_is_no_note_is_refused(spoiled: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        NoteEdit.model_validate({"id": ID, "do": "comment", "text": "Vague."} | spoiled)
