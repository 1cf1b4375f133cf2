"""Notes to a project's judge: learnt from corrections, tested on held-out pairs, and adopted by a lead."""
