"""What differs in two JSON texts is told by path, whatever the types of the values."""

from __future__ import annotations

import pytest

from comparator.outputs.examine.lines import changed_values


@pytest.mark.parametrize(
    ("a", "b", "told"),
    [
        pytest.param('{"n": 1.5}', '{"n": "1.5"}', '$.n: 1.5 | "1.5"', id="a number and its digits"),
        pytest.param("[1.5, 2]", '["1.5", 2]', '$[0]: 1.5 | "1.5"', id="in a list"),
        pytest.param('[{"n": 1.5}]', "[]", '$[0]: only in A: {"n": 1.5}', id="within what one side has"),
        pytest.param('{"n": 1.10}', '{"n": 1.1}', "$.n: 1.10 | 1.1", id="numbers written otherwise"),
    ],
)
def test_numbers_and_strings_of_the_same_digits_differ(a: str, b: str, told: str) -> None:
    assert changed_values(a.encode(), b.encode()) == [told]
