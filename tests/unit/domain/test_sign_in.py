"""Who comes in by an allow list: verified addresses, or subjects that are named as such."""

from typing import Any

import pytest

from comparator.domain.rights import EntryRules, Role


def admins(*entries: str, **claims: Any) -> bool:
    return Role.ADMIN in EntryRules(lists={Role.ADMIN: entries}).roles(claims)


def verified(email: str, **more: Any) -> dict[str, Any]:
    return {"sub": "1", "email": email, "email_verified": True, **more}


def test_a_verified_address_and_its_domain_come_in_whatever_their_case() -> None:
    assert admins("olga@example.org", **verified("Olga@Example.org"))
    assert admins("@Example.org", **verified("olga@example.org"))


@pytest.mark.parametrize("subject", ["olga@example.org", "OLGA@example.org", "@example.org", "x@example.org"])
@pytest.mark.parametrize("entry", ["olga@example.org", "@example.org"])
def test_a_subject_is_never_taken_for_an_address(subject: str, entry: str) -> None:
    assert not admins(entry, sub=subject)
    assert not admins(entry, **verified("eve@evil.example", sub=subject))


def test_a_subject_comes_in_exactly_and_only_where_it_is_named_as_one() -> None:
    assert admins("sub:Olga", sub="Olga")
    assert admins("sub:olga@example.org", sub="olga@example.org")
    assert not admins("sub:Olga", sub="olga")
    assert not admins("olga", sub="olga")
    assert not admins("sub:", sub="")
    assert not admins("sub:olga@example.org", **verified("olga@example.org"))
    assert not admins("sub:", **verified("olga@example.org", sub=""))


@pytest.mark.parametrize(
    "claims",
    [
        {"email": "olga@example.org"},
        {"email": "olga@example.org", "email_verified": False},
        {"email": "olga@example.org", "email_verified": 1},
        {"email": "@example.org", "email_verified": True},
        {"email": "olga@example.org@evil.example", "email_verified": True},
        {"email": ["olga@example.org"], "email_verified": True},
    ],
)
def test_an_address_that_nobody_verified_counts_for_nothing(claims: dict[str, Any]) -> None:
    assert not admins("olga@example.org", "@example.org", sub="1", **claims)


def test_entries_that_can_match_nobody_are_named() -> None:
    entry = EntryRules(
        lists={Role.ADMIN: ("olga", "sub:", "@", "olga@example.org", "@example.org", "sub:olga")}
    )
    assert entry.unusable == ("olga", "sub:", "@")
