"""Review: both outputs side by side, the judge's scores, and the reviewer's own."""

from comparator.ui import output_notes, panel_brief, review_parts

sheet = review_parts.opened()
if sheet is not None:
    review_parts.header(sheet)
    panel_brief.brief(sheet.project_id, expanded=False)
    output_notes.outputs(sheet)
    review_parts.scores(sheet.comparison_id)
