"""From a text to seconds."""

import re

from durations.errors import DurationError
from durations.units import SECONDS_PER_UNIT

PART = re.compile(r"(\d+)\s*([dhms])")


def parse(text: str) -> int:
    """Return the whole seconds that a text such as "1h 30m" stands for.

    Raises DurationError if there is no duration in the text.
    """
    parts = PART.findall(text)
    if not parts:
        raise DurationError(f"not a duration: {text!r}")
    return sum(int(number) * SECONDS_PER_UNIT[unit] for number, unit in parts)
