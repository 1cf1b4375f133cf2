"""YAML as results are written in it: plain values only, and no more of them than a file of that size can hold."""

from __future__ import annotations

from typing import Any

import yaml

from comparator.interop.read.text import UnreadableImport

_MOST = 5_000_000
"""Values in all, each counted as often as an alias names it."""


def parse_yaml(text: str) -> Any:
    """The value. Raises Unreadable where it is no YAML, or aliases make more of it than can be read."""
    try:
        value = yaml.load(text, Loader=_Plain)  # noqa: S506  # a safe loader
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 1}" if mark is not None else ""
        raise UnreadableImport(
            f"it is not YAML: {getattr(error, 'problem', None) or 'an odd character'}{where}"
        ) from error
    except (RecursionError, ValueError) as error:
        raise UnreadableImport("it is not usable YAML") from error
    if _count(value, {}, set()) > _MOST:
        raise UnreadableImport(f"its aliases make more than {_MOST:,} values of it")
    return value


class _Plain(yaml.CSafeLoader):
    """Times stay the texts that they are."""


_Plain.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in known if tag != "tag:yaml.org,2002:timestamp"]
    for first, known in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}


def _count(value: Any, known: dict[int, int], above: set[int]) -> int:
    if not isinstance(value, (dict, list)):
        return 1
    if id(value) in above:
        raise UnreadableImport("a value in it holds itself")
    if id(value) not in known:
        above.add(id(value))
        inside = value.values() if isinstance(value, dict) else value
        known[id(value)] = 1 + sum(_count(each, known, above) for each in inside)
        above.discard(id(value))
    return known[id(value)]
