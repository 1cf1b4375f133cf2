"""One measured figure."""

import statistics
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Figure(NamedTuple):
    """A measured value, where there is one beside its floor: what was measured in the same run, in the same unit.
    `holds` is None where there is no goal to hold."""

    name: str
    value: float
    unit: str
    n: int
    floor: float | None = None
    ratio: float | None = None
    goal: str = ""
    holds: bool | None = None


def figure(
    name: str,
    values: float | Sequence[float],
    unit: str,
    *,
    floor: float | None = None,
    of: str = "",
    times: float | None = None,
    limit: float | None = None,
) -> Figure:
    """The median of the values: at most `times` the floor, which `of` names, or at most `limit`, or only told."""
    several = [values] if isinstance(values, int | float) else values
    value = statistics.median(several)
    ratio, goal, holds = None if floor is None else value / floor, "", None
    if times is not None and ratio is not None:
        goal, holds = f"at most {times:g} times {of}", ratio <= times
    elif limit is not None:
        goal, holds = f"at most {limit:g} {unit}", value <= limit
    return Figure(name, value, unit, len(several), floor, ratio, goal, holds)


def seconds(act: Callable[[], object], *, clock: Callable[[], float] = time.perf_counter) -> float:
    """What the act takes by this clock."""
    began = clock()
    act()
    return clock() - began
