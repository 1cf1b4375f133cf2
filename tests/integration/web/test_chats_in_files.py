"""A file that holds a chat is shown and judged as one, whatever shape its messages have."""

import json
from typing import Any

import pytest

from comparator.outputs.preview.child_process import Renderer
from comparator.store.pairs import comparisons
from comparator.workflow.judging.rubrics import blinded_pair
from tests.integration.web.test_links_between_files import page_of
from tests.worlds.workbench import Workbench

ASKED = {"role": "user", "content": "Name a **bird**."}
CALL = {"id": "c", "type": "function", "function": {"name": "look_up", "arguments": '{"word": "wren"}'}}
CHATS: dict[str, Any] = {
    "texts": [ASKED, {"role": "assistant", "content": "A small wren."}],
    "parts": [ASKED, {"role": "assistant", "content": [{"type": "text", "text": "A small wren."}]}],
    "under a name": {"model": "m-1", "messages": [ASKED, {"role": "assistant", "content": "A small wren."}]},
    "from and value": {
        "conversations": [
            {"from": "human", "value": "Name a bird."},
            {"from": "gpt", "value": "A small wren."},
        ]
    },
    "an answer": {"choices": [{"index": 0, "message": {"role": "assistant", "content": "A small wren."}}]},
    "a message": {"role": "assistant", "content": [{"type": "text", "text": "A small wren."}], "stop": "end"},
    "tools": [
        ASKED,
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c", "content": "A small wren."},
    ],
    "thinking": [
        ASKED,
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Which?"},
                {"type": "text", "text": "A small wren."},
            ],
        },
    ],
}


def judged(bench: Workbench, text: str, name: str = "a.json") -> tuple[str, str]:
    """What the judge gets of a file, and what is said of it."""
    pair = bench.pair()
    bench.file(f"with_skill/outputs/{name}", text)
    comparison_id = bench.submitted(pair)
    with bench.services.database.read() as connection:
        blinded = blinded_pair(bench.services, connection, comparisons.get(connection, comparison_id))
    (file,) = (file for file in blinded.outputs.A.files if file.name == name)
    return file.text, " ".join(file.notes)


@pytest.mark.parametrize("chat", CHATS.values(), ids=CHATS)
def test_a_chat_is_shown_and_judged_as_one(workbench: Workbench, renderer: Renderer, chat: Any) -> None:
    page = page_of(workbench, renderer, {"a.json": json.dumps(chat)})
    text, _ = judged(workbench, json.dumps(chat))

    assert '<section class="turn' in page
    assert "A small wren." in page
    assert "### " in text
    assert "A small wren." in text
    assert '"role"' not in text + page
    assert '"content"' not in text + page


def test_lines_of_messages_are_a_chat_and_lines_of_chats_are_not(workbench: Workbench) -> None:
    lines = [ASKED, {"role": "assistant", "content": "A small wren."}]

    chat, _ = judged(workbench, "\n".join(map(json.dumps, lines)), "a.jsonl")
    several, _ = judged(workbench, "\n".join(json.dumps({"messages": lines}) for _ in range(2)), "a.jsonl")

    assert chat == "### User\n\nName a **bird**.\n\n### Assistant\n\nA small wren."
    assert several.count('"messages"') == 2


@pytest.mark.parametrize(
    "value",
    [
        [{"role": "admin", "content": "x"}],
        [{"role": "user", "content": {"unknown": 1}}],
        {"messages": ["x"]},
        [{"role": "user"}],
        [],
    ],
)
def test_what_is_no_chat_stays_as_it_is(workbench: Workbench, value: Any) -> None:
    text, _ = judged(workbench, json.dumps(value))

    assert text == json.dumps(value)
