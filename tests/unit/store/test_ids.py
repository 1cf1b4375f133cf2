"""Ids of stored things."""

from __future__ import annotations

from comparator.store.core.ids import new_id


def test_ids_are_random_and_fit_into_an_address() -> None:
    ids = {new_id() for _ in range(2000)}

    assert len(ids) == 2000
    assert all(len(id) == 20 and id.isascii() and id.isalnum() and id == id.lower() for id in ids)
