"""Who comes in by an allow list: verified addresses, or subjects that are named as such."""

from typing import Any

from comparator.domain.rights import EntryRules, Role


def admins(*entries: str, **claims: Any) -> bool:
    return Role.ADMIN in EntryRules(lists={Role.ADMIN: entries}).roles(claims)


def verified(email: str, **more: Any) -> dict[str, Any]:
    return {"sub": "1", "email": email, "email_verified": True, **more}


def test_a_verified_address_and_its_domain_come_in_whatever_their_case() -> None:
    assert admins("olga@example.org", **verified("Olga@Example.org"))
    assert admins("@Example.org", **verified("olga@example.org"))


def test_a_subject_is_never_taken_for_an_address() -> None:
    for subject in ("olga@example.org", "OLGA@example.org", "@example.org", "x@example.org"):
        for entry in ("olga@example.org", "@example.org"):
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


def test_an_address_that_nobody_verified_counts_for_nothing() -> None:
    unverified: tuple[dict[str, Any], ...] = ({}, {"email_verified": False}, {"email_verified": 1})
    for claims in (*({"email": "olga@example.org", **more} for more in unverified), *(
        {"email": email, "email_verified": True}
        for email in ("@example.org", "olga@example.org@evil.example", ["olga@example.org"])
    )):  # fmt: skip
        assert not admins("olga@example.org", "@example.org", sub="1", **claims)


def test_entries_that_can_match_nobody_are_named() -> None:
    entries = ("olga", "sub:", "@", "olga@example.org", "@example.org", "sub:olga")
    assert EntryRules(lists={Role.ADMIN: entries}).unusable == ("olga", "sub:", "@")
