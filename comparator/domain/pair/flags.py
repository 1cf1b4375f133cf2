"""What deserves a second look at a pair, as lists, dashboards, exports and the score sheet call it."""

from __future__ import annotations

from typing import NamedTuple


class PairFlag(NamedTuple):
    """One such thing: its name, and what it means."""

    name: str
    about: str


SUPERSEDED = PairFlag(
    "Replaced by a later import",
    "A later import replaced one of the outputs. The result counts only under “All runs”.",
)
MAY_REVEAL = PairFlag(
    "May reveal its candidate",
    "A passage in an output says which run produced it. The pair is judged and reviewed, but counted separately from "
    "blind pairs.",
)
CUT_OFF = PairFlag("{} cut off", "The output was probably cut off before its end.")
VOID = PairFlag(
    "Unusable output",
    "One of the two runs left no output, or only an error. The result counts only under “All runs”.",
)
SAME_IN_BOTH_ORDERS = "Same in both orders"
SCORES_DISAGREE = "scores and verdict disagree"
CONTRADICTS = PairFlag(
    f"Judge's {SCORES_DISAGREE}",
    "The judge's stated winner contradicts its own scores, or it gave up the winner that it named first when it was "
    "asked again. Decide by the outputs.",
)
FLAGS = {
    "superseded": SUPERSEDED,
    "reveals": MAY_REVEAL,
    "cut": CUT_OFF,
    "void": VOID,
    "contradicts": CONTRADICTS,
}
"""By the names that the score sheet has for them."""
