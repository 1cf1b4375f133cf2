"""Who comes in by sign-in, and with which roles: from a claim, from allow lists, or from both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from comparator.domain.labels import Frozen
from comparator.domain.rights import Role

PREFIXES = ("", "comparator-", "comparator:")
"""What may stand before a role's name in a claim: other applications use the same claim."""


class Entry(Frozen):
    """The rules of who gets which role."""

    claim: str = ""
    """Name of the claim that lists roles; a dot leads into it ("realm_access.roles")."""
    lists: Mapping[Role, tuple[str, ...]] = Field(default_factory=dict)
    """Subjects, verified addresses, or "@example.org" for all verified addresses of that domain."""

    @property
    def lets_somebody_in(self) -> bool:
        """Whether there is a rule at all."""
        return bool(self.claim) or any(self.lists.values())

    def roles(self, claims: Mapping[str, Any]) -> frozenset[Role]:
        """The roles of whoever the provider says these claims of.

        >>> sorted(Entry(claim="roles").roles({"roles": ["comparator-lead", "other"]}))
        [<Role.LEAD: 'lead'>]
        """
        said = _said(claims, self.claim) if self.claim else frozenset()
        by_claim = {role for role in Role for prefix in PREFIXES if f"{prefix}{role.value}" in said}
        names = _names(claims)
        by_list = {
            role for role, entries in self.lists.items() if names & {entry.lower() for entry in entries}
        }
        return frozenset(by_claim | by_list)


def _said(claims: Mapping[str, Any], claim: str) -> frozenset[str]:
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


def _names(claims: Mapping[str, Any]) -> frozenset[str]:
    found = set()
    if isinstance(subject := claims.get("sub"), str):
        found.add(subject.lower())
    # An address that nobody verified is whatever its owner typed.
    if claims.get("email_verified") in (True, "true") and isinstance(address := claims.get("email"), str):
        address = address.lower()
        found |= {address, f"@{address.rpartition('@')[2]}"}
    # A subject of this shape is no address of a domain.
    return frozenset(name for name in found if name.strip("@"))
