"""What a lead does with a codebook."""

from __future__ import annotations

from collections.abc import Sequence

from comparator.domain.errors import InputError
from comparator.domain.labels import Frozen
from comparator.domain.rights import Act
from comparator.domain.themes import (
    LONGEST_NAME,
    LONGEST_TEST,
    Codebook,
    Finding,
    Theme,
    ThemeChange,
    ThemeChangeKind,
    ThemeEdit,
    check_change,
    codebook_of,
    last_to_undo,
)
from comparator.store.themes import codebooks, findings, inquiries, theme_pairs
from comparator.workflow.people.people import authorise, require
from comparator.workflow.services import Services


class CodebookState(Frozen):
    """The codebook that holds, and the change that the next undo takes back."""

    book: Codebook
    to_undo: ThemeChange | None
    changed: bool
    """Whether there was ever a change."""


def state(services: Services, project_id: str) -> CodebookState:
    """How the codebook stands."""
    with services.database.read() as connection:
        changes = codebooks.changes(connection, project_id)
    return CodebookState(book=codebook_of(changes), to_undo=last_to_undo(changes), changed=bool(changes))


def rename(
    services: Services, project_id: str, theme: str, *, name: str, test: str, person_id: str | None
) -> Codebook:
    """Give a theme another name and test. Raises InputError, RightsError."""
    name, test = _named(name, LONGEST_NAME, "name"), _named(test, LONGEST_TEST, "test")
    edit = ThemeEdit(kind=ThemeChangeKind.RENAME, theme=theme, name=name, test=test)
    return _change(services, project_id, edit, person_id=person_id)


def merge(services: Services, project_id: str, theme: str, *, into: str, person_id: str | None) -> Codebook:
    """Let a theme go into another one. Raises InputError, RightsError."""
    edit = ThemeEdit(kind=ThemeChangeKind.MERGE, theme=theme, into=into)
    return _change(services, project_id, edit, person_id=person_id)


def split(
    services: Services,
    project_id: str,
    theme: str,
    *,
    name: str,
    test: str,
    findings: Sequence[str],
    person_id: str | None,
) -> Codebook:
    """Put some findings of a theme into a new one. Raises InputError, RightsError."""
    new = Theme(
        id=services.new_id(),
        name=_named(name, LONGEST_NAME, "name"),
        test=_named(test, LONGEST_TEST, "test"),
    )
    edit = ThemeEdit(kind=ThemeChangeKind.SPLIT, theme=theme, themes=(new,), findings=tuple(findings))
    return _change(services, project_id, edit, person_id=person_id)


def move(
    services: Services,
    project_id: str,
    theme: str,
    *,
    into: str | None,
    findings: Sequence[str],
    person_id: str | None,
) -> Codebook:
    """Put some findings of a theme into another one, or (None) into none. Raises InputError, RightsError."""
    edit = ThemeEdit(kind=ThemeChangeKind.MOVE, theme=theme, into=into, findings=tuple(findings))
    return _change(services, project_id, edit, person_id=person_id)


def delete(services: Services, project_id: str, theme: str, *, person_id: str | None) -> Codebook:
    """Take a theme out of the codebook. Raises InputError, RightsError."""
    edit = ThemeEdit(kind=ThemeChangeKind.DELETE, theme=theme)
    return _change(services, project_id, edit, person_id=person_id)


def undo(services: Services, project_id: str, *, person_id: str | None) -> Codebook:
    """Take the last change of a person back. Raises InputError where there is none, RightsError."""
    with services.database.read() as connection:
        require(connection, person_id, Act.CHANGE_SETTINGS, project_id=project_id)
        last = last_to_undo(codebooks.changes(connection, project_id))
    if last is None:
        raise InputError("Nobody has changed this codebook; there is nothing to undo.")
    edit = ThemeEdit(kind=ThemeChangeKind.UNDO, undoes=last.id)
    return _change(services, project_id, edit, person_id=person_id)


def of_theme(services: Services, project_id: str, theme: str) -> tuple[Finding, ...]:
    """The findings that belong to a theme by now."""
    with services.database.read() as connection:
        assignment = theme_pairs.assignment(connection, project_id)
        if assignment is None:
            return ()
        book = codebooks.codebook(connection, project_id)
        ids = [
            id
            for id, assigned in inquiries.marks(connection, assignment.id).items()
            if theme in book.themes_of(id, [each.theme for each in assigned])
        ]
        found = findings.by_id(connection, ids)
    return tuple(sorted(found.values(), key=lambda each: (each.words, each.id)))


def _change(services: Services, project_id: str, edit: ThemeEdit, *, person_id: str | None) -> Codebook:
    with services.write() as unit:
        authorise(
            unit,
            Act.CHANGE_SETTINGS,
            f"theme_{edit.kind.value}",
            person_id=person_id,
            project_id=project_id,
            subject_id=edit.theme,
            detail={"name": edit.name} if edit.name else None,
        )
        seq = codebooks.next_seq(unit.connection, project_id)
        before = codebooks.changes(unit.connection, project_id)
        change = ThemeChange(id=unit.new_id(), seq=seq, at=unit.at, person_id=person_id, **dict(edit))
        check_change(codebook_of(before), change)
        codebooks.add(unit.connection, project_id, change)
        theme_pairs.derive(unit.connection, project_id)
        return codebook_of((*before, change))


def _named(text: str, longest: int, what: str) -> str:
    text = " ".join(text.split())
    if not text or len(text) > longest:
        raise InputError(f"A theme needs a {what} of 1 to {longest} characters; this has {len(text)}.")
    return text
