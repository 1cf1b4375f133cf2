"""The route to which the score sheet sends changes."""
