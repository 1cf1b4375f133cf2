"""The deterministic baseline for when no model is configured; it measures form and cannot tell right from wrong."""

from comparator.judges.offline.judge import OfflineJudge

__all__ = ["OfflineJudge"]
