"""Keeps keys out of everything that is stored, logged or shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import SplitResult, unquote, urlsplit

from comparator.domain.errors import SettingsError

HIDDEN = "[hidden]"
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|HEADERS", re.IGNORECASE)
_SECRET_FORM = re.compile(
    r"sk-[A-Za-z0-9_-]{8,}|(?<=Bearer )[A-Za-z0-9._~+/=-]{8,}|(?<=x-api-key: )\S{8,}", re.IGNORECASE
)
_SIGNS = ("k-", "earer ", "key: ")
"""One of these stands in whatever `_SECRET_FORM` finds, in any case of its letters. A look for them is far quicker."""
_SHORTEST = 6


class Scrubber:
    """Replaces known secrets, and whatever looks like one, in a text. Shows nothing of them in its own repr."""

    def __init__(self, secrets: Iterable[str]) -> None:
        # The longest first, so that no rest of a longer secret is left behind.
        self._secrets = tuple(sorted({s for s in secrets if len(s) >= _SHORTEST}, key=len, reverse=True))
        self._escaped = tuple(
            (secret.replace("\\", ""), re.compile("".join(map(_in_json, secret)))) for secret in self._secrets
        )

    @classmethod
    def of(cls, environment: Mapping[str, str], *, base_url: str | None = None) -> Scrubber:
        """A scrubber for the values of all variables with a secret's name, and for a password in an address."""
        secrets: list[str] = []
        for name, value in environment.items():
            if _SECRET_NAME.search(name) and value:
                secrets.append(value)
                if "HEADERS" in name.upper():
                    secrets.extend(line.partition(":")[2].strip() for line in value.splitlines())
        if base_url and (password := _parts(base_url).password):
            secrets += [password, unquote(password)]
        return cls(secrets)

    def clean(self, text: str) -> str:
        """The text without secrets, and without characters that cannot be stored."""
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        if "\\" in text:
            # Such a pattern is slow, and without numbered characters a plain look tells whether it is needed.
            plain = None if "\\u" in text else text.replace("\\", "")
            for bare, pattern in self._escaped:
                if plain is None or bare in plain:
                    text = pattern.sub(HIDDEN, text)
        folded = text.casefold()
        if any(sign in folded for sign in _SIGNS):
            text = _SECRET_FORM.sub(HIDDEN, text)
        return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def without_password(address: str) -> str:
    """An address as it can be shown: without user, password, query and fragment.

    Raises SettingsError for an address that cannot be taken apart; it may hold a password, so it is not repeated.
    """
    parts = _parts(address)
    host = parts.hostname or ""
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{host}{port}{parts.path}".rstrip("/")


def _parts(address: str) -> SplitResult:
    parts: SplitResult | None
    try:
        parts = urlsplit(address)
        # Reading the port raises too. An @ after the host is the end of a password that has a slash in it.
        readable = (parts.port or 0) >= 0 and "@" not in parts.path + parts.query + parts.fragment
    except ValueError:
        parts, readable = None, False
    if parts is None or not readable:
        raise SettingsError(
            "The judge's base URL (ANTHROPIC_BASE_URL) is not an address that can be read; it is not shown, as it may "
            "hold a password. Write it as https://host:port/path, a password's special characters as %2F, %23, %40."
        )
    return parts


def _in_json(character: str) -> str:
    """A pattern for one character of a secret, however JSON writes it."""
    if ord(character) > 0xFFFF:
        return re.escape(character)
    return rf"(?:\\u(?i:{ord(character):04x})|\\?{re.escape(character)})"
