"""Modules that are loaded once are not looked through by every later collection."""

from __future__ import annotations

import gc
import sys
import types
from collections.abc import Iterator

import pytest

from comparator.web import garbage_collection


@pytest.fixture
def spared(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(garbage_collection, "_loaded", 0)
    garbage_collection.spare_modules()
    yield
    gc.callbacks.remove(garbage_collection._spare)
    gc.unfreeze()


def test_what_was_loaded_is_left_out_of_later_collections(spared: None) -> None:
    gc.collect()
    frozen = gc.get_freeze_count()
    assert frozen > 10_000
    gc.collect()
    assert gc.get_freeze_count() == frozen


def test_a_module_loaded_later_is_left_out_too(spared: None, monkeypatch: pytest.MonkeyPatch) -> None:
    gc.collect()
    frozen = gc.get_freeze_count()
    module = types.ModuleType("loaded_later")
    module.__dict__["things"] = [[] for _ in range(1000)]
    monkeypatch.setitem(sys.modules, "loaded_later", module)
    gc.collect()
    assert gc.get_freeze_count() >= frozen + 1000


def test_asked_twice_it_listens_once(spared: None) -> None:
    garbage_collection.spare_modules()
    assert gc.callbacks.count(garbage_collection._spare) == 1
