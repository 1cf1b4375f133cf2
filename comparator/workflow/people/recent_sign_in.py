"""Acts that concern everybody ask for a sign-in of the last minutes: an open page proves only that somebody came."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from comparator.domain.errors import RightsError
from comparator.workflow.services import Services

RECENT = timedelta(minutes=15)
"""How long after a sign-in such acts are allowed without another one."""
WHOLESALE = 20
"""Who takes more comparisons with them at once than these takes the lot."""


def proved(claims: Mapping[str, Any]) -> datetime:
    """When the person of these claims proved who they are, as far as the provider says; long ago where it does not."""
    moment = next(
        (claims[name] for name in ("auth_time", "iat") if isinstance(claims.get(name), int | float)), 0
    )
    try:
        return datetime.fromtimestamp(moment, UTC)
    except (OverflowError, ValueError, OSError):
        return datetime.fromtimestamp(0, UTC)


def has_recent_sign_in(services: Services) -> bool:
    """Whether whoever asks proved within the last minutes who they are, where people sign in with a provider."""
    moment = services.proved()
    return moment is None or services.now() - moment < RECENT


def require_recent_sign_in(services: Services) -> None:
    """Raise RightsError unless whoever asks signed in within the last minutes."""
    if not has_recent_sign_in(services):
        minutes = int(RECENT.total_seconds() // 60)
        raise RightsError(
            f"This needs a sign-in within the last {minutes} minutes. Sign in again, then repeat it."
        )
