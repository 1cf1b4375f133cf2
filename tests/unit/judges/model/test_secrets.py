"""Keys are taken out of every text."""

import traceback

import pytest

from comparator.domain.errors import SettingsError
from comparator.judges.model.secrecy import HIDDEN, Scrubber, strip_password


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


def test_what_looks_like_a_secret_is_hidden_in_whatever_case_it_is_written() -> None:
    for text in (
        *("sk-abcdefgh1", "SK-ABCDEFGH1", "s\u212a-abcdefgh1", "\u017fk-abcdefgh1", "bearer abcdefgh1"),
        *("BEARER abcdefgh1", "X-API-KEY: abcdefgh1", "x-ap\u0131-\u212aey: abcdefgh1"),
    ):
        cleaned = Scrubber(()).clean(f"Before {text} after")
        assert "abcdefgh1" not in cleaned.lower()
        assert cleaned.startswith("Before ")
        assert cleaned.endswith(f"{HIDDEN} after")


def test_a_secret_is_found_however_json_writes_it() -> None:
    assert strip_password("https://ada:pw@host.test:8443/v1?key=x#y") == "https://host.test:8443/v1"
    assert Scrubber(()).clean("what cannot be stored: a\x00b\ud800c") == "what cannot be stored: ab?c"
    scrubber = Scrubber(['ab/c"d-éf'])
    for text in (r"ab\/c\"d-éf", r"\u0061b\u002Fc\u0022d-\u00e9f", r"ab/c\u0022d-\u00E9f", 'ab/c"d-éf'):
        assert scrubber.clean(f"x {text} y") == f"x {HIDDEN} y"


@pytest.mark.parametrize(
    "address",
    [
        *("http://user:hunter2/pw@host", "http://user:80/hunter2@host", "http://user:hunter2@[host"),
        "http://u:p?hunter2@h",
    ],
)
def test_an_address_that_cannot_be_read_is_refused_without_repeating_it(address: str) -> None:
    for use in (strip_password, lambda given: Scrubber.of({}, base_url=given)):
        with pytest.raises(SettingsError, match="ANTHROPIC_BASE_URL") as caught:
            use(address)
        traceback_text = "".join(traceback.format_exception(caught.value, chain=True))
        assert "hunter2" not in traceback_text
        assert caught.value.__cause__ is caught.value.__context__ is None
