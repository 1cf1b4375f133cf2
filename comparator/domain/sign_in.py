"""Who comes in by sign-in, and with which roles: from a claim, from allow lists, or from both."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import Field

from comparator.domain.labels import Frozen
from comparator.domain.rights import Role

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
        by_claim = {role for role in Role for prefix in PREFIXES if f"{prefix}{role.value}" in claimed}
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
