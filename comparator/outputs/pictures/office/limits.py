"""What converting one document may cost."""

from __future__ import annotations

from pydantic import Field

from comparator.domain.labels import Frozen
from comparator.outputs.limits import MB


class ConvertLimits(Frozen):
    """Seconds and bytes for one document."""

    seconds: float = Field(default=60.0, gt=0)
    memory: int = Field(default=1_500 * MB, ge=64 * MB)
    """Of all processes of the converter together."""
    sent: int = Field(default=64 * MB, ge=1)
    """Larger documents are not converted."""
    answer: int = Field(default=128 * MB, ge=1)
    """How large the finished file may be."""
