"""The error that this package raises."""


class DurationError(ValueError):
    """The text is not a duration, or the number of seconds is negative."""
