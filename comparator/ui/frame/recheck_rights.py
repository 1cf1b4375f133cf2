"""Asks for a right again in a part of a page that runs by itself: the page asked only when it was opened."""

from __future__ import annotations

from comparator.domain.errors import RightsError
from comparator.domain.rights import Act
from comparator.ui.frame import session

_TAKEN = "You no longer have access: your role here was removed or changed. Reload the page."


def require_here(act: Act = Act.READ) -> None:
    """Raise RightsError unless the act is allowed in the project that is looked at, or in all where all are."""
    project_id = session.project_id()
    if not (session.may(act, project_id=project_id) if project_id else session.sees_all(act)):
        raise RightsError(_TAKEN)


def require_somewhere(act: Act) -> None:
    """Raise RightsError unless the act is allowed in at least one project."""
    if not session.may_somewhere(act):
        raise RightsError(_TAKEN)
