"""Review: both outputs side by side, the judge's scores, and the reviewer's own."""

from comparator.ui.frame import session
from comparator.ui.review import parts

session.wake_worker()
led = parts.follow()
sheet = parts.opened()
if sheet is not None:
    # The outputs are what a reviewer waits for: of what stands above them, only the title is sent first.
    head = parts.title(sheet)
    called = parts.candidates(sheet)
    parts.component(sheet, led=led)
    with head:
        parts.title_details(sheet)
    parts.about_the_judgment(sheet, called)
    parts.what_the_judge_looked_at(sheet)
