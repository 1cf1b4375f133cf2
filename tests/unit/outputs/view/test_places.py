"""Original words come back from the places where they stood."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.blinding.redaction import PatternDecision, Redaction, redact
from comparator.outputs.view.built import after_cut, places_between, restored
from comparator.outputs.view.sharing import cut

words = st.lists(
    st.sampled_from(["nova", "Nova", "NOVA-lab", "and", "toolkit", "\n", " ", ".", "x", "no\nva"]),
    max_size=40,
)
RULES = [Redaction(pattern="nova", decision=PatternDecision.REDACT, replacement="toolkit")]


@given(st.text(), st.text())
def test_any_text_comes_back(original: str, other: str) -> None:
    assert restored(other, places_between(original, other)) == original


@given(words.map("".join))
def test_a_noun_of_ours_comes_back_as_what_stood_there_also_where_the_text_had_the_same_word(
    text: str,
) -> None:
    neutral = redact(text, RULES)

    assert restored(neutral, places_between(text, neutral)) == text


@given(words.map(" ".join), st.integers(min_value=1, max_value=60))
def test_what_is_left_of_a_cut_text_comes_back(text: str, limit: int) -> None:
    neutral = redact(text, RULES)
    given_text = cut(neutral, limit).text

    places = after_cut(places_between(text, neutral), whole=neutral, given=given_text)

    if given_text == neutral:
        assert restored(given_text, places) == text
    head = text[: min(limit // 3, 8)]
    if "nova" not in text.casefold()[: limit * 2]:
        assert restored(given_text, places).startswith(head)


def test_a_long_line_comes_back() -> None:
    original = "nova x " * 5_000

    neutral = redact(original, RULES)

    assert restored(neutral, places_between(original, neutral)) == original
