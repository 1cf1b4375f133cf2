"""Review: both outputs side by side, the judge's scores, and the reviewer's own."""

from comparator.ui.frame import session
from comparator.ui.review import parts
from comparator.ui.review.looked_at import what_the_judge_looked_at

session.wake_worker()
parts.follow()
sheet = parts.opened()
if sheet is not None:
    # The outputs are what a reviewer waits for: of what stands above them, only the title is sent first.
    head = parts.title(sheet)
    called = parts.candidates(sheet)
    parts.component(sheet)
    with head:
        parts.title_details(sheet)
    parts.about_the_judgment(sheet, called)
    what_the_judge_looked_at(sheet)
