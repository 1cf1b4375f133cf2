"""Rubrics, judgments, attempts at them, and the budgets they are paid from."""
