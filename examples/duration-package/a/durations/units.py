"""The units of a duration, the largest first."""

SECONDS_PER_UNIT = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
