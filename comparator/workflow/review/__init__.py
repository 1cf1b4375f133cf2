"""A reviewer's work: the queue, the sheet, changes, notes, finalising, adjudication."""
