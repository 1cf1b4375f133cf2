"""What the offline check says of a pair's form, and the two rows that stand for it in comparison.json."""

from __future__ import annotations

from comparator.domain.scoring.rubric import Anchors, Criterion, Rubric

OPENING = "Offline check, not a judgment."
NO_DIFFERENCE = "no difference"
"""What is said of a pair of which neither output is broken; otherwise which one is, such as "B does not open"."""
FILES_PRESENT, FILES_OPEN = "content.files_present", "structure.files_open"
FORM = Rubric(
    content=(
        Criterion(
            key="files_present",
            name="Files present",
            description="Is there an output, with the files that the task names?",
            anchors=Anchors(poor="Something is missing", acceptable="-", excellent="Nothing is missing"),
        ),
    ),
    structure=(
        Criterion(
            key="files_open",
            name="Files open",
            description="Does every file open and parse?",
            anchors=Anchors(poor="One does not", acceptable="-", excellent="All do"),
        ),
    ),
)
"""What is measured. No reviewer and no model scores by it."""


def form_in_words(form: str) -> str:
    """The finding where it stands by itself.

    >>> form_in_words(NO_DIFFERENCE), form_in_words("B does not open")
    ('no difference in form', 'B does not open')
    """
    return f"{form} in form" if form == NO_DIFFERENCE else form
