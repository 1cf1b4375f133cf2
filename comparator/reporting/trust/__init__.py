"""How far judge and reviewers can be trusted."""
