"""Themes: findings in the words of whoever stated them, a codebook of named reasons, and what a lead changes in it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum

from pydantic import AwareDatetime, Field

from comparator.domain.errors import InputError
from comparator.domain.labels import Frozen, Label, Winner

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
    place: str
    """The path of the criterion, or the address of the value that was changed; empty for a strength or weakness."""
    words: str
    speaks_for: Winner
    """The output that it speaks for; TIE for neither."""

    @property
    def digest(self) -> str:
        """The same for the same reason, whatever the pair."""
        fields = [
            self.label.value,
            self.source.value,
            self.speaker.value,
            self.place,
            self.words,
            self.speaks_for.value,
        ]
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


class ThemeChangeKind(StrEnum):
    """What is done to a codebook."""

    DRAFT = "draft"
    """A model wrote `themes`."""
    RENAME = "rename"
    """`theme` gets `name` and `test`."""
    MERGE = "merge"
    """`theme` goes into `into`."""
    SPLIT = "split"
    """`findings` of `theme` go into the new theme of `themes`."""
    MOVE = "move"
    """`findings` of `theme` go to `into`, or (None) to none."""
    DELETE = "delete"
    UNDO = "undo"
    """Takes the change of the id `undoes` back."""


class ThemeEdit(Frozen):
    """What a change does to a codebook. Which values it has goes by its kind."""

    kind: ThemeChangeKind
    themes: tuple[Theme, ...] = ()
    theme: str | None = None
    into: str | None = None
    name: str = ""
    test: str = ""
    findings: tuple[str, ...] = ()
    undoes: str | None = None


class ThemeChange(ThemeEdit):
    """One change, in the order of `seq`."""

    id: str
    seq: int
    at: AwareDatetime
    person_id: str | None = None


class Codebook(Frozen):
    """The themes that hold, and where those of earlier assignments went."""

    themes: tuple[Theme, ...] = ()
    drafted: int = 0
    """The `seq` of the newest draft that holds; 0 for none."""
    kept: frozenset[str] = frozenset()
    """The ids of the themes that a person has touched."""
    went: Mapping[str, str | None] = {}
    """Into which theme one was merged; None for one that was deleted."""
    moves: tuple[tuple[str, frozenset[str], str | None], ...] = ()
    """From which theme which findings were moved where, the oldest first."""
    removed: frozenset[str] = frozenset()
    """The names that a person took away, in small letters; a new draft does not bring them back."""

    @property
    def names(self) -> dict[str, str]:
        """The names by id."""
        return {theme.id: theme.name for theme in self.themes}

    def now(self, theme: str) -> str | None:
        """The theme that this one is by now; None where it is gone."""
        seen: set[str] = set()
        while theme in self.went and theme not in seen:
            seen.add(theme)
            following = self.went[theme]
            if following is None:
                return None
            theme = following
        return theme if any(each.id == theme for each in self.themes) else None

    def themes_of(self, finding_id: str, assigned: Iterable[str]) -> tuple[str, ...]:
        """The themes of a finding that was assigned to these, after everything that a person changed."""
        belongs = {now for theme in assigned if (now := self.now(theme)) is not None}
        for start, findings, end in self.moves:
            source = self.now(start) or start
            if finding_id in findings and source in belongs:
                belongs.discard(source)
                if end is not None and (target := self.now(end)) is not None:
                    belongs.add(target)
        return tuple(theme.id for theme in self.themes if theme.id in belongs)


def not_undone(changes: Sequence[ThemeChange]) -> tuple[ThemeChange, ...]:
    """The changes that were not taken back, in their order."""
    undone = {change.undoes for change in changes if change.undoes}
    return tuple(
        change for change in changes if change.id not in undone and change.kind is not ThemeChangeKind.UNDO
    )


def last_to_undo(changes: Sequence[ThemeChange]) -> ThemeChange | None:
    """The change that the next undo takes back; a draft is none."""
    return next(
        (change for change in reversed(not_undone(changes)) if change.kind is not ThemeChangeKind.DRAFT), None
    )


def codebook_of(changes: Sequence[ThemeChange]) -> Codebook:
    """The codebook after all changes: what a person touched survives a new draft, what they took away stays away."""
    book = Codebook()
    for change in not_undone(sorted(changes, key=lambda each: each.seq)):
        book = _after(book, change)
    return book


def _after(book: Codebook, change: ThemeChange) -> Codebook:
    themes = {theme.id: theme for theme in book.themes}
    theme, into = change.theme or "", change.into
    match change.kind:
        case ThemeChangeKind.DRAFT:
            kept = [each for each in book.themes if each.id in book.kept]
            taken = {_key(each.name) for each in kept} | book.removed
            # A theme of the same name is the same one, so what was assigned to it stays.
            known = {_key(each.name): each.id for each in book.themes}
            fresh = [
                each.model_copy(update={"id": known.get(_key(each.name), each.id)})
                for each in change.themes
                if _key(each.name) not in taken
            ]
            return _with(book, [*kept, *fresh], drafted=change.seq)
        case ThemeChangeKind.RENAME if theme in themes:
            old = themes[theme]
            themes[theme] = Theme(id=theme, name=change.name or old.name, test=change.test or old.test)
            gone = {_key(old.name)} - {_key(themes[theme].name)}
            return _with(book, themes.values(), touched={theme}, removed=gone)
        case ThemeChangeKind.MERGE if theme in themes and into in themes and theme != into:
            gone = {_key(themes.pop(theme).name)}
            return _with(book, themes.values(), touched={into}, removed=gone, went={theme: into})
        case ThemeChangeKind.DELETE if theme in themes:
            gone = {_key(themes.pop(theme).name)}
            return _with(book, themes.values(), removed=gone, went={theme: None})
        case ThemeChangeKind.SPLIT if theme in themes and len(change.themes) == 1:
            (new,) = change.themes
            found = _with(book, [*themes.values(), new], touched={theme, new.id})
            return _moved(found, theme, change.findings, new.id)
        case ThemeChangeKind.MOVE if theme in themes:
            touched = {each for each in (theme, into) if each in themes}
            return _moved(_with(book, themes.values(), touched=touched), theme, change.findings, into)
    # What it was about was taken back since: nothing is left to do.
    return book


def _with(
    book: Codebook,
    themes: Iterable[Theme],
    *,
    drafted: int | None = None,
    touched: Collection[str | None] = (),
    removed: Collection[str] = (),
    went: Mapping[str, str | None] | None = None,
) -> Codebook:
    return book.model_copy(
        update={
            "themes": tuple(themes),
            "drafted": book.drafted if drafted is None else drafted,
            "kept": book.kept | {each for each in touched if each},
            "removed": book.removed | set(removed),
            "went": {**book.went, **(went or {})},
        }
    )


def _moved(book: Codebook, start: str, findings: Iterable[str], end: str | None) -> Codebook:
    return book.model_copy(update={"moves": (*book.moves, (start, frozenset(findings), end))})


def _key(name: str) -> str:
    return " ".join(name.casefold().split())


def check_change(book: Codebook, change: ThemeChange) -> None:
    """Raise InputError, with what to do, where a change does not fit the codebook."""
    names = book.names
    if change.kind not in (ThemeChangeKind.DRAFT, ThemeChangeKind.UNDO) and change.theme not in names:
        raise InputError(
            f"There is no theme {str(change.theme)[:80]!r} now. Reload the page; it may have been changed."
        )
    if change.into is not None and (change.into not in names or change.into == change.theme):
        raise InputError("Choose another theme of the codebook to go into.")
    if change.kind is ThemeChangeKind.MERGE and change.into is None:
        raise InputError("Choose the theme to merge into.")
    if change.kind in (ThemeChangeKind.MOVE, ThemeChangeKind.SPLIT) and not change.findings:
        raise InputError("Choose at least one finding.")
    taken = {_key(name) for id, name in names.items() if id != change.theme}
    new = [change.name] if change.kind is ThemeChangeKind.RENAME else [theme.name for theme in change.themes]
    if (
        change.kind in (ThemeChangeKind.RENAME, ThemeChangeKind.SPLIT)
        and {_key(name) for name in new} & taken
    ):
        raise InputError(f"There is a theme {new[0]!r} already. Merge the two, or choose another name.")


def speaks(points: Iterable[Winner]) -> Winner:
    """For which output the findings of one theme in one pair speak together.

    >>> speaks([Winner.A, Winner.A, Winner.B]).value
    'A'
    """
    total = sum({Winner.A: 1, Winner.B: -1, Winner.TIE: 0}[each] for each in points)
    return Winner.A if total > 0 else Winner.B if total < 0 else Winner.TIE
