"""What the score sheet in the browser is given of a review, by the page and by the saving address alike."""

from __future__ import annotations

import secrets
from typing import Any

from comparator.workflow.review.sheet import Sheet

_NOT_SENT = {"files", "set_aside", "prompt"}
PROCESS = secrets.token_hex(8)
"""Tells this process from one that was started anew and knows nothing of the pages that are open."""


def as_sent(sheet: Sheet) -> dict[str, Any]:
    """What the browser is given of the sheet."""
    return sheet.model_dump(mode="json", exclude=_NOT_SENT)
