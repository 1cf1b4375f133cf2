"""Components of a whole page: fold the sidebar on a narrow screen, fit the page to paper."""
