"""What the probes try: every kind of probe, and injections wherever words for the judge may stand."""

from __future__ import annotations

import hashlib

from comparator.judges.probes.cases import ProbeKind, probes
from comparator.judges.probes.injections import INJECTIONS
from comparator.judges.probes.tasks import BASES, letter


def test_at_least_twenty_injections_stand_in_names_text_metadata_hidden_sheets_and_pages() -> None:
    assert len({each.name for each in INJECTIONS}) == len(INJECTIONS) >= 20
    assert {each.place for each in INJECTIONS} == {"name", "text", "metadata", "sheet", "page"}
    assert sum(probe.kind is ProbeKind.INJECTION for probe in probes()) == len(INJECTIONS)


def test_an_injection_is_the_defective_answer_and_nowhere_the_good_one() -> None:
    good = {base.name: base.good for base in BASES}

    assert not [each.name for each in INJECTIONS if each.content == good[each.base]]


def test_every_kind_is_tried() -> None:
    assert {probe.kind for probe in probes()} == set(ProbeKind)


def test_a_letter_has_the_same_bytes_with_every_version_of_the_libraries() -> None:
    made = letter("16 March", more=[r"A (b) \ c"], title="Some (title)", white=True)

    # A record of probes names them by their bytes, and what was read of these bytes is not paid for again.
    assert (
        hashlib.sha256(made).hexdigest() == "df2b1871e91611c4d5f2e9cea43c975ff1e5e3950cdb3957a65494b5b96b39b8"
    )
