"""Components of a whole page: list comparisons, fold the sidebar on a narrow screen, fit the page to paper."""
