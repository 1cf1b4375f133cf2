"""Review: both outputs side by side, the judge's scores, and the reviewer's own."""

from comparator.ui.frame import session
from comparator.ui.review import outputs, parts

session.wake_worker()
sheet = parts.opened()
if sheet is not None:
    # The outputs are what a reviewer waits for: of what stands above them, only the title is sent first.
    head = parts.title(sheet)
    called = parts.candidates(sheet)
    outputs.outputs(sheet, called)
    with head:
        parts.title_details(sheet)
    parts.scores(sheet, called)
