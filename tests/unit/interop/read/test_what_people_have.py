"""Tables as people have them: chats, preference sets, numbers, lists, heads in any case, and lines that are broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from comparator.domain.errors import InputError
from comparator.interop.imported import Findings, Side
from comparator.interop.read.recognise import read
from tests.unit.interop.samples import ROWS, as_parquet, lines, promptfoo_rows

ASKED = {"role": "user", "content": "Name a river."}
FIRST = {"role": "assistant", "content": "The Rhine."}
SECOND = {"role": "assistant", "content": "Rhine"}


def found_in(tmp_path: Path, content: str | bytes, *, name: str = "set", **more: Any) -> Findings:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read(path, format=None, **more)


def texts(found: Findings) -> list[tuple[str, str | None]]:
    return [(run.prompt, run.text) for run in found.runs]


@pytest.mark.parametrize("write", [lines, json.dumps, as_parquet])
def test_a_preference_set_of_messages_is_read_from_lines_lists_and_parquet(
    tmp_path: Path, write: Any
) -> None:
    rows = [
        {"prompt": "Name a river.", "chosen": [ASKED, FIRST], "rejected": [ASKED, SECOND]},
        {"prompt": "Name a lake.", "chosen": [FIRST], "rejected": [SECOND]},
    ]

    found = found_in(tmp_path, write(rows))

    assert texts(found) == [
        ("Name a river.", "The Rhine."),
        ("Name a river.", "Rhine"),
        ("Name a lake.", "The Rhine."),
        ("Name a lake.", "Rhine"),
    ]
    assert [label.winner for label in found.labels] == [Side.FIRST, Side.FIRST]
    assert not found.left_out


def test_a_prompt_of_messages_and_an_answer_of_several_read_as_chats(tmp_path: Path) -> None:
    system = {"role": "system", "content": "Be short."}
    call = {"role": "assistant", "content": None, "tool_calls": [{"name": "look_up"}]}
    row = {
        "prompt": [system, ASKED],
        "output_a": [call, {"role": "tool", "content": "Rhine"}, FIRST],
        "output_b": [SECOND],
    }

    a, b = found_in(tmp_path, lines([row])).runs

    assert a.prompt == b.prompt == "### System\n\nBe short.\n\n### User\n\nName a river."
    assert (a.text_name, b.text_name) == ("chat.md", "answer.md")
    assert a.text is not None
    assert a.text.startswith("### Assistant\n\nCall of look_up:\n\n```json\nnull\n```")
    assert a.text.endswith("### Tool\n\nRhine\n\n### Assistant\n\nThe Rhine.")
    assert b.text == "Rhine"


def test_columns_and_meanings_of_labels_that_would_be_ignored_are_refused(tmp_path: Path) -> None:
    results = json.dumps(promptfoo_rows())

    with pytest.raises(InputError, match="read as promptfoo, which has no columns to map"):
        found_in(tmp_path, results, columns={"tags": "annotator"})
    with pytest.raises(InputError, match="has no labels to explain"):
        found_in(tmp_path, results, label_values={"1": "A"})


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_broken_line_costs_that_line_wherever_it_stands(tmp_path: Path, number: int) -> None:
    whole = [json.dumps({**ROWS[0], "prompt": f"Task {n}"}) for n in range(2)]
    whole.insert(number, "nothing that JSON knows")

    found = found_in(tmp_path, "\n".join(whole), name="set.jsonl")

    assert len(found.stated) == 2
    (left,) = found.left_out
    assert left.file.endswith(f"row {number + 1}")
    assert "it is not JSON" in left.reason
