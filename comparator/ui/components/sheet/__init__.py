"""The score sheet: criteria, expectations, words and decision of one review, as one component."""

from comparator.ui.components.sheet.component import Download, score_sheet, sent
from comparator.web.saving.events import Command, CommandName, Refusal, SentChange, SheetEvents

__all__ = [
    "Command",
    "CommandName",
    "Download",
    "Refusal",
    "SentChange",
    "SheetEvents",
    "score_sheet",
    "sent",
]
