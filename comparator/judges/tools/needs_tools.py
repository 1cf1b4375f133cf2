"""Which pairs a judge cannot read in one request."""

from __future__ import annotations

from comparator.domain.pair.view import BlindedPair
from comparator.domain.scoring.judgment import Tools
from comparator.judges.tools.missing_content import noted_of_view, opens_more


def needs_tools(pair: BlindedPair, mode: Tools) -> bool:
    """Whether a pair is read with tools: in the mode `auto`, where something of it does not fit into a request."""
    if mode is not Tools.AUTO:
        return mode is Tools.ALWAYS
    views = (pair.outputs.A, pair.outputs.B, pair.inputs, pair.reference)
    return any(
        noted_of_view(view.notes) or any(map(opens_more, view.files)) for view in views if view is not None
    )
