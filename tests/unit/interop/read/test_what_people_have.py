"""Tables as people have them: chats, preference sets, numbers, lists, heads in any case, and lines that are broken."""

import json
from pathlib import Path
from typing import Any

import pytest

from comparator.domain.errors import InputError
from comparator.interop.imported import Findings
from tests.unit.interop.samples import ROWS, found_in, lines, promptfoo_row, promptfoo_rows

ASKED = {"role": "user", "content": "Name a river."}
FIRST = {"role": "assistant", "content": "The Rhine."}
SECOND = {"role": "assistant", "content": "Rhine"}


def texts(findings: Findings) -> list[tuple[str, str | None]]:
    return [(run.prompt, run.text) for run in findings.runs]


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
    with pytest.raises(InputError, match="no labels to explain"):
        found_in(tmp_path, results, label_values={"1": "A"})


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_broken_line_costs_that_line_wherever_it_stands(tmp_path: Path, number: int) -> None:
    for rows in (
        [{**ROWS[0], "prompt": f"Task {n}"} for n in range(2)],
        promptfoo_rows()["results"]["results"],
    ):
        whole = lines(rows).splitlines()
        whole.insert(number, "{nothing that JSON knows")

        findings = found_in(tmp_path, "\n".join(whole), name="set.jsonl")

        assert len(findings.runs) == 4
        (left,) = findings.left_out
        assert left.file.endswith(f"row {number + 1}")
        assert "it is not JSON" in left.reason


PIXEL = "data:image/png;base64,iVBORw0KGgo="


GEMINI_CALL = {"functionCall": {"name": "look", "args": {"at": 1}}}
SUMMARY = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm"}]}


@pytest.mark.parametrize(
    ("message", "text"),
    [
        *(({"role": "assistant", "content": content}, text) for content, text in (
            ("plain", "plain"),
            ([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], "one\n\ntwo"),
            ([{"type": "output_text", "text": "one"}], "one"),
            ([{"type": "image_url", "image_url": {"url": PIXEL}}], f"![picture]({PIXEL})"),
            ([{"type": "image_url", "image_url": {"url": "https://a.example/a.png"}}],
             "Picture: https://a.example/a.png"),
            ([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}],
             f"![picture]({PIXEL})"),
            ([{"type": "thinking", "thinking": "First.\nThen."}], "> Thinking:\n> First.\n> Then."),
            ([{"type": "tool_use", "name": "add", "input": {"a": 1}}],
             'Call of add:\n\n```json\n{\n  "a": 1\n}\n```'),
            ([{"type": "tool_result", "content": [{"type": "text", "text": "3"}]}],
             "Tool result:\n\n```json\n3\n```"),
            ([{"type": "text", "text": "see"}, {"type": "function", "function": {"name": "f", "arguments": "{}"}}],
             "see\n\nCall of f:\n\n```json\n{}\n```"),
            ({"content_type": "text", "parts": ["one"]}, "one"),
            ([SUMMARY, {"type": "text", "text": "one"}], "> Thinking:\n> Hm\n\none"),
        )),
        ({"role": "model", "parts": [{"text": "one"}]}, "one"),
        ({"role": "assistant", "content": "", "refusal": "no"}, "no"),
        ({"role": "assistant", "content": None, "refusal": "no"}, "no"),
        ({"role": "assistant", "reasoning_content": "Small\nbirds", "content": "one"},
         "> Thinking:\n> Small\n> birds\n\none"),
        ({"role": "model", "parts": [GEMINI_CALL, {"text": "one"}]},
         'Call of look:\n\n```json\n{\n  "at": 1\n}\n```\n\none'),
        ({"role": "model", "parts": [{"inlineData": {"mimeType": "image/gif", "data": "R0lG"}}]},
         "![picture](data:image/gif;base64,R0lG)"),
    ],
)  # fmt: skip
def test_every_shape_of_a_message_is_shown(tmp_path: Path, message: dict[str, Any], text: str) -> None:
    findings = found_in(tmp_path, lines([{"prompt": "x", "output_a": [message], "output_b": "b"}]))

    assert [run.text for run in findings.runs] == [text, "b"]
    assert findings.left_out == ()


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
        {**promptfoo_row(0, n, ""), "response": given}
        for n, given in enumerate((response, {"output": "words"}))
    ]

    run = found_in(tmp_path, json.dumps({"results": {"version": 3, "results": rows}})).runs[0]

    assert [file.name for file in run.files.files] == files if run.files else files == []
    assert void in run.void
    assert bool(run.void) == bool(void)
    if not files and not void:
        assert run.text == "a"
