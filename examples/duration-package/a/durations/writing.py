"""From seconds to a text."""

from durations.errors import DurationError
from durations.units import SECONDS_PER_UNIT


def format_duration(seconds: int) -> str:
    """Return the shortest text for a number of seconds, the largest unit first.

    Raises DurationError if the number is negative.
    """
    if seconds < 0:
        raise DurationError(f"a duration cannot be negative: {seconds}")
    if seconds == 0:
        return "0s"
    parts = []
    for unit, size in SECONDS_PER_UNIT.items():
        number, seconds = divmod(seconds, size)
        if number:
            parts.append(f"{number}{unit}")
    return " ".join(parts)
