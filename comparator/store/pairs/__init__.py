"""Tasks, candidates, runs, outputs, comparisons, their key and their reveal."""
