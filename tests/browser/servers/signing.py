"""A real provider of sign-in and the app behind it, each in a process of its own on loopback."""

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.browser.servers.serving import PATIENCE, ROOT, free_port

CLIENT = "blind-comparator"
USERS: tuple[Mapping[str, Any], ...] = (
    {"sub": "olga", "name": "Olga Owner", "email": "olga@example.org", "email_verified": True},
    {"sub": "rhea", "name": "Rhea Reviewer", "email": "rhea@example.org", "roles": ["comparator-reviewer"]},
    {"sub": "nora", "name": "Nora Nobody", "email": "olga@example.org", "email_verified": False},
)


class Process:
    """One child process that serves an address; a context manager."""

    def __init__(self, arguments: list[str], *, alive: str, environment: dict[str, str], log: Path) -> None:
        self._arguments, self._alive, self._environment, self._log = arguments, alive, environment, log
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._arguments,
                cwd=self._log.parent,
                env={**os.environ, "PYTHONPATH": os.fspath(ROOT), **self._environment},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                with urllib.request.urlopen(self._alive, timeout=1):
                    return self
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)
        self.__exit__(None, None, None)
        raise RuntimeError(f"{self._alive} does not answer: {self._log.read_text('utf-8')[-2000:]}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(20)


def provider(port: int, *, log: Path, users: Sequence[Mapping[str, Any]] = USERS) -> Process:
    """The provider with these users."""
    claims = [part for user in users for part in ("--user-claims", json.dumps(user))]
    return Process(
        [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "--port", str(port), *claims],
        alive=f"http://127.0.0.1:{port}/.well-known/openid-configuration",
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
        [sys.executable, "-m", "comparator", "serve", "--no-browser", "--no-examples", "--port", str(port)],
        alive=f"http://127.0.0.1:{port}/_stcore/health",
        environment=environment(home, port=port, provider_port=provider_port),
        log=log,
    )


__all__ = ["USERS", "environment", "free_port", "provider", "served"]
