"""Themes: findings in the words of whoever stated them, a codebook of named reasons, and what a lead changes in it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from comparator.domain.errors import InputError
from comparator.domain.labels import Frozen, Label, Winner
from comparator.domain.scoring.review import Part, Target

LONGEST_NAME, LONGEST_TEST = 80, 400


class FindingSource(StrEnum):
    """Where a finding stands."""

    STRENGTH = "strength"
    WEAKNESS = "weakness"
    RATIONALE = "rationale"
    """Why one output got its score on a criterion."""
    REASON = "reason"
    """Why a reviewer changed a value."""


class Speaker(StrEnum):
    """Whose words they are."""

    JUDGE = "judge"
    REVIEWER = "reviewer"


class StatedReason(Frozen):
    """One stated reason about one output of a pair, in the exact words."""

    comparison_id: str
    label: Label
    source: FindingSource
    speaker: Speaker
    place: str = ""
    """The path of the criterion, or the address of the value that was changed; empty for a strength or weakness."""
    words: Annotated[str, StringConstraints(strip_whitespace=True)]
    speaks_for: Winner
    """The output that it speaks for; TIE for neither."""

    @property
    def digest(self) -> str:
        """The same for the same reason, whatever the pair."""
        fields = [*self.model_dump(include=set(StatedReason.model_fields) - {"comparison_id"}).values()]
        return hashlib.sha256(json.dumps(fields).encode("utf-8", "replace")).hexdigest()


class Finding(StatedReason):
    """A stated reason that is stored."""

    id: str


class Theme(Frozen):
    """A named reason; `test` is the one sentence by which a finding belongs to it or not."""

    id: str
    name: str = Field(min_length=1, max_length=LONGEST_NAME)
    test: str = Field(min_length=1, max_length=LONGEST_TEST)


class Assigned(Frozen):
    """A theme that a finding belongs to, with the words of the finding that say so."""

    theme: str
    quote: str


class CodebookRow(Frozen):
    """A theme as a lead edits it; `into` is the id of the theme that it is merged into, or None."""

    id: str
    name: str = ""
    test: str = ""
    into: str | None = None


class Codebook(Frozen):
    """The themes of a project, and what a lead changed in them; a new draft changes neither."""

    themes: tuple[Theme, ...] = ()
    kept: tuple[str, ...] = ()
    """The ids of the themes that a lead has touched."""
    merged: dict[str, str] = Field(default_factory=dict)
    """Into which theme one was merged, by their ids."""
    removed: tuple[str, ...] = ()
    """The names that a lead took away, in small letters; a new draft does not bring them back."""

    @property
    def names(self) -> dict[str, str]:
        """The names by id."""
        return {theme.id: theme.name for theme in self.themes}

    def now(self, theme: str) -> str | None:
        """The theme that this one is by now; None where it is gone."""
        while theme in self.merged:
            theme = self.merged[theme]
        return theme if theme in self.names else None

    def themes_of(self, assigned: Iterable[str]) -> tuple[str, ...]:
        """The themes by now of a finding that was assigned to these."""
        belongs = {self.now(theme) for theme in assigned}
        return tuple(theme.id for theme in self.themes if theme.id in belongs)

    def drafted_again(self, themes: Iterable[Theme]) -> Codebook:
        """The codebook with these in place of the themes that no lead has touched."""
        kept = [theme for theme in self.themes if theme.id in self.kept]
        known_names = {_key(theme.name) for theme in kept} | set(self.removed)
        # A theme of the same name is the same one, so what was assigned to it stays.
        known = {_key(theme.name): theme.id for theme in self.themes}
        fresh = [
            theme.copy_with(id=known.get(_key(theme.name), theme.id))
            for theme in themes
            if _key(theme.name) not in known_names
        ]
        return self.copy_with(themes=(*kept, *fresh))

    def edited(self, rows: Sequence[CodebookRow]) -> Codebook:
        """The codebook as these rows have it: a theme without a row is deleted. Raises InputError, with what to do."""
        before = {theme.id: theme for theme in self.themes}
        if any(row.id not in before for row in rows):
            raise InputError(
                "A theme is no longer in the codebook. Reload the page; it may have been changed."
            )
        themes = {row.id: _theme(row) for row in rows if row.into is None}
        merged = {row.id: row.into for row in rows if row.into is not None}
        for row in rows:
            if row.into is not None and row.into not in themes:
                raise InputError(f"Merge {row.name!r} into another theme that stays in the codebook.")
        names = Counter(_key(theme.name) for theme in themes.values())
        for theme in themes.values():
            if names[_key(theme.name)] > 1:
                raise InputError(f"Two themes are called {theme.name!r}. Merge the two, or rename one.")
        touched = {id for id, theme in themes.items() if theme != before[id]} | set(merged.values())
        gone = {_key(theme.name) for theme in self.themes} | set(self.removed)
        return Codebook(
            themes=tuple(themes.values()),
            kept=tuple(sorted((touched | set(self.kept)) & themes.keys())),
            merged={**self.merged, **merged},
            removed=tuple(sorted(gone - names.keys())),
        )


def _theme(row: CodebookRow) -> Theme:
    name, test = (" ".join(text.split()) for text in (row.name, row.test))
    for text, longest, what in ((name, LONGEST_NAME, "name"), (test, LONGEST_TEST, "test")):
        if not text or len(text) > longest:
            raise InputError(f"A theme needs a {what} of 1 to {longest} characters; this has {len(text)}.")
    return Theme(id=row.id, name=name, test=test)


def _key(name: str) -> str:
    return " ".join(name.casefold().split())


def winner_of_points(points: Iterable[Winner]) -> Winner:
    """For which output the findings of one theme in one pair speak together.

    >>> winner_of_points([Winner.A, Winner.A, Winner.B]).value
    'A'
    """
    total = sum({Winner.A: 1, Winner.B: -1, Winner.TIE: 0}[point] for point in points)
    return Winner.A if total > 0 else Winner.B if total < 0 else Winner.TIE


def winner_by_score(label: Label, own: Decimal | int | None, other: Decimal | int | None) -> Winner:
    """For whom a rationale speaks: for the output that is ahead on the criterion."""
    if own is None or other is None or own == other:
        return Winner.TIE
    return Winner((label if own > other else label.other).value)


def winner_of_change(target: Target, value: object, before: object) -> Winner:
    """For whom a reviewer's reason speaks: the output whose value it raised, or the winner that it set."""
    if target.part is Part.WINNER:
        return Winner(str(value)) if value in set(Winner) else Winner.TIE
    if target.label and isinstance(value, Decimal | bool) and isinstance(before, Decimal | bool):
        return winner_by_score(target.label, value, before)
    return Winner.TIE
