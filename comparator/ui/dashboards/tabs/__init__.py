"""The tabs of the page, one module each; Why and How they differ have folders of their own."""
