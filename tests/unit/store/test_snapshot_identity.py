"""What makes two snapshots one: a stored value, so its form never changes."""

from __future__ import annotations

import hashlib

from hypothesis import example, given
from hypothesis import strategies as st

from comparator.outputs.snapshot.take import Snapshot
from comparator.store.pairs.outputs import identity_of

DIGEST = "5f" * 32


def snapshot(name: str) -> Snapshot:
    return Snapshot(digest=DIGEST, name=name, is_folder=True, artifacts=())


def test_an_identity_is_the_one_that_is_stored() -> None:
    written_out = f"['{DIGEST}', 'caf\\xe9']".encode()

    assert identity_of(snapshot("café")) == hashlib.sha256(written_out).hexdigest()
    assert identity_of(snapshot("report.docx")) == (
        "e567151429b6534a3f3de118935a480ea08cd1b39f1f04e93c2c5adcb4cc0db7"
    )


@given(st.text(st.characters(exclude_categories=())))
@example("it's")
@example('it\'s a "report"')
@example("\\ \t\r\n\x00\x7f\xa0€😀\ud800")
def test_stored_identities_are_found_again_whatever_the_name(name: str) -> None:
    stored = hashlib.sha256(ascii([DIGEST, name]).encode()).hexdigest()

    assert identity_of(snapshot(name)) == stored
