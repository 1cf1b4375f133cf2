"""JSON, YAML and TOML as a tree that folds without script."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from comparator.domain.counted import counted
from comparator.outputs.preview.document import NotShown, Preview, shown
from comparator.outputs.preview.text import TextPart, lines_of

MOST_BYTES = {"json": 3_000_000, "yaml": 300_000, "toml": 500_000}
"""Larger files are shown as text."""

_MOST_NODES = 15_000
_MOST_CHILDREN = 1_000
_DEEPEST = 200
_OPEN_NODES = 400
_NESTED_FLOW = re.compile(rb"(?:[\[{]\s*){100}|(?:[-?:] ){100}")


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value as it is written, with the class that colours it: s(tring), n(umber), w(ord)."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class Branch:
    """A mapping or a list; keys are None in a list. Doubled keys stay doubled."""

    items: Sequence[tuple[str | None, Node]]
    brackets: str


Node = Scalar | Branch


def read_tree(data: bytes, *, language: str) -> Node:
    """UTF-8 `data` as a tree. Raises NotShown with the reason where there is none."""
    if len(data) > MOST_BYTES[language]:
        raise NotShown("Too large to be folded; shown as text.")
    read = {"json": _read_json, "yaml": _read_yaml, "toml": _read_toml}[language]
    try:
        node = read(data)
    except RecursionError as error:
        raise NotShown("Nested too deeply to be folded; shown as text.") from error
    except (ValueError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())[:200]
        raise NotShown(f"Not valid {language.upper()}: {reason}. Shown as text.") from error
    return node


def render_tree(data: bytes, *, language: str) -> str:
    """The body of the tree view of UTF-8 `data`. Raises NotShown with the reason where there is none."""
    return _drawn([(None, read_tree(data, language=language))])


def is_lines_of_json(name: str) -> bool:
    """Whether a file's name says that each of its lines is JSON of its own."""
    return name.lower().endswith((".jsonl", ".ndjson"))


def render_lines(part: TextPart) -> Preview:
    """A file with one JSON value a line, each folded; a line that is no JSON is shown as it is."""
    items: list[tuple[str | None, Node]] = []
    odd = 0
    for number, line in enumerate(part.data.split(b"\n"), part.first_line):
        if not line.strip():
            continue
        try:
            items.append((f"line {number}", _read_json(line)))
        except (ValueError, RecursionError):
            odd += 1
            items.append((f"line {number}", Scalar(line.decode("utf-8", "replace"), "w")))
    notes = (f"{odd} line{'s' if odd > 1 else ''} of this part cannot be read as JSON.",) if odd else ()
    return Preview(_drawn(items), notes, part.page, part.pages, span=lines_of(part))


def _read_json(data: bytes) -> Node:
    # Numbers stay as they are written, and a key that stands twice is shown twice.
    value = json.loads(
        data,
        object_pairs_hook=lambda pairs: Branch(tuple((key, _node(item)) for key, item in pairs), "{}"),
        parse_int=lambda text: Scalar(text, "n"),
        parse_float=lambda text: Scalar(text, "n"),
        parse_constant=lambda text: Scalar(text, "w"),
    )
    return _node(value)


def _read_toml(data: bytes) -> Node:
    return _node(tomllib.loads(data.decode("utf-8", "replace"), parse_float=lambda text: Scalar(text, "n")))


def _read_yaml(data: bytes) -> Node:
    if _NESTED_FLOW.search(data):
        raise NotShown("Nested too deeply to be folded; shown as text.")
    # All are kept meanwhile: a node that is gone may leave its id to one of another document.
    nodes = list(yaml.compose_all(data.decode("utf-8", "replace"), Loader=yaml.SafeLoader))
    known: dict[int, Branch] = {}
    documents = [_yaml_node(node, known) for node in nodes]
    if len(documents) == 1:
        return documents[0]
    return Branch([(f"document {n}", node) for n, node in enumerate(documents, 1)], "[]")


def _yaml_node(node: Any, known: dict[int, Branch]) -> Node:
    """The node; an alias is the same branch again, so that a thousand million laughs stay a few thousand."""
    if id(node) in known:
        return known[id(node)]
    items: list[tuple[str | None, Node]] = []
    match node:
        case yaml.MappingNode():
            known[id(node)] = branch = Branch(items, "{}")
            for key, value in node.value:
                name = key.value if isinstance(key, yaml.ScalarNode) else "(compound key)"
                items.append((name, _yaml_node(value, known)))
            return branch
        case yaml.SequenceNode():
            known[id(node)] = branch = Branch(items, "[]")
            items += ((None, _yaml_node(child, known)) for child in node.value)
            return branch
        case yaml.ScalarNode(value="") if node.tag.endswith(":str"):
            return Scalar('""', "s")
        case yaml.ScalarNode() if node.value:
            kind = node.tag.rpartition(":")[2]
            return Scalar(node.value, {"int": "n", "float": "n", "str": "s"}.get(kind, "w"))
    return Scalar("null", "w")


def _node(value: Any) -> Node:
    match value:
        case Scalar() | Branch():
            return value
        case dict():
            return Branch(tuple((str(key), _node(item)) for key, item in value.items()), "{}")
        case list() | tuple():
            return Branch(tuple((None, _node(item)) for item in value), "[]")
        case str():
            return Scalar(json.dumps(value, ensure_ascii=False), "s")
        case None:
            return Scalar("null", "w")
        case bool():
            return Scalar("true" if value else "false", "w")
        case int() | float():
            return Scalar(str(value), "n")
        case _:
            return Scalar(str(value), "w")


def _drawn(items: Sequence[tuple[str | None, Node]]) -> str:
    out: list[str] = []
    nodes = 0

    def write(key: str | None, node: Node, depth: int) -> None:
        nonlocal nodes
        nodes += 1
        label = f'<span class="key">{shown(key)}</span>: ' if key is not None else ""
        if isinstance(node, Scalar):
            out.append(f'<div class="leaf">{label}<span class="{node.kind}">{shown(node.text)}</span></div>')
            return
        first, last = node.brackets[0], node.brackets[1]
        if not node.items or depth >= _DEEPEST:
            inside = " … " if node.items else ""
            out.append(f'<div class="leaf">{label}{first}{inside}{last}</div>')
            return
        count = counted(len(node.items), "key" if first == "{" else "item")
        out.append(
            f"<details{' open' if nodes < _OPEN_NODES else ''}><summary>{label}{first}{last} "
            f'<span class="count" data-skip>{count}</span></summary><div class="kids">'
        )
        for number, (name, child) in enumerate(node.items):
            if number >= _MOST_CHILDREN or nodes >= _MOST_NODES:
                more = len(node.items) - number
                out.append(f'<div class="leaf count">… {more} more, see source</div>')
                break
            write(name, child, depth + 1)
        out.append("</div></details>")

    for key, node in items:
        write(key, node, 0)
    return f'<div class="tree">{"".join(out)}</div>'
