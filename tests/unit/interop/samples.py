"""A small file of each format, written for these tests."""

import base64
import csv
import io
import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

from comparator.interop.imported import Findings, Format
from comparator.interop.recognise import read

CANDIDATES = {"candidate_a": "v1", "candidate_b": "v2"}
ROWS = [
    {
        "prompt": "Say hello",
        "output_a": "Hello",
        "output_b": "Hi",
        **CANDIDATES,
        "label": "A",
        "label_author": "Kim",
    },
    {
        "prompt": "Say goodbye",
        "output_a": "Bye",
        "output_b": "",
        **CANDIDATES,
        "label": "tie",
        "label_author": "Kim",
    },
]
FRUITS = {"instruction": "Name a fruit", "output_1": "Apple", "output_2": "Pear"}
ALPACA: list[dict[str, Any]] = [
    {**FRUITS, "generator_1": "m1", "generator_2": "m2", "annotator": "judge-x", "preference": preference}
    for preference in (1, 2.0, 1.5, 0, 1.2, None)
]
LLMBAR = [
    {"input": "Add 1 and 1", "output_1": "2", "output_2": "3", "label": 1},
    {"input": "Add 1 and 2", "output_1": "2", "output_2": "3", "label": 2},
]
MATHS = {"source": "maths", "question": "What is 2 times 3?", "response_model": "m1"}
JUDGEBENCH = [
    {"pair_id": f"p{number}", **MATHS, "response_A": f"6 ({number})", "response_B": "5", "label": label}
    for number, label in enumerate(("A>B", "B>A"))
]
REWARDBENCH = [
    {
        "id": f"{number}",
        "prompt": f"What is 2 times {number}?",
        "chosen": [str(2 * number)],
        "rejected": [str(2 * number + more) for more in (1, 2, 3)],
        "num_correct": 1,
        "num_incorrect": 3,
        "total_completions": 4,
        "models": ["m1", "m2", "m3", "m4"],
        "subset": subset,
        "additional_metadata": {"category": None},
    }
    for number, subset in ((3, "Math"), (4, "Focus"))
]
"""Written by us from the documented columns of RewardBench 2; no rows of the set itself."""
ASKED = {"role": "user", "content": "Name a bird"}
VOTES: list[dict[str, Any]] = [
    {
        "question_id": 81,
        "model_a": "m1",
        "model_b": "m2",
        "judge": "expert_1",
        "turn": 1,
        "winner": winner,
        "conversation_a": [ASKED, {"role": "assistant", "content": "Wren"}],
        "conversation_b": [ASKED, {"role": "assistant", "content": "Robin"}],
    }
    for winner in ("model_a", "tie (bothbad)")
]


def lines(rows: list[Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def as_csv(rows: list[dict[str, str]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def as_parquet(rows: list[dict[str, Any]]) -> bytes:
    sink = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), sink)
    return sink.getvalue()


def comparator_file() -> dict[str, Any]:
    return {
        "metadata": {},
        "models": [{"name": "m1"}, {"name": "m2"}],
        "examples": [
            {
                "input_text": "Draw a dot",
                "tags": ["art"],
                "output_text_a": [
                    {"data": "Here:", "type": "text"},
                    {"data": base64.b64encode(b"\x89PNG...").decode(), "type": "image_byte"},
                ],
                "output_text_b": ".",
                "score": -0.5,
                "individual_rater_scores": [
                    {"score": -1.0, "rating_label": "A is better", "is_flipped": True, "rationale": "."}
                ],
            }
        ],
    }


def promptfoo_row(test: int, prompt: int, output: Any, *, mark: bool | None = None) -> dict[str, Any]:
    marks = [] if mark is None else [{"pass": mark, "assertion": {"type": "human"}, "reason": ""}]
    return {
        "testIdx": test,
        "promptIdx": prompt,
        "provider": {"id": f"vendor:m{prompt}", "label": f"m{prompt}"},
        "prompt": {"raw": f"Count to {test}", "label": "count"},
        "vars": {"n": test},
        "response": {"output": output, "tokenUsage": {"completion": 7}},
        "latencyMs": 1200,
        "gradingResult": {"componentResults": marks},
        "testCase": {"assert": [{"type": "llm-rubric", "value": "It counts"}]},
    }


def promptfoo_rows() -> dict[str, Any]:
    rows = [
        promptfoo_row(0, 0, "0", mark=True),
        promptfoo_row(0, 1, {"count": [0]}, mark=False),
        promptfoo_row(1, 0, "1"),
        {**promptfoo_row(1, 1, None), "response": None, "error": "rate limit"},
    ]
    return {"evalId": "e", "results": {"version": 3, "results": rows, "prompts": []}, "config": {}}


def promptfoo_table() -> dict[str, Any]:
    prompts = [{"raw": "Count to {{n}}", "label": "count", "provider": f"vendor:m{i}"} for i in range(2)]
    head = {"prompts": prompts, "vars": ["n"]}
    outputs = [{"text": "0", "pass": True, "prompt": "Count to 0"}, {"text": "none", "prompt": "Count to 0"}]
    return {"results": {"version": 2, "table": {"head": head, "body": [{"outputs": outputs, "vars": ["0"]}]}}}


SAMPLES: dict[Format, str | bytes] = {
    Format.CSV: as_csv(ROWS),
    Format.JSONL: lines(ROWS),
    Format.PARQUET: as_parquet(ROWS),
    Format.ALPACA_EVAL: json.dumps(ALPACA),
    Format.LLMBAR: json.dumps(LLMBAR),
    Format.JUDGEBENCH: lines(JUDGEBENCH),
    Format.REWARDBENCH: lines(REWARDBENCH),
    Format.MT_BENCH: lines(VOTES),
    Format.LLM_COMPARATOR: json.dumps(comparator_file()),
    Format.PROMPTFOO: json.dumps(promptfoo_rows()),
}


def found_in(
    folder: Path, content: str | bytes, *, name: str = "data.bin", kind: Format | None = None, **more: Any
) -> Findings:
    """What is read from a file of this content, of a given kind or of one that is told by its content."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read(path, format=kind, **more)
