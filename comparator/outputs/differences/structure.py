"""Differences of two trees (JSON, YAML, TOML): which key paths were added, removed or changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from comparator.outputs.differences.blocks import Block, BlockKind, aligned
from comparator.outputs.preview.document import NotShown
from comparator.outputs.preview.tree import Branch, Node

_MOST_LEAVES = 200_000
_MOST_SIGNED = 1_000_000
_DEEPEST = 150


class Leaf(NamedTuple):
    """A value and the path that leads to it, such as `items[2].price`."""

    path: str
    value: str


@dataclass(frozen=True, slots=True)
class Trees:
    """The values of both trees in the order in which they are shown, and which of them belong together."""

    a: list[Leaf]
    b: list[Leaf]
    blocks: tuple[Block, ...]


def tree_blocks(a: Node, b: Node) -> Trees:
    """Values of A beside values of B: by key in mappings, by what is alike in lists. Raises NotShown where they are
    too many or nested too deeply."""
    walk = _Walk()
    try:
        walk.both(_Place("", a), _Place("", b), 0)
    except RecursionError as error:
        raise NotShown("Nested too deeply to be compared by key.") from error
    return Trees(walk.a, walk.b, tuple(walk.blocks))


def leaves(node: Node) -> list[Leaf]:
    """All values of a tree with their paths; an empty mapping or list is a value. Raises NotShown."""
    walk = _Walk()
    walk.alone(_Place("", node), BlockKind.REMOVED, 0)
    return walk.a


class _Place(NamedTuple):
    path: str
    node: Node


@dataclass(slots=True)
class _Walk:
    a: list[Leaf] = field(default_factory=list)
    b: list[Leaf] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    signed: int = 0

    def both(self, a: _Place, b: _Place, depth: int) -> None:
        self._bound(depth)
        own, other = a.node, b.node
        if (
            isinstance(own, Branch)
            and isinstance(other, Branch)
            and own.brackets == other.brackets
            and own.items
            and other.items
        ):
            into = self._mapping if own.brackets == "{}" else self._list
            into(a, b, own, other, depth)
            return
        if _is_filled(own) or _is_filled(other):
            self.alone(a, BlockKind.REMOVED, depth)
            self.alone(b, BlockKind.ADDED, depth)
            return
        self._put(a, b, _value(own), _value(other), _value(own) == _value(other))

    def alone(self, place: _Place, kind: BlockKind, depth: int) -> None:
        self._bound(depth)
        node = place.node
        if isinstance(node, Branch) and node.items:
            for child in _children(place.path, node):
                self.alone(child, kind, depth + 1)
            return
        leaf = Leaf(place.path, _value(node))
        at, other = len(self.a), len(self.b)
        if kind is BlockKind.REMOVED:
            self.a.append(leaf)
        else:
            self.b.append(leaf)
        self.blocks.append(Block(kind, at, len(self.a), other, len(self.b)))

    def _mapping(self, a: _Place, b: _Place, own: Branch, other: Branch, depth: int) -> None:
        # A key that stands twice is told apart by its occurrence.
        left, right = list(_keyed(a.path, own)), list(_keyed(b.path, other))
        places, known = dict(right), {key for key, _ in left}
        for block in aligned([key for key, _ in left], [key for key, _ in right]):
            for key, place in left[block.a : block.a_end]:
                if key in places:
                    self.both(place, places[key], depth + 1)
                else:
                    self.alone(place, BlockKind.REMOVED, depth + 1)
            for key, place in right[block.b : block.b_end]:
                if key not in known:
                    self.alone(place, BlockKind.ADDED, depth + 1)

    def _list(self, a: _Place, b: _Place, own: Branch, other: Branch, depth: int) -> None:
        left, right = list(_children(a.path, own)), list(_children(b.path, other))
        signs = [[self._sign(place.node, depth) for place in side] for side in (left, right)]
        for block in aligned(*signs):
            first, second = left[block.a : block.a_end], right[block.b : block.b_end]
            both = min(len(first), len(second))
            for one, two in zip(first[:both], second[:both], strict=True):
                self.both(one, two, depth + 1)
            for place in first[both:]:
                self.alone(place, BlockKind.REMOVED, depth + 1)
            for place in second[both:]:
                self.alone(place, BlockKind.ADDED, depth + 1)

    def _put(self, a: _Place, b: _Place, own: str, other: str, same: bool) -> None:
        at, second = len(self.a), len(self.b)
        self.a.append(Leaf(a.path, own))
        self.b.append(Leaf(b.path, other))
        kind = BlockKind.SAME if same else BlockKind.CHANGED
        if same and self.blocks and self.blocks[-1].kind is BlockKind.SAME:
            before = self.blocks.pop()
            at, second = before.a, before.b
        self.blocks.append(Block(kind, at, len(self.a), second, len(self.b)))

    def _sign(self, node: Node, depth: int) -> int:
        """What two equal nodes have in common, and others hardly ever."""
        self.signed += 1
        # Aliases in YAML are the same node again and again, and would go on for ever.
        if depth > _DEEPEST or self.signed > _MOST_SIGNED:
            raise NotShown("Too large or too deeply nested to be compared by key.")
        if not isinstance(node, Branch):
            return hash((node.text, node.kind))
        parts = tuple((key, self._sign(child, depth + 1)) for key, child in node.items)
        return hash((node.brackets, frozenset(parts) if node.brackets == "{}" else parts))

    def _bound(self, depth: int) -> None:
        if depth > _DEEPEST:
            raise NotShown("Nested too deeply to be compared by key.")
        if max(len(self.a), len(self.b)) > _MOST_LEAVES:
            raise NotShown(f"More than {_MOST_LEAVES:,} values: too many to be compared by key.")


def _is_filled(node: Node) -> bool:
    return isinstance(node, Branch) and bool(node.items)


def _value(node: Node) -> str:
    return node.brackets if isinstance(node, Branch) else node.text


def _children(path: str, node: Branch) -> Iterator[_Place]:
    for number, (key, child) in enumerate(node.items):
        yield _Place(f"{path}[{number}]" if key is None else _under(path, key), child)


def _keyed(path: str, node: Branch) -> Iterator[tuple[tuple[str, int], _Place]]:
    seen: dict[str, int] = {}
    for key, child in node.items:
        name = key or ""
        seen[name] = count = seen.get(name, 0) + 1
        yield (name, count), _Place(_under(path, name), child)


def _under(path: str, key: str) -> str:
    name = key if key and all(sign.isalnum() or sign in "_- " for sign in key) else f"“{key}”"
    return f"{path}.{name}" if path else name
