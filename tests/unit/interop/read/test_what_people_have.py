"""Tables as people have them: chats, preference sets, numbers, lists, heads in any case, and lines that are broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from comparator.domain.errors import InputError
from comparator.interop.imported import Findings, Format, Side
from comparator.interop.read.recognise import read, recognise
from tests.unit.interop.samples import ALPACA, ROWS, as_parquet, lines, promptfoo_rows

ASKED = {"role": "user", "content": "Name a river."}
FIRST = {"role": "assistant", "content": "The Rhine."}
SECOND = {"role": "assistant", "content": "Rhine"}
MORE = [FIRST, {"role": "user", "content": "Another one?"}]


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


def test_a_set_without_a_prompt_column_asks_what_both_chats_begin_with(tmp_path: Path) -> None:
    found = found_in(tmp_path, lines([{"chosen": [ASKED, *MORE, FIRST], "rejected": [ASKED, *MORE, SECOND]}]))

    chat = "### User\n\nName a river.\n\n### Assistant\n\nThe Rhine.\n\n### User\n\nAnother one?"
    assert texts(found) == [(chat, "The Rhine."), (chat, "Rhine")]


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


def test_other_names_of_roles_and_texts_in_parts_are_known(tmp_path: Path) -> None:
    row = {
        "chosen": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Hello"}],
        "rejected": [
            {"from": "human", "value": "Hi"},
            {"from": "gpt", "value": [{"type": "text", "text": "Yo"}]},
        ],
    }

    assert texts(found_in(tmp_path, lines([row]))) == [("Hi", "Hello"), ("Hi", "Yo")]


PIXEL = "data:image/png;base64,iVBORw0KGgo="


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("plain", "plain"),
        ([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], "one\n\ntwo"),
        ([{"type": "output_text", "text": "one"}], "one"),
        ([{"type": "image_url", "image_url": {"url": PIXEL}}], f"![picture]({PIXEL})"),
        ([{"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}], "Picture: https://example.org/a.png"),
        (
            [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}],
            f"![picture]({PIXEL})",
        ),
        ([{"type": "thinking", "thinking": "First.\nThen."}], "> Thinking:\n> First.\n> Then."),
        (
            [{"type": "tool_use", "name": "add", "input": {"a": 1}}],
            'Call of add:\n\n```json\n{\n  "a": 1\n}\n```',
        ),
        (
            [{"type": "tool_result", "content": [{"type": "text", "text": "3"}]}],
            "Tool result:\n\n```json\n3\n```",
        ),
        ([{"type": "text", "text": "see"}, {"type": "function", "function": {"name": "f", "arguments": "{}"}}],
         "see\n\nCall of f:\n\n```json\n{}\n```"),
    ],
)  # fmt: skip
def test_every_shape_of_a_message_is_shown_as_what_it_says(
    tmp_path: Path, content: object, shown: str
) -> None:
    answer = {"role": "assistant", "content": content}
    row = {"prompt": "x", "output_a": [answer], "output_b": "b"}

    assert found_in(tmp_path, lines([row])).runs[0].text == shown


def test_a_part_that_nobody_understands_costs_its_row_and_is_told(tmp_path: Path) -> None:
    seen = {"role": "user", "content": [{"type": "hologram", "beam": 1}]}
    rows = [
        {"prompt": "x", "chosen": "a", "rejected": "b"},
        {"chosen": [seen, FIRST], "rejected": [seen, SECOND]},
    ]

    found = found_in(tmp_path, lines(rows))

    assert len(found.stated) == 1
    assert "hologram" in found.left_out[0].reason


@pytest.mark.parametrize(
    ("response", "files", "void"),
    [
        ({"output": PIXEL}, ["image-1.png"], ""),
        ({"output": "A bird.", "images": [{"data": PIXEL}, {"data": "/9j/", "mimeType": "image/jpeg"}]},
         ["answer.md", "image-1.png", "image-2.jpg"], ""),
        ({"output": "Spoken.", "audio": {"data": "UklGRg==", "format": "wav"}}, ["answer.md", "audio-1.wav"], ""),
        ({"output": None, "images": [{"data": PIXEL}]}, ["image-1.png"], ""),
        ({"output": "promptfoo://blob/0a1b2c"}, [], "promptfoo://blob/0a1b2c"),
        ({"output": "See it.", "images": [{"blobRef": "promptfoo://blob/ffee"}]}, [], "promptfoo://blob/ffee"),
        ({"output": "A film.", "video": {"url": "https://example.org/v.mp4"}}, [], "https://example.org/v.mp4"),
        ({"output": None, "video": {"url": "https://example.org/v.mp4", "format": "mp4"}}, [], "v.mp4"),
        ({"video": {"id": "v", "blobRef": {"uri": "promptfoo://blob/q1", "hash": "q1"}}}, [], "promptfoo://blob/q1"),
        ({"output": "x", "video": {"storageRef": {"key": "video/abc.mp4"}, "format": "mp4"}}, [], "video/abc.mp4"),
        ({"output": "x", "video": {"data": "AAAAIGZ0eXA=", "format": "webm"}}, ["answer.md", "video-1.webm"], ""),
        ({"output": "x", "audio": {"id": "a"}}, [], "audio without its content"),
        ({"output": [{"role": "assistant", "content": [{"type": "text", "text": "a"}]}]}, [], ""),
        ({"output": [{"type": "text", "text": "a"}]}, [], ""),
        ({"output": {"role": "assistant", "content": [{"type": "text", "text": "a"}]}}, [], ""),
    ],
)  # fmt: skip
def test_media_of_a_result_become_files_and_those_that_are_not_there_make_it_unusable(
    tmp_path: Path, response: dict[str, Any], files: list[str], void: str
) -> None:
    rows = [
        {"testIdx": 0, "promptIdx": n, "provider": name, "prompt": {"raw": "Draw."}, "response": given}
        for n, (name, given) in enumerate((("one", response), ("two", {"output": "words"})))
    ]
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"results": {"version": 3, "results": rows}}))

    run = read(path, format=None).runs[0]

    assert [file.name for file in run.files.files] == files if run.files else files == []
    assert void in run.void
    assert bool(run.void) == bool(void)
    if not files and not void:
        assert run.text == "a"


def test_a_parquet_file_of_small_rows_cannot_hold_endless_chats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("comparator.interop.read.parquet_rows.LARGEST", 100_000)
    chat = [{"role": "assistant", "content": "x" * 1000}]
    table = pyarrow.Table.from_pylist([{"prompt": "p", "chosen": chat, "rejected": chat}] * 1000)
    pyarrow.parquet.write_table(table, tmp_path / "set.parquet")

    with pytest.raises(InputError, match="more than 100,000 bytes"):
        read(tmp_path / "set.parquet", format=None)


def test_numbers_and_truth_values_are_outputs(tmp_path: Path) -> None:
    rows = [
        {"prompt": "6 times 7?", "output_a": 42, "output_b": 41.5},
        {"prompt": "Is it?", "output_a": True, "output_b": 0},
    ]

    assert [text for _, text in texts(found_in(tmp_path, lines(rows)))] == ["42", "41.5", "true", "0"]


def test_a_json_list_of_plain_rows_is_a_table(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(ROWS, indent=2))

    assert recognise(path) is Format.JSONL
    assert len(read(path, format=None).stated) == len(ROWS)


@pytest.mark.parametrize("kind", [None, Format.CSV])
def test_heads_of_columns_match_in_any_case(tmp_path: Path, kind: Format | None) -> None:
    path = tmp_path / "table"
    path.write_text("Prompt, OUTPUT_A ,Output_B,Label\nSay hi,Hi,Yo,A\n")

    found = read(path, format=kind)

    assert [run.text for run in found.runs] == ["Hi", "Yo"]
    assert found.labels[0].winner is Side.FIRST


@pytest.mark.parametrize("write", [lines, json.dumps])
def test_each_object_may_write_the_heads_in_its_own_case(tmp_path: Path, write: Any) -> None:
    rows = [
        {"Prompt": "Say hi", "Output_A": "Hi", "output_b": "Yo"},
        {"prompt": "Say bye", "output_a": "Bye", "OUTPUT_B": "So long"},
    ]

    assert [run.text for run in found_in(tmp_path, write(rows)).runs] == ["Hi", "Yo", "Bye", "So long"]


@pytest.mark.parametrize("write", [lines, json.dumps])
def test_columns_are_mapped_without_naming_the_format(tmp_path: Path, write: Any) -> None:
    rows = [{"question": "Say hi", "left": "Hi", "right": "Yo"}]
    columns = {"prompt": "Question", "output_a": "left", "output_b": "right"}

    assert texts(found_in(tmp_path, write(rows), columns=columns)) == [("Say hi", "Hi"), ("Say hi", "Yo")]


def test_mapped_columns_make_a_table_of_what_looks_like_a_set(tmp_path: Path) -> None:
    columns = {"prompt": "instruction", "output_a": "output_1", "output_b": "output_2"}

    assert found_in(tmp_path, json.dumps(ALPACA), columns=columns).format is Format.JSONL


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


def test_more_broken_lines_than_whole_ones_cost_themselves_in_a_file_of_lines(tmp_path: Path) -> None:
    found = found_in(tmp_path, "\n".join(["{", "{", "{", json.dumps(ROWS[0])]), name="set.jsonl")

    assert (len(found.stated), len(found.left_out)) == (1, 3)


def test_names_that_a_row_has_twice_and_half_characters_are_told(tmp_path: Path) -> None:
    row = '{"prompt": "a", "prompt": "b", "output_a": "x\\ud800", "output_b": "y"}'

    found = found_in(tmp_path, f"{row}\n", name="set.jsonl")

    assert [run.prompt for run in found.runs] == ["b", "b"]
    assert [left.reason.split(" ")[1] for left in found.left_out] == ["has", "holds"]
    assert all(left.file.endswith("row 1") for left in found.left_out)


def test_expectations_may_be_objects_with_a_text(tmp_path: Path) -> None:
    row = {**ROWS[0], "expectations": [{"text": "It greets"}, {"description": "It is short"}]}

    assert found_in(tmp_path, lines([row])).runs[0].expectations == ("It greets", "It is short")
