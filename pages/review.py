"""Review: both outputs side by side, the judge's scores, and the reviewer's own."""

from comparator.ui import review_parts
from comparator.ui.components.panes.component import output_panes

sheet = review_parts.opened()
if sheet is not None:
    review_parts.header(sheet)
    output_panes(sheet.files, key=f"panes-{sheet.comparison_id}")
    review_parts.scores(sheet.comparison_id)
