"""Read durations such as "1h 30m" and write them again."""

from durations.errors import DurationError
from durations.parsing import parse
from durations.writing import format_duration

__all__ = ["DurationError", "format_duration", "parse"]
