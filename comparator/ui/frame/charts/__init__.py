"""Charts that can be read without hovering, in the colours of the page's theme; what they count stands beside them."""

from comparator.ui.frame.charts.bars import diverging, stacked
from comparator.ui.frame.charts.dots import points, steps
from comparator.ui.frame.charts.matrix import matrix
from comparator.ui.frame.charts.parts import (
    CANDIDATES,
    HATCHED,
    PLAIN,
    SERIES,
    Figure,
    Point,
    Segment,
    paper_colours,
    plain,
)

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
