"""Keys are taken out of every text."""

from __future__ import annotations

from comparator.judges.secrets import HIDDEN, Scrubber, without_password


def test_secrets_of_the_environment_and_what_looks_like_one_are_hidden() -> None:
    scrubber = Scrubber.of(
        {
            "ANTHROPIC_API_KEY": "my-own-key-123",
            "AWS_SECRET_ACCESS_KEY": "aws-secret-456",
            "ANTHROPIC_CUSTOM_HEADERS": "X-Gate: gate-pass-789\nX-Other: 1",
            "HOME": "/home/ada",
        },
        base_url="http://ada:door-code@127.0.0.1",
    )
    said = (
        "my-own-key-123 aws-secret-456 gate-pass-789 door-code sk-ant-api03-abcdefgh "
        "Authorization: Bearer abc.def-ghi /home/ada"
    )
    clean = scrubber.clean(said)
    assert clean == f"{HIDDEN} {HIDDEN} {HIDDEN} {HIDDEN} {HIDDEN} Authorization: Bearer {HIDDEN} /home/ada"
    assert "key" not in repr(scrubber)


def test_what_cannot_be_stored_is_taken_out_too() -> None:
    assert Scrubber(()).clean("a\x00b\ud800c") == "ab?c"


def test_an_address_is_shown_without_its_password() -> None:
    assert without_password("https://ada:pw@host.test:8443/v1?key=x#y") == "https://host.test:8443/v1"
