"""Configurations that are two factors, such as model by skill: told from what is known of them, or from their names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from comparator.interop.imported import FoundRun

_TREATMENTS = {"with", "without", "no", "old", "new", "baseline", "control"}


class Grid(NamedTuple):
    """The two factors of each configuration; where `treatment` is true the first one is what is tried out."""

    factors: Mapping[str, tuple[str, str]]
    treatment: bool

    def one_factor(self, first: FoundRun, second: FoundRun) -> bool:
        """Whether the treatment alone differs; where it is not known which factor that is, either of them alone."""
        one, other = self.factors[first.configuration], self.factors[second.configuration]
        if self.treatment:
            return one[0] != other[0] and one[1] == other[1]
        return (one[0] != other[0]) != (one[1] != other[1])


def grid_of(runs: Sequence[FoundRun]) -> Grid | None:
    """The grid that the configurations of an iteration make; None where they make none, or their format tells it."""
    if all(len(run.factors) > 1 for run in runs) and len({run.factors[0] for run in runs}) > 1:
        return None
    return _of_facts(runs) or _of_names({run.configuration for run in runs})


def _of_facts(runs: Sequence[FoundRun]) -> Grid | None:
    """Skill by model, the skill first; no skill is one of the skills."""
    facts: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for run in runs:
        facts[run.configuration].add((run.skill_hash or "", run.model or ""))
    factors = {name: next(iter(each)) for name, each in facts.items() if len(each) == 1}
    if len(factors) < len(facts) or not all(model for _, model in factors.values()):
        return None
    return Grid(factors, treatment=True) if _fills(factors) else None


def _of_names(names: set[str]) -> Grid | None:
    """The two parts in which names of one form vary, such as `opus-v31`."""
    parts = {name: re.split(r"[-_ /]", name) for name in names}
    if len({len(each) for each in parts.values()}) != 1:
        return None
    columns = [set(column) for column in zip(*parts.values(), strict=True)]
    varying = [index for index, values in enumerate(columns) if len(values) > 1]
    if len(varying) != 2:
        return None
    treatments = [index for index in varying if columns[index] & _TREATMENTS]
    first, second = sorted(varying, key=lambda index: index not in treatments)
    factors = {name: (each[first], each[second]) for name, each in parts.items()}
    return Grid(factors, treatment=len(treatments) == 1) if _fills(factors) else None


def _fills(factors: Mapping[str, tuple[str, str]]) -> bool:
    """Whether there are two levels of each factor or more, and one configuration for more than 3 of 4 combinations."""
    firsts, seconds = ({cell[index] for cell in factors.values()} for index in (0, 1))
    filled = len(set(factors.values()))
    if min(len(firsts), len(seconds)) < 2 or filled < len(factors):
        return False
    return filled * 4 > len(firsts) * len(seconds) * 3
