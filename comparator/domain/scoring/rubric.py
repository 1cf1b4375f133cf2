"""The scoring guide of a task: two dimensions, each with a few criteria and what 1, 3 and 5 mean."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pydantic import Field, field_validator, model_validator

from comparator.domain.labels import Dimension, Frozen

KEY = re.compile(r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$")
FEWEST, MOST = 1, 5


class Anchors(Frozen):
    """What the scores 1, 3 and 5 mean for one criterion."""

    poor: str = Field(min_length=1, max_length=600)
    acceptable: str = Field(min_length=1, max_length=600)
    excellent: str = Field(min_length=1, max_length=600)


class Criterion(Frozen):
    """One line of a rubric. `key` is snake_case and stands in comparison.json."""

    key: str = Field(max_length=60)
    name: str = Field(min_length=1, max_length=80)
    description: str = Field(default="", max_length=600)
    anchors: Anchors

    @field_validator("key")
    @classmethod
    def _snake_case(cls, key: str) -> str:
        if not KEY.match(key):
            raise ValueError(f"criterion key {key!r} is not snake_case; write it like 'field_alignment'")
        return key


class Rubric(Frozen):
    """Content and structure criteria, one to five each; the same for both outputs."""

    content: tuple[Criterion, ...]
    structure: tuple[Criterion, ...]

    @model_validator(mode="after")
    def _counts_and_keys(self) -> Rubric:
        for dimension in Dimension:
            criteria = self.of(dimension)
            if not FEWEST <= len(criteria) <= MOST:
                raise ValueError(f"{dimension} has {len(criteria)} criteria; {FEWEST} to {MOST} are allowed")
            keys = [criterion.key for criterion in criteria]
            if len(set(keys)) != len(keys):
                raise ValueError(f"{dimension} has the same criterion key twice: {', '.join(sorted(keys))}")
        return self

    def of(self, dimension: Dimension) -> tuple[Criterion, ...]:
        """The criteria of one dimension, in order."""
        return self.content if dimension is Dimension.CONTENT else self.structure

    def lines(self) -> Iterator[tuple[str, Criterion]]:
        """Each criterion with its path, such as `content.correctness`, content first."""
        for dimension in Dimension:
            for criterion in self.of(dimension):
                yield path_of(dimension, criterion.key), criterion

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of all criteria, content first."""
        return tuple(path for path, _ in self.lines())


def path_of(dimension: Dimension, key: str) -> str:
    """The address of a criterion within its rubric.

    >>> path_of(Dimension.CONTENT, "data_types")
    'content.data_types'
    """
    return f"{dimension.value}.{key}"
