"""Figures rest on many pairs, whose outputs need not lie on a disk."""

import pytest

from comparator.store.core.blobs import BlobStore
from comparator.store.core.sql import new_id


@pytest.fixture
def blobs() -> BlobStore:
    """An empty blob store, which waits for no disk."""
    return BlobStore.at(f"memory://{new_id()}")
