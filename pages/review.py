"""Review: both outputs side by side, the judge's scores, and the reviewer's own."""

from comparator.ui import output_notes, review_parts

sheet = review_parts.opened()
if sheet is not None:
    review_parts.header(sheet)
    output_notes.outputs(sheet)
    review_parts.scores(sheet.comparison_id)
