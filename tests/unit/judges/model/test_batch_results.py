"""The lines of a Message Batch's results, however they arrive."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

from comparator.judges.model import message_batches


def lines_of(pieces: Sequence[bytes]) -> list[bytes]:
    async def arriving() -> AsyncIterator[bytes]:
        for piece in pieces:
            yield piece

    async def read() -> list[bytes]:
        return [line async for line in message_batches._lines(arriving())]

    return asyncio.run(read())


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_a_line_without_an_end_costs_no_other_one_and_is_not_held(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_batches, "LONGEST_LINE", 4)
    text = b"1234\nsecond\n\nabc\r\n" + b"x" * 90

    found = lines_of([text[at : at + size] for at in range(0, len(text), size)])

    assert found == [b"1234", b"", b"abc\r"]
    assert lines_of([text[:12], b"end"]) == [b"1234", b"end"]
