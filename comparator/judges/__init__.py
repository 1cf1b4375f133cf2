"""Who judges: the Judge protocol, the Anthropic judge, the offline baseline, and the reading in both orders."""
