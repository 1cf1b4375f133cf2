"""Bytes as text: one zero or one place that is no UTF-8 hides nothing of the rest."""

from __future__ import annotations

import pytest

from comparator.outputs.extract.encoding import decode, read_plain
from comparator.outputs.limits import Limits

LIMITS = Limits()


def test_one_zero_in_a_text_is_shown_in_its_place_and_told() -> None:
    found = read_plain(b"before\0after", LIMITS)

    assert found.text == "before\N{REPLACEMENT CHARACTER}after"
    assert found.notes == ("It holds zero characters, which are shown as �.",)


@pytest.mark.parametrize("fault", [b"\xff", b"\xc3", b"\xe2\x82"])
def test_one_invalid_byte_leaves_the_letters_around_it_as_they_are(fault: bytes) -> None:
    found = read_plain("Grüße aus Köln, ".encode() + fault + " 漢字 und mehr".encode(), LIMITS)

    assert found.text == "Grüße aus Köln, \N{REPLACEMENT CHARACTER} 漢字 und mehr"
    assert found.notes == ("1 place of it cannot be read as UTF-8 and is shown as �.",)


def test_a_last_character_that_is_cut_off_is_left_out() -> None:
    found = decode("Grüße aus Köln, 漢".encode()[:-1])

    assert (found.text, found.encoding, found.guessed) == ("Grüße aus Köln, ", "utf-8", False)


def test_text_of_another_encoding_is_still_guessed() -> None:
    found = decode("Grüße aus Köln, schöne Straße".encode("cp1252"))

    assert (found.text, found.guessed) == ("Grüße aus Köln, schöne Straße", True)
