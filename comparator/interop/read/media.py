"""Pictures, sounds and films that a result file holds beside or in place of a text."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator
from typing import Any

from comparator.interop.imported import Attachment

_ADDRESS = re.compile(
    r"data:(?P<kind>(?:image|audio|video)/[a-z0-9.+-]+)(?:;[a-z0-9=_.+-]+)*;base64,(?P<data>[\w+/=\s-]+)",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(r"promptfoo://blob/[\w/.-]+")
_ENDINGS = {"jpeg": "jpg", "svg+xml": "svg", "mpeg": "mp3", "x-wav": "wav", "quicktime": "mov"}
_KINDS = {"images": "image", "audio": "audio", "video": "video"}


def is_data_address(output: Any) -> bool:
    """Whether an output is nothing but a picture, sound or film in letters."""
    return isinstance(output, str) and _ADDRESS.fullmatch(output.strip()) is not None


def media_of(response: Any, output: Any) -> tuple[tuple[Attachment, ...], tuple[str, ...]]:
    """The media of an output as files, and the addresses of those that are kept elsewhere."""
    found: list[tuple[str, bytes]] = []
    missing: list[str] = []
    for kind, value in _given(response, output):
        if match := _ELSEWHERE.search(value):
            missing.append(match[0])
        elif match := _ADDRESS.fullmatch(value.strip()):
            found += _decoded(match["kind"].lower(), match["data"])
        elif kind:
            data = list(_decoded(kind, value)) if value.strip() else []
            found += data
            missing += [] if data else [f"{kind.partition('/')[0]} {value[:40]}".strip()]
    named = tuple(
        Attachment(name=f"{kind.partition('/')[0]}-{number}.{_ending(kind)}", data=data)
        for number, (kind, data) in enumerate(found, start=1)
    )
    return named, tuple(missing)


def _given(response: Any, output: Any) -> Iterator[tuple[str, str]]:
    """The kind, where it is told, and the text of each medium."""
    if isinstance(output, str):
        yield "", output
    elif output is not None:
        yield "", json.dumps(output)
    for name, kind in _KINDS.items():
        value = response.get(name) if isinstance(response, dict) else None
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str):
                yield f"{kind}/png" if kind == "image" else f"{kind}/mp4", each
            elif isinstance(each, dict):
                blob = each.get("blobRef")
                places = {**each, "uri": blob.get("uri") if isinstance(blob, dict) else each.get("uri")}
                named = (places.get(name) for name in ("data", "url", "blobRef", "uri"))
                text = next((place for place in named if isinstance(place, str) and place.strip()), "")
                told = each.get("mimeType") or each.get("media_type") or f"{kind}/{each.get('format', 'png')}"
                yield str(told), text


def _decoded(kind: str, letters: str) -> Iterator[tuple[str, bytes]]:
    try:
        yield (
            kind,
            base64.b64decode("".join(letters.split()).replace("-", "+").replace("_", "/"), validate=True),
        )
    except (binascii.Error, ValueError):
        return


def _ending(kind: str) -> str:
    ending = kind.partition("/")[2]
    return _ENDINGS.get(ending, ending)
