"""The order of files holds for every name that a file can have."""

from __future__ import annotations

import pytest

from comparator.domain.pair.view import Family
from comparator.outputs.families import order_key


@pytest.mark.parametrize("name", ["²", "part²3.md", "①", "٣.md", "১২"])
def test_digits_of_every_kind_have_a_place_in_the_order(name: str) -> None:
    names = [name, "part2.md", "part10.md", "a.md"]

    ordered = sorted(names, key=lambda n: order_key(n, Family.MARKDOWN))

    assert ordered.index("part2.md") < ordered.index("part10.md")
