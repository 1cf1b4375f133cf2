"""Makes a page of charts and tables fit for paper when it is printed."""
