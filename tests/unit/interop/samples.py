"""A small file of each format, written for these tests."""

import base64
import csv
import io
import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

from comparator.domain.labels import Winner
from comparator.interop.imported import Findings, Format
from comparator.interop.recognise import read

BY_KIM = {"candidate_a": "v1", "candidate_b": "v2", "label_author": "Kim"}
ROWS = [
    {"prompt": "Say hello", "output_a": "Hello", "output_b": "Hi", **BY_KIM, "label": "A"},
    {"prompt": "Say goodbye", "output_a": "Bye", "output_b": "", **BY_KIM, "label": "tie"},
]
Q, ONE, TWO = "Name a bird.", "A wren.", "A whale."
BOTH = {"prompt": Q, "output_a": ONE, "output_b": TWO}
ASKED = [{"role": "user", "content": Q}]


def said(text: str, *, parts: bool = False) -> list[dict[str, Any]]:
    """A chat in which this was answered."""
    content: Any = [{"type": "text", "text": text}] if parts else text
    question: Any = [{"type": "text", "text": Q}] if parts else Q
    return [{"role": "user", "content": question}, {"role": "assistant", "content": content}]


FIRST, SECOND, TIE = Winner.A, Winner.B, Winner.TIE
SETS: dict[str, list[tuple[dict[str, Any], Winner | None]]] = {
    "HelpSteer3": [
        ({"context": ASKED, "response1": ONE, "response2": TWO, "overall_preference": n, "domain": "general"}, side)
        for n, side in ((1, SECOND), (3, SECOND), (-2, FIRST), (0, TIE), (None, None))
    ],
    "HelpSteer3 with a text": [
        ({"context": Q, "response1": ONE, "response2": TWO, "overall_preference": 1}, SECOND),
    ],
    "HelpSteer2": [
        ({"prompt": Q, "response_1": ONE, "response_2": TWO, "preference_strength": n}, side)
        for n, side in ((2, SECOND), (-1, FIRST), (0, TIE))
    ],
    "PKU-SafeRLHF": [
        ({"prompt": Q, "response_0": ONE, "response_1": TWO, "better_response_id": n, "safer_response_id": 0}, side)
        for n, side in ((0, FIRST), (1, SECOND))
    ],
    "SHP": [
        ({"history": Q, "human_ref_A": ONE, "human_ref_B": TWO, "labels": n, "domain": "askbirds"}, side)
        for n, side in ((1, FIRST), (0, SECOND))
    ],
    "UltraFeedback": [
        ({"source": "s", "instruction": Q, "models": ["m1", "m2"],
          "completions": [{"model": "m1", "response": ONE, "overall_score": a},
                          {"model": "m2", "response": TWO, "overall_score": b}]}, side)
        for a, b, side in ((8.5, 7.0, FIRST), (3, 4, SECOND), (5, 5, TIE))
    ],
    "UltraFeedback binarized": [
        ({"prompt": Q, "chosen": said(ONE), "rejected": said(TWO), "score_chosen": 8.0}, FIRST)
    ],
    "HH-RLHF": [
        ({"chosen": f"\n\nHuman: {Q}\n\nAssistant: {ONE}", "rejected": f"\n\nHuman: {Q}\n\nAssistant: {TWO}"}, FIRST)
    ],
    "LMArena 33k": [
        ({"question_id": "q1", "model_a": "m1", "model_b": "m2", "winner": word, "judge": "arena_user_1", "turn": 1,
          "conversation_a": said(ONE), "conversation_b": said(TWO), "language": "English"}, side)
        for word, side in (("model_a", FIRST), ("model_b", SECOND), ("tie", TIE), ("tie (bothbad)", TIE))
    ],
    "MT-Bench": [
        ({"question_id": 81, "model_a": "m1", "model_b": "m2", "winner": word, "judge": "expert_17", "turn": 1,
          "conversation_a": said(ONE) + said("More."), "conversation_b": said(TWO) + said("Less.")}, side)
        for word, side in (("model_a", FIRST), ("model_b", SECOND), ("tie", TIE))
    ],
    "MT-Bench by GPT": [
        ({"question_id": 81, "model_a": "m1", "model_b": "m2", "winner": word, "judge": ["gpt-4", "pair-v2"],
          "turn": 1, "conversation_a": said(ONE), "conversation_b": said(TWO)}, side)
        for word, side in (("model_b", SECOND), ("tie (inconsistent)", TIE))
    ],
    "LMArena 55k": [
        ({"id": 1, "model_a": "m1", "model_b": "m2", "prompt": json.dumps([Q]), "response_a": json.dumps([ONE]),
          "response_b": json.dumps([TWO]), "winner_model_a": a, "winner_model_b": b, "winner_tie": tie}, side)
        for a, b, tie, side in ((1, 0, 0, FIRST), (0, 1, 0, SECOND), (0, 0, 1, TIE))
    ],
    "LMArena 55k with an empty turn": [
        ({"model_a": "m1", "model_b": "m2", "prompt": json.dumps([Q]), "response_a": json.dumps([None, ONE]),
          "response_b": json.dumps([None, TWO]), "winner_model_a": 1, "winner_model_b": 0, "winner_tie": 0}, FIRST)
    ],
    "LMArena 100k": [
        ({"question_id": "q1", "model_a": "m1", "model_b": "m2", "winner": word, "language": "en",
          "conversation_a": said(ONE), "conversation_b": said(TWO)}, side)
        for word, side in (("model_a", FIRST), ("tie (bothbad)", TIE))
    ],
    "LMArena 140k": [
        ({"id": "i1", "model_a": "m1", "model_b": "m2", "winner": word, "evaluation_order": 1, "language": "en",
          "conversation_a": said(ONE, parts=True), "conversation_b": said(TWO, parts=True)}, side)
        for word, side in (("model_b", SECOND), ("both_bad", TIE), ("tie", TIE))
    ],
    "OpenAI": [
        ({"input": {"messages": ASKED, "tools": []}, "preferred_output": [{"role": "assistant", "content": ONE}],
          "non_preferred_output": [{"role": "assistant", "content": TWO}]}, FIRST)
    ],
    "LLaMA-Factory sharegpt": [
        ({"conversations": [{"from": "human", "value": Q}], "chosen": {"from": "gpt", "value": ONE},
          "rejected": {"from": "gpt", "value": TWO}}, FIRST)
    ],
    "LLaMA-Factory alpaca": [({"instruction": Q, "input": "", "chosen": ONE, "rejected": TWO}, FIRST)],
    "Argilla ranking": [
        ({"fields": {"prompt": Q, "response-1": ONE, "response-2": TWO},
          "responses": [{"user_id": "u", "values": {"preference": {"value": [
              {"value": "response-1", "rank": first}, {"value": "response-2", "rank": second}]}}}]}, side)
        for first, second, side in ((1, 2, FIRST), (2, 1, SECOND), (1, 1, TIE))
    ],
    "Argilla choice": [
        ({"fields": {"prompt": Q, "response1": ONE, "response2": TWO},
          "responses": {"better": [{"user_id": "u", "value": "response2"}]}}, SECOND)
    ],
    "Label Studio": [
        ({"id": 1, "data": {"prompt": Q, "answer1": ONE, "answer2": TWO},
          "annotations": [{"result": [{"type": "pairwise", "value": {"selected": side}}]}]}, winner)
        for side, winner in (("left", FIRST), ("right", SECOND))
    ],
    "Label Studio in short": [
        ({"id": 1, "prompt": Q, "answer1": ONE, "answer2": TWO, "annotator": 7, "annotation_id": 3, "lead_time": 2.5,
          "created_at": "2026-01-01", "updated_at": "2026-01-01", "comparison": side}, winner)
        for side, winner in (("left", FIRST), ("right", SECOND), ("Answer B", SECOND), ("tie", TIE))
    ],
    "LLMBar": [({"input": Q, "output_1": ONE, "output_2": TWO, "label": n}, s) for n, s in ((1, FIRST), (2, SECOND))],
    "AlpacaEval": [
        ({"instruction": Q, "output_1": ONE, "generator_1": "m1", "output_2": TWO, "generator_2": "m2",
          "annotator": "gpt", "preference": n}, side)
        for n, side in ((1, FIRST), (2, SECOND), (1.5, TIE), (1.2, FIRST))
    ],
    "JudgeBench": [
        ({"pair_id": "p", "question": Q, "response_A": ONE, "response_B": TWO, "label": label}, side)
        for label, side in (("A>B", FIRST), ("B>A", SECOND))
    ],
    "RewardBench 2": [
        ({"id": "1", "prompt": Q, "chosen": [ONE], "rejected": [TWO], "subset": "Factuality", "num_correct": 1}, FIRST)
    ],
    "words": [
        ({**BOTH, "label": word}, side)
        for word, side in (("A", FIRST), ("b", SECOND), ("Left", FIRST), ("RIGHT", SECOND), ("Model_A", FIRST),
                           ("Both_Bad", TIE), ("tie (bothbad)", TIE), ("Tie", TIE), ("", None))
    ],
    "bare numbers": [({**BOTH, "label": n}, None) for n in (1, 0, 2, "1", -1, 0.5)],
}  # fmt: skip
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


def rows_of(name: str) -> list[dict[str, Any]]:
    """The rows of a known set."""
    return [row for row, _ in SETS[name]]


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
    Format.ALPACA_EVAL: json.dumps(rows_of("AlpacaEval")),
    Format.LLMBAR: json.dumps(rows_of("LLMBar")),
    Format.JUDGEBENCH: lines(rows_of("JudgeBench")),
    Format.REWARDBENCH: lines(REWARDBENCH),
    Format.MT_BENCH: lines(rows_of("MT-Bench")),
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
