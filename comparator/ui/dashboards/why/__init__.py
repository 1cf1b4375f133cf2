"""Why one candidate wins: by criterion and expectation, in themes, and what to do next."""
