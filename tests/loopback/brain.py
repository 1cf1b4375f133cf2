"""Computes plausible answers from a real request, for any task: what to fill in is read from the request itself."""

import base64
import hashlib
import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import pypdfium2

from tests.loopback.themes import answer_about_themes

_OUTPUT = re.compile(r'<output label="(?P<label>[AB])" fence="(?P<fence>\w+)">')
_FILE = re.compile(
    r'<file name=(?P<name>"(?:\\.|[^"\\])*")[^>]*fence="\w+">\n(?P<body>.*?)</file fence="\w+">', re.DOTALL
)
_RUBRIC_LINE = re.compile(r"^- `(?P<key>[a-z0-9_]+)` \*\*", re.MULTILINE)
_NUMBERED = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)


class Taste(StrEnum):
    """How the model decides."""

    CONTENT = "content"
    """By the content of the outputs alone, so that both orders agree."""
    FIRST = "first"
    """Always for the output that is shown first."""
    A = "A"
    B = "B"
    TIE = "TIE"


@dataclass(frozen=True)
class Shown:
    """One output as it stands in the request."""

    label: str
    fence: str
    text: str
    files: tuple[tuple[str, str], ...]


Prefers = Callable[[tuple[Shown, ...]], str]
"""Names the better one, A, B or TIE, of the outputs in the order in which they are shown."""


@dataclass
class Cache:
    """Which marked prefixes are kept since when, as a prompt cache has them once an answer begins."""

    since: dict[str, float] = field(default_factory=dict)

    def usage(self, body: dict[str, Any], *, came: float = 0.0) -> dict[str, int]:
        """Token counts of a request that came at this time; marked prefixes are read or written."""
        form = body.get("output_config")
        state = hashlib.sha256(json.dumps([body.get("model"), form], sort_keys=True).encode())
        read = written = 0
        total = sum(tokens_in(json.dumps(part)) for part in (form, body.get("tools")) if part)
        for block in blocks(body):
            text = json.dumps({k: v for k, v in block.items() if k != "cache_control"}, sort_keys=True)
            state.update(text.encode("utf-8", "replace"))
            total += _tokens_of(block)
            if "cache_control" in block:
                prefix = state.hexdigest()
                if self.since.setdefault(prefix, time.monotonic()) < came:
                    read, written = total, 0
                else:
                    written = total - read
        return {
            "input_tokens": total - read - written,
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": written,
        }


def tokens_in(text: str) -> int:
    """About how many tokens a text has: one for four characters, of digits and what stands between them for two."""
    digits = sum(map(str.isdigit, text))
    return max(1, len(text) // (2 if 3 * digits > len(text) else 4))


def _tokens_of(block: dict[str, Any]) -> int:
    """Those of a block; a picture has about as many as its 1,568 by 1,568 pixels, a document as two pages."""
    match block.get("type"):
        case "image":
            return 1_600
        case "document":
            return 4_000
        case "tool_result":
            return sum(map(_tokens_of, block["content"]))
    return tokens_in(str(block.get("text", "")) or json.dumps(block))


def blocks(body: dict[str, Any]) -> list[dict[str, Any]]:
    """All content blocks of a request in order, the system's first."""
    parts: list[dict[str, Any]] = []
    for content in (body.get("system", []), *(m["content"] for m in body.get("messages", []))):
        parts.extend([{"type": "text", "text": content}] if isinstance(content, str) else content)
    return parts


def text_of(body: dict[str, Any], *, documents: bool = False) -> str:
    """All text of the messages of a request; with `documents`, that of its PDFs where they stand."""
    return "\n".join(
        _text_of_pdf(block["source"]["data"])
        if documents and block.get("type") == "document"
        else block.get("text", "")
        for block in blocks(body)
    )


def _text_of_pdf(data: str) -> str:
    document = pypdfium2.PdfDocument(base64.b64decode(data))
    try:
        return "\n".join(page.get_textpage().get_text_range() for page in document)
    finally:
        document.close()


def outputs_of(body: dict[str, Any], *, documents: bool = False) -> tuple[Shown, ...]:
    """The outputs in the order in which the request shows them; with `documents`, the text of PDFs among it."""
    text = text_of(body, documents=documents)
    outputs = []
    for match in _OUTPUT.finditer(text):
        end = text.find(f'</output fence="{match["fence"]}">', match.end())
        inner = text[match.end() : end]
        files = tuple((json.loads(f["name"]), f["body"]) for f in _FILE.finditer(inner))
        outputs.append(Shown(match["label"], match["fence"], inner, files))
    return tuple(outputs)


def answer_to(body: dict[str, Any], *, taste: Taste | Prefers) -> dict[str, Any]:
    """A complete valid answer: themes, a rubric or guidance if one is asked for, else a judgment."""
    if wants_guidance(body):
        return {"notes": ["Score only what the task asks for."]}
    schema = body.get("output_config", {}).get("format", {}).get("schema", {})
    if (about_themes := answer_about_themes(text_of(body), schema)) is not None:
        return about_themes
    wants_judgment = "criteria" in schema.get("properties", {}) if schema else bool(outputs_of(body))
    return _judgment(body, schema, taste) if wants_judgment else _rubric(body)


def wants_guidance(body: dict[str, Any]) -> bool:
    """Whether notes to the judge are asked for."""
    return "# The corrections" in text_of(body) and not outputs_of(body)


def keys_of(body: dict[str, Any], schema: dict[str, Any]) -> dict[str, list[str]]:
    """The criterion keys by dimension, from the schema, else from the rubric in the prompt."""
    if schema:
        definitions = schema["$defs"]
        return {
            dimension: list(definitions[f"{dimension.capitalize()}Marks"]["properties"])
            for dimension in ("content", "structure")
        }
    rubric = text_of(body).partition("# The rubric")[2].partition("# The expectations")[0]
    content, _, structure = rubric.partition("## structure")
    return {"content": _RUBRIC_LINE.findall(content), "structure": _RUBRIC_LINE.findall(structure)}


def expectations_of(body: dict[str, Any]) -> list[str]:
    """The expectations in the prompt."""
    part = text_of(body).partition("# The expectations")[2].partition("# The form of your answer")[0]
    inside = re.search(r'<expectations fence="(\w+)">\n(.*?)\n</expectations fence="\1">', part, re.DOTALL)
    return [text for _, text in _NUMBERED.findall(inside[2])] if inside else []


def _judgment(body: dict[str, Any], schema: dict[str, Any], taste: Taste | Prefers) -> dict[str, Any]:
    outputs = outputs_of(body)
    by_label = {output.label: output for output in outputs}
    better = (
        "TIE"
        if len(outputs) == 1
        else _preferred(outputs if isinstance(taste, Taste) else outputs_of(body, documents=True), taste)
    )
    keys = keys_of(body, schema)

    def mark(label: str, key: str) -> dict[str, Any]:
        output = by_label[label]
        base = (
            2
            + int(hashlib.sha256(f"{key}{output.text if better == 'TIE' else ''}".encode()).hexdigest(), 16)
            % 2
        )
        score = base if better == "TIE" else min(5, base + (2 if label == better else 0))
        return {
            "rationale": f"Judged on {key.replace('_', ' ')} by what the files show.",
            "quotes": _quotes(output),
            "score": 3 if better == "TIE" else score,
        }

    def check(label: str, text: str) -> dict[str, Any]:
        words = {w.lower() for w in re.findall(r"\w{4,}", text)}
        hits = {w for w in words if w in by_label[label].text.lower()}
        return {
            "evidence": f"{len(hits)} of {len(words)} words stand in it.",
            "passed": len(hits) * 2 >= len(words),
        }

    labels = sorted(by_label)
    answer = {
        "notes": {
            x: {
                "strengths": [f"Output {x} has {len(by_label[x].files)} files."],
                "weaknesses": [f"Output {x} could say more."],
            }
            for x in labels
        },
        "criteria": {
            d: {k: {x: mark(x, k) for x in labels} for k in keys[d]} for d in ("content", "structure")
        },
        "expectations": [
            {"number": n, **{x: check(x, text) for x in labels}}
            for n, text in enumerate(expectations_of(body), 1)
        ],
        "addressed_judge": [],
        "reasoning": f"By its content the better one is {better}."
        if better != "TIE"
        else "They are equivalent.",
    }
    return answer if len(labels) == 1 else answer | {"better": better, "stated_confidence": 70}


def _preferred(outputs: tuple[Shown, ...], taste: Taste | Prefers) -> str:
    if not isinstance(taste, Taste):
        return taste(outputs)
    match taste:
        case Taste.FIRST:
            return outputs[0].label
        case Taste.A | Taste.B | Taste.TIE:
            return taste.value
        case Taste.CONTENT:
            weights = {o.label: _weight(o) for o in outputs}
            if weights["A"] == weights["B"]:
                return "TIE"
            return "A" if weights["A"] > weights["B"] else "B"


def _weight(output: Shown) -> tuple[int, int]:
    # The fence is derived from all of the content, so that it tells documents and pictures apart too.
    return sum(len(body) for _, body in output.files), int(output.fence, 16)


def _quotes(output: Shown) -> list[dict[str, str]]:
    for name, body in output.files:
        for line in body.splitlines():
            if len(line.strip()) >= 8:
                return [{"file": name, "text": line.strip()[:120]}]
    return []


def _rubric(body: dict[str, Any]) -> dict[str, Any]:
    task = text_of(body).partition("<task ")[2].partition("</task ")[0].partition("\n")[2]
    words = re.findall(r"[a-z]{5,}", task.lower())
    topic = words[len(words) // 2] if words else "task"

    def criterion(name: str) -> dict[str, str]:
        return {
            "key": f"{name}_of_{topic}",
            "name": f"{name.capitalize()} of {topic}",
            "description": f"How is the {name} of {topic}?",
            "poor": "Barely there",
            "acceptable": "There, with gaps",
            "excellent": "Complete",
        }

    return {
        "content": [criterion(n) for n in ("correctness", "completeness", "accuracy")],
        "structure": [criterion(n) for n in ("organization", "formatting", "usability")],
    }
