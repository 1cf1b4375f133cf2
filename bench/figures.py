"""One measured figure, and the table that all of them make."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from pydantic import BaseModel, TypeAdapter
from rich.console import Console
from rich.markup import escape
from rich.table import Table


class Figure(BaseModel):
    """A measured value, where there is one beside its floor: what was measured in the same run, in the same unit."""

    name: str
    value: float
    unit: str
    n: int
    floor: float | None = None
    ratio: float | None = None
    goal: str = ""
    # None: there is no goal to hold.
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
    found = Figure(name=name, value=value, unit=unit, n=len(several), floor=floor)
    if floor is not None:
        found.ratio = value / floor
    if times is not None and found.ratio is not None:
        found.goal, found.holds = f"at most {times:g} times {of}", found.ratio <= times
    elif limit is not None:
        found.goal, found.holds = f"at most {limit:g} {unit}", value <= limit
    return found


def seconds(act: Callable[[], object], *, clock: Callable[[], float] = time.perf_counter) -> float:
    """What the act takes by this clock."""
    began = clock()
    act()
    return clock() - began


def show(figures: Sequence[Figure]) -> None:
    """Print the figures as a table."""
    table = Table("what", "value", "floor", "ratio", "goal", "holds", "n")
    for each in figures:
        table.add_row(
            escape(each.name),
            f"{each.value:,.4g} {each.unit}",
            "" if each.floor is None else f"{each.floor:,.4g} {each.unit}",
            "" if each.ratio is None else f"{each.ratio:.2f}",
            each.goal,
            {True: "yes", False: "NO", None: ""}[each.holds],
            str(each.n),
        )
    Console(width=160).print(table)


def write(figures: Sequence[Figure], path: Path) -> None:
    """Write the figures as a JSON list, all keys in each."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(TypeAdapter(Sequence[Figure]).dump_json(figures, indent=2))
