"""Who judges: the Judge protocol, the Anthropic judge, the offline check, and the reading in both orders."""
