"""One measured figure, and the table that all of them make."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel, ConfigDict
from rich.console import Console
from rich.table import Table


class Figure(BaseModel):
    """A measured value beside its floor: the reference that was measured in the same run, in the same unit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    value: float
    unit: str
    floor: float | None = None
    ratio: float | None = None
    # In words, such as "at most 4 times the floor".
    goal: str = ""
    # None: there is no goal to hold.
    holds: bool | None = None
    n: int


def at_most(name: str, value: float, *, unit: str, floor: float, times: float, n: int, of: str) -> Figure:
    """The figure of something that may take `times` of its floor; `of` says what the floor is."""
    ratio = value / floor
    return Figure(
        name=name,
        value=value,
        unit=unit,
        floor=floor,
        ratio=ratio,
        goal=f"at most {times:g} times {of}",
        holds=ratio <= times,
        n=n,
    )


def at_least(name: str, value: float, *, unit: str, floor: float, times: float, n: int, of: str) -> Figure:
    """The figure of something that must reach `times` of its floor; `of` says what the floor is."""
    ratio = value / floor
    return Figure(
        name=name,
        value=value,
        unit=unit,
        floor=floor,
        ratio=ratio,
        goal=f"at least {times:g} of {of}",
        holds=ratio >= times,
        n=n,
    )


def below(name: str, value: float, *, unit: str, limit: float, n: int) -> Figure:
    """The figure of something that has an absolute limit."""
    return Figure(
        name=name, value=value, unit=unit, goal=f"at most {limit:g} {unit}", holds=value <= limit, n=n
    )


def plain(name: str, value: float, *, unit: str, n: int) -> Figure:
    """A figure that is only told."""
    return Figure(name=name, value=value, unit=unit, n=n)


def show(figures: Iterable[Figure]) -> None:
    """Print the figures as a table."""
    table = Table("what", "value", "floor", "ratio", "goal", "holds", "n")
    for figure in figures:
        table.add_row(
            figure.name,
            f"{figure.value:,.4g} {figure.unit}",
            "" if figure.floor is None else f"{figure.floor:,.4g} {figure.unit}",
            "" if figure.ratio is None else f"{figure.ratio:.2f}",
            figure.goal,
            {True: "yes", False: "NO", None: ""}[figure.holds],
            str(figure.n),
        )
    Console(width=160).print(table)


def write(figures: Iterable[Figure], path: Path) -> None:
    """Write the figures as a JSON list, all keys in each."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        json.dumps([figure.model_dump() for figure in figures], indent=2) + "\n", encoding="utf-8"
    )
