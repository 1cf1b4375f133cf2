import re

from durations.errors import DurationError

UNITS = (("d", 86400), ("h", 3600), ("m", 60), ("s", 1))
PATTERN = re.compile(r"\s*".join(rf"(?:([0-9]+){unit})?" for unit, _ in UNITS))


def parse(text: str) -> int:
    match = PATTERN.fullmatch(text.strip())
    if match is None or not any(match.groups()):
        raise DurationError(f"{text!r} is not a duration; write it like '1h 30m'")
    return sum(int(number) * size for number, (_, size) in zip(match.groups(), UNITS) if number)


def format_duration(seconds: int) -> str:
    if seconds < 0:
        raise DurationError(f"{seconds} is negative")
    parts = []
    for unit, size in UNITS:
        number, seconds = divmod(seconds, size)
        if number:
            parts.append(f"{number}{unit}")
    return " ".join(parts) or "0s"
