"""Keeps keys and passwords out of whatever is stored, shown or logged."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Self
from urllib.parse import SplitResult, unquote, urlsplit

from comparator.domain.errors import SettingsError
from comparator.judges.model.sender import AnthropicOptions, Provider

API = "https://api.anthropic.com"
HIDDEN = "[hidden]"
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|HEADERS", re.IGNORECASE)
_SECRET_FORM = re.compile(
    r"sk-[A-Za-z0-9_-]{8,}|(?<=Bearer )[A-Za-z0-9._~+/=-]{8,}|(?<=x-api-key: )\S{8,}", re.IGNORECASE
)
_ESCAPED = re.compile(r"(?<!\\)((?:\\\\)*)\\(?:u([0-9a-fA-F]{4})|/)")
_SHORTEST = 6


class Scrubber:
    """Replaces known secrets, and whatever looks like one, in a text. Shows nothing of them in its own repr."""

    def __init__(self, secrets: Iterable[str]) -> None:
        known = {secret for secret in secrets if len(secret) >= _SHORTEST}
        known |= {json.dumps(secret, ensure_ascii=False)[1:-1] for secret in known}
        # The longest first, so that no rest of a longer secret is left behind.
        self._secrets = tuple(sorted(known, key=len, reverse=True))

    @classmethod
    def of(cls, environment: Mapping[str, str], *, base_url: str | None = None) -> Self:
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
        """The text without secrets, and without characters that cannot be stored.

        JSON's escapes are undone where the text stays the same JSON, so that nothing hides behind them.
        """
        text = _ESCAPED.sub(_unescaped, text)
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return _SECRET_FORM.sub(HIDDEN, text).replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def strip_password(address: str) -> str:
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


def _unescaped(escape: re.Match[str]) -> str:
    character = chr(int(escape[2], 16)) if escape[2] else "/"
    if not character.isprintable():
        return escape[0]
    return escape[1] + ("\\" if character in '"\\' else "") + character


def server_of(options: AnthropicOptions) -> str:
    """The server as it can be shown: its address without a password, or the provider's name."""
    if options.base_url:
        return strip_password(options.base_url)
    return API if options.provider is Provider.API else options.provider.value.capitalize()
