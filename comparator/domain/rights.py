"""Who may do what: the one rule that pages, routes and use cases ask."""

import re
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from pydantic import Field

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


PREFIXES = ("", "comparator-", "comparator:")
"""What may stand before a role's name in a claim: other applications use the same claim."""
SUBJECT = "sub:"
"""Begins an entry of an allow list that means a subject; every other entry means addresses."""
_USABLE = re.compile(rf"{SUBJECT}.+|[^@]*@[^@]+")


class EntryRules(Frozen):
    """The rules of who gets which role."""

    claim: str = ""
    """Name of the claim that lists roles; a dot leads into it ("realm_access.roles")."""
    lists: Mapping[Role, tuple[str, ...]] = Field(default_factory=dict)
    """Verified addresses, "@example.org" for all verified addresses of that domain, or "sub:" and a subject."""

    @property
    def lets_somebody_in(self) -> bool:
        """Whether there is a rule at all."""
        return bool(self.claim) or any(self.lists.values())

    def roles(self, claims: Mapping[str, Any]) -> frozenset[Role]:
        """The roles of whoever the provider says these claims of.

        >>> sorted(EntryRules(claim="roles").roles({"roles": ["comparator-lead", "other"]}))
        [<Role.LEAD: 'lead'>]
        """
        claimed = _claimed_values(claims, self.claim) if self.claim else frozenset()
        by_claim = {role for role in Role for prefix in PREFIXES if f"{prefix}{role}" in claimed}
        subject, addresses = claims.get("sub"), _addresses(claims)
        by_list = {
            role
            for role, entries in self.lists.items()
            if any(_names(entry, subject=subject, addresses=addresses) for entry in entries)
        }
        return frozenset(by_claim | by_list)

    @property
    def unusable(self) -> tuple[str, ...]:
        """Entries that can match nobody: neither an address nor a subject with its prefix."""
        return tuple(
            entry for entries in self.lists.values() for entry in entries if not _USABLE.fullmatch(entry)
        )


def _names(entry: str, *, subject: object, addresses: frozenset[str]) -> bool:
    """Whether the entry of a list means whoever has this subject and these addresses.

    People choose their subject at some providers, so it is never compared with what may be an address.
    """
    if entry.startswith(SUBJECT):
        return bool(subject) and entry.removeprefix(SUBJECT) == subject
    return "@" in entry and entry.lower() in addresses


def _claimed_values(claims: Mapping[str, Any], claim: str) -> frozenset[str]:
    """What stands in the claim; a name with dots is looked up whole first."""
    value: Any = claims.get(claim)
    if value is None:
        value = claims
        for part in claim.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
    if isinstance(value, str):
        return frozenset(value.replace(",", " ").split())
    if isinstance(value, (list, tuple)):
        return frozenset(one for one in value if isinstance(one, str))
    return frozenset()


def _addresses(claims: Mapping[str, Any]) -> frozenset[str]:
    """The verified address and its domain, in lower case; an address that nobody verified is what its owner typed."""
    address, verified = claims.get("email"), claims.get("email_verified")
    if not (verified is True or verified == "true") or not isinstance(address, str):
        return frozenset()
    name, _, domain = address.lower().rpartition("@")
    return frozenset({f"{name}@{domain}", f"@{domain}"}) if name and domain else frozenset()
