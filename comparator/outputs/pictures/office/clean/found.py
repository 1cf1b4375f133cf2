"""What is met on the way through the parts of a package."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class OfficeFindings:
    """What was met on the way through the parts."""

    fonts: set[str] = field(default_factory=set)
    pages: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    linked: int = 0
    """Pictures and other things that lie outside of the file."""
