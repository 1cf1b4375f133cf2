"""Notes to a project's judge: learnt from corrections, tested on pairs that were held back, and adopted by a lead."""
