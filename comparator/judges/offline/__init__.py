"""The offline check for when no model is configured: it looks at form, and cannot tell right from wrong."""

from comparator.judges.offline.judge import OfflineJudge

__all__ = ["OfflineJudge"]
