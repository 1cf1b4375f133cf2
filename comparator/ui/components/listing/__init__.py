"""A list of comparisons: rows with links, winners, flags, times and what can be done with them."""

from comparator.ui.components.listing.component import (
    Action,
    Column,
    Flag,
    ListRow,
    RowAction,
    Save,
    Sorting,
    Tone,
    listing,
)

__all__ = ["Action", "Column", "Flag", "ListRow", "RowAction", "Save", "Sorting", "Tone", "listing"]
