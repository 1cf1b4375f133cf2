"""What an entry of an analysis rests on, as columns of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from comparator.reporting.scope import ResultFilter
from comparator.reporting.why.pairs import Slice
from comparator.ui.dashboards.pairs_behind import MOST, pairs_link
from comparator.ui.frame.charts import PAIRS, Cell


def evidence_columns(asked: ResultFilter, evidence: Mapping[str, Any]) -> dict[str, Cell]:
    """The columns of one entry of these counted pairs, from its evidence in the document.

    The link lists its pairs; of very many, the first.
    """
    every = evidence["pairs"]
    only = Slice(comparisons=tuple(every[:MOST]), first_of=len(every) if len(every) > MOST else 0)
    return {
        "Pairs": evidence["n"],
        "Status": evidence["status"],
        "Said by": evidence["said"],
        "Quote": "; ".join(evidence["quotes"]),
        PAIRS: pairs_link(asked, only) if only.comparisons else None,
    }
