"""Who wins: results of candidates, with what they rest on and what they cost."""
