"""Components of a whole page: its list of comparisons, the folded sidebar on a narrow screen, the page on paper."""
