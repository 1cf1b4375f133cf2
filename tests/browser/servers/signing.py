"""A real provider of sign-in and the app behind it, each in a process of its own on loopback."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.browser.servers.serving import Process, free_port

CLIENT = "blind-comparator"
USERS: tuple[Mapping[str, Any], ...] = (
    {"sub": "olga", "name": "Olga Owner", "email": "olga@example.org", "email_verified": True},
    {"sub": "rhea", "name": "Rhea Reviewer", "email": "rhea@example.org", "roles": ["comparator-reviewer"]},
    {"sub": "nora", "name": "Nora Nobody", "email": "olga@example.org", "email_verified": False},
)


def provider(port: int, *, log: Path, users: Sequence[Mapping[str, Any]] = USERS) -> Process:
    """The provider with these users."""
    claims = [part for user in users for part in ("--user-claims", json.dumps(user))]
    return Process(
        *("-W", "ignore", "-m", "oidc_provider_mock", "--port", str(port), *claims),
        port=port,
        health=".well-known/openid-configuration",
        environment={"AUTHLIB_INSECURE_TRANSPORT": "1"},
        log=log,
    )


def environment(home: Path, *, port: int, provider_port: int) -> dict[str, str]:
    """The app's settings with sign-in by that provider."""
    return {
        "COMPARATOR_HOME": os.fspath(home),
        "COMPARATOR_JUDGE": "offline",
        "COMPARATOR_PUBLIC_URL": f"http://127.0.0.1:{port}",
        "COMPARATOR_OIDC_METADATA_URL": f"http://127.0.0.1:{provider_port}/.well-known/openid-configuration",
        "COMPARATOR_OIDC_CLIENT_ID": CLIENT,
        "COMPARATOR_OIDC_CLIENT_SECRET": "client-secret-that-no-log-may-have",
        "COMPARATOR_OIDC_COOKIE_SECRET": "cookie-secret-that-no-log-may-have-either",
        "COMPARATOR_OIDC_ROLE_CLAIM": "roles",
        "COMPARATOR_OIDC_ADMINS": "olga@example.org",
    }


def served(home: Path, *, port: int, provider_port: int, log: Path) -> Process:
    """The app without a comparison, as `comparator serve` starts it."""
    return Process(
        *("-m", "comparator", "serve", "--no-browser", "--no-examples", "--port", str(port)),
        port=port,
        environment=environment(home, port=port, provider_port=provider_port),
        log=log,
    )


__all__ = ["USERS", "environment", "free_port", "provider", "served"]
