"""Charts that can be read without hovering, in the colours of the page's theme; what they count stands beside them."""

from comparator.ui.frame.charts.bars import diverging, stacked
from comparator.ui.frame.charts.dots import points, steps
from comparator.ui.frame.charts.matrix import matrix
from comparator.ui.frame.charts.parts import (
    HATCHED,
    PLAIN,
    Figure,
    Point,
    Segment,
    paper_colours,
    plain,
)
from comparator.ui.frame.charts.theme import CANDIDATES, SERIES

__all__ = [
    "CANDIDATES",
    "HATCHED",
    "PLAIN",
    "SERIES",
    "Figure",
    "Point",
    "Segment",
    "diverging",
    "matrix",
    "paper_colours",
    "plain",
    "points",
    "stacked",
    "steps",
]
