"""Data addresses as people and programs write them: their type, and the bytes that stand in them as base64."""

from __future__ import annotations

import base64
import html
import re
from urllib.parse import unquote, unquote_to_bytes

_LETTER = (
    r"[A-Za-z0-9+/_=-]|\\?[\r\n][ \t]*|\\[/nr]|\\(?=[\s,])|\\u00[0-9a-fA-F]{2}|%[0-9a-fA-F]{2}"
    r"|&(?:#\d{1,4}|#[xX][0-9a-fA-F]{1,3}|[a-zA-Z]{3,7});"
)
"""A letter of base64 as a line end, JSON, an address or markup may write it."""
BEGIN = (
    r"data(?::|&colon;|&#58;|&#x3a;|\\u003a|%3a)\s*(?P<kind>[a-z]+\\?/[a-z0-9.+-]+(?:(?:\\u002b|%2b|&#43;|&plus;)[a-z]+)?)?"
    r"(?:\s*;\s*(?!base64\s*,)[a-z0-9-]+(?:=(?:\\?[\"']|&quot;)?[a-z0-9._+/ -]+(?:\\?[\"']|&quot;)?)?)*+"
)
"""An expression for an address up to what it holds; in any case."""
PACKED = rf"\s*;\s*base64\s*,\s*(?P<packed>(?:{_LETTER})*+)"
_OF_JSON = re.compile(r"\\u00([0-9a-fA-F]{2})")


def kind_of(address: re.Match[str]) -> str:
    """The media type of an address, in small letters."""
    return _resolved(address["kind"] or "text/plain").lower()


def unpacked(packed: str) -> bytes:
    """The bytes that stand in base64, of either alphabet. Raises binascii.Error."""
    letters = re.sub(r"\\[nr]|[\s\\]", "", _resolved(packed)).replace("-", "+").replace("_", "/")
    plain = unquote_to_bytes(letters).rstrip(b"=")
    return base64.b64decode(plain + b"=" * (-len(plain) % 4))


def _resolved(written: str) -> str:
    """Letters as they are meant, without the writing of JSON, addresses and markup."""
    if "\\" not in written and "%" not in written and "&" not in written:
        return written
    plain = _OF_JSON.sub(lambda match: chr(int(match[1], 16)), written.replace("\\/", "/"))
    return html.unescape(unquote(plain))
