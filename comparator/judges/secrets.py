"""Keeps keys out of everything that is stored, logged or shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

HIDDEN = "[hidden]"
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|HEADERS", re.IGNORECASE)
_SECRET_FORM = re.compile(
    r"sk-[A-Za-z0-9_-]{8,}|(?<=Bearer )[A-Za-z0-9._~+/=-]{8,}|(?<=x-api-key: )\S{8,}", re.IGNORECASE
)
_SHORTEST = 6


class Scrubber:
    """Replaces known secrets, and whatever looks like one, in a text. Shows nothing of them in its own repr."""

    def __init__(self, secrets: Iterable[str]) -> None:
        # The longest first, so that no rest of a longer secret is left behind.
        self._secrets = tuple(sorted({s for s in secrets if len(s) >= _SHORTEST}, key=len, reverse=True))

    @classmethod
    def of(cls, environment: Mapping[str, str], *, base_url: str | None = None) -> Scrubber:
        """A scrubber for the values of all variables with a secret's name, and for a password in an address."""
        secrets: list[str] = []
        for name, value in environment.items():
            if _SECRET_NAME.search(name) and value:
                secrets.append(value)
                if "HEADERS" in name.upper():
                    secrets.extend(line.partition(":")[2].strip() for line in value.splitlines())
        if base_url and (password := urlsplit(base_url).password):
            secrets.append(password)
        return cls(secrets)

    def clean(self, text: str) -> str:
        """The text without secrets, and without characters that cannot be stored."""
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        text = _SECRET_FORM.sub(HIDDEN, text)
        return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def without_password(address: str) -> str:
    """An address as it can be shown: without user, password, query and fragment."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{host}{port}{parts.path}".rstrip("/")
