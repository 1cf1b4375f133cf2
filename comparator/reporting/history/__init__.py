"""Lists of comparisons, their filters, and how a task scored over time."""
