"""Who may do what: the one rule that pages, routes and use cases ask."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType

from comparator.domain.labels import Frozen


class Role(StrEnum):
    """What a person is, most first."""

    ADMIN = "admin"
    LEAD = "lead"
    REVIEWER = "reviewer"
    VIEWER = "viewer"


class Act(StrEnum):
    """What is done, in the words of a refusal: "You may not …"."""

    READ = "open this comparison"
    REVIEW = "review here"
    SUBMIT = "set comparisons up here"
    JUDGE = "have comparisons judged here"
    EXPORT = "export from here"
    SEE_RESULTS = "see the results of this project"
    SEE_CANDIDATES = "see who made which output"
    SEE_LABELS = "see gold labels and other people's labels"
    REVEAL = "reveal comparisons here"
    RUN_PANEL = "run this project's panel"
    CHANGE_SETTINGS = "change this project's settings"
    INVITE = "invite people to this project"
    GRANT = "give or take roles"
    PURGE = "purge anything"
    USE_SERVER_FILES = "read or write files of the server"
    OPERATE = "see or change how this server is run"
    SEE_AUDIT = "see the audit log"


EVERYWHERE = frozenset({Act.GRANT, Act.PURGE, Act.USE_SERVER_FILES, Act.OPERATE, Act.SEE_AUDIT})
"""Acts that concern the whole server; a role in one project never allows them."""
_RESULTS = frozenset({Act.EXPORT, Act.SEE_RESULTS, Act.SEE_CANDIDATES, Act.SEE_LABELS})
_ALLOWED = MappingProxyType(
    {
        Role.ADMIN: frozenset(Act),
        Role.LEAD: frozenset(Act) - EVERYWHERE,
        Role.REVIEWER: frozenset({Act.READ, Act.REVIEW}),
        Role.VIEWER: frozenset({Act.READ}) | _RESULTS,
    }
)
_AFTER_CLOSING = frozenset({Act.SEE_RESULTS, Act.SEE_CANDIDATES, Act.EXPORT})
"""What a reviewer may do as well once the project is closed: then nothing is left to be swayed by."""


class Grants(Frozen):
    """The roles that a person holds, in one project or everywhere, and whether that project is closed."""

    roles: frozenset[Role]
    closed: bool = False

    def allows(self, act: Act) -> bool:
        """Whether these roles together allow the act.

        Reviewers must not be swayed: one who is a viewer too gets a viewer's rights once the project is closed.

        >>> Grants(roles={Role.VIEWER}).allows(Act.SEE_RESULTS)
        True
        >>> Grants(roles={Role.VIEWER, Role.REVIEWER}).allows(Act.SEE_RESULTS)
        False
        """
        effective = set(self.roles)
        if Role.REVIEWER in effective and not self.closed:
            effective.discard(Role.VIEWER)
        may: set[Act] = set().union(*(_ALLOWED[role] for role in effective))
        if Role.REVIEWER in effective and self.closed:
            may |= _AFTER_CLOSING
        return act in may
