"""Names that tell are made neutral, by the same rule on both sides, and so are references to them in texts."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from comparator.domain.blinding.redaction import Redaction, TextForm, redact

_SKILL_TOKEN = re.compile(
    r"(?:^|(?<=[-_. ]))(?:with(?:out)?|no|old|new|wo?)[-_ ]?skills?(?=$|[-_. ])", re.IGNORECASE
)
_BASELINE_TOKEN = re.compile(r"(?:^|(?<=[-_. ]))baseline(?=$|[-_. ])", re.IGNORECASE)
_LEFTOVER = re.compile(r"[-_. ]{2,}")
_SHORTEST_STEM = 6


class NameMap:
    """New names of paths, and how texts that mention the old ones are rewritten."""

    def __init__(self, paths: Mapping[str, str], replaced: Mapping[str, str]) -> None:
        self._paths = dict(paths)
        self._replaced = dict(replaced)
        lengths: dict[str, set[int]] = {}
        for name in self._replaced:
            lengths.setdefault(name[0], set()).add(len(name))
        self._lengths = {first: sorted(known, reverse=True) for first, known in lengths.items()}
        firsts = "".join(map(re.escape, sorted(lengths)))
        self._starts = re.compile(rf"(?<![^\W_])[{firsts}]") if firsts else None

    @property
    def rules(self) -> dict[str, dict[str, str]]:
        """What another map of the same names is made from."""
        return {"paths": self._paths, "replaced": self._replaced}

    def of(self, path: str) -> str:
        """The neutral name of a path."""
        return self._paths.get(path, path)

    def rewrite(self, text: str) -> str:
        """The text with old names replaced by neutral ones."""
        if self._starts is None:
            return text
        # Names are looked up by their length, longest first: an expression of thousands of names would try each.
        pieces: list[str] = []
        done = 0
        for match in self._starts.finditer(text):
            start = match.start()
            if start < done:
                continue
            for length in self._lengths[match[0]]:
                new = self._replaced.get(text[start : start + length])
                if new is not None and not text[start + length : start + length + 1].isalnum():
                    pieces += (text[done:start], new)
                    done = start + length
                    break
        return "".join((*pieces, text[done:])) if pieces else text


def neutral_names(sides: Sequence[Iterable[str]], redactions: Sequence[Redaction]) -> tuple[NameMap, ...]:
    """One map for each side; all of them rewrite references to the telling names of every side."""
    everything = [tuple(side) for side in sides]
    parts = [{part for path in side for part in PurePosixPath(path).parts} for side in everything]
    replaced: dict[str, str] = {}
    mapped: list[dict[str, str]] = []
    for index, side in enumerate(everything):
        others = set().union(*(parts[i] for i in range(len(parts)) if i != index))
        mapped.append(_map_side(side, others, redactions, replaced))
    return tuple(NameMap(paths, replaced) for paths in mapped)


def _map_side(
    side: tuple[str, ...], others: set[str], redactions: Sequence[Redaction], replaced: dict[str, str]
) -> dict[str, str]:
    wanted: dict[str, str] = {}
    for path in side:
        parts = PurePosixPath(path).parts
        neutral = [_neutral(part, others, redactions, is_file=part is parts[-1]) for part in parts]
        wanted[path] = "/".join(neutral)
    # Names that need no change keep theirs; the others step aside, in the order of their neutral names.
    used = {path for path, new in wanted.items() if path == new}
    mapping = {path: path for path in used}
    numbers: dict[str, int] = {}
    for path in sorted(wanted.keys() - used, key=lambda path: (wanted[path], path)):
        mapping[path] = _free(wanted[path], used, numbers)
        used.add(mapping[path])
    for path, new in mapping.items():
        for old_part, new_part in zip(PurePosixPath(path).parts, PurePosixPath(new).parts, strict=True):
            if old_part != new_part:
                replaced.setdefault(old_part, new_part)
                stem = PurePosixPath(old_part).stem
                if stem != old_part and len(stem) >= _SHORTEST_STEM and re.search(r"[-_ ]", stem):
                    replaced.setdefault(stem, PurePosixPath(new_part).stem)
    return mapping


def _neutral(part: str, others: set[str], redactions: Sequence[Redaction], *, is_file: bool) -> str:
    stem, dot, extension = part.rpartition(".") if is_file and "." in part[1:] else (part, "", "")
    cleaned = _SKILL_TOKEN.sub("", stem)
    if part not in others:
        cleaned = _BASELINE_TOKEN.sub("", cleaned)
    if cleaned != stem:
        cleaned = _LEFTOVER.sub(lambda match: match[0][0], cleaned).strip("-_. ")
        part = (cleaned or ("file" if is_file else "folder")) + dot + extension
    return redact(part, redactions, TextForm.CELL)


def _free(path: str, used: set[str], numbers: dict[str, int]) -> str:
    if path not in used:
        return path
    pure = PurePosixPath(path)
    number = numbers.get(path, 2)
    while (free_path := str(pure.with_name(f"{pure.stem}-{number}{pure.suffix}"))) in used:
        number += 1
    numbers[path] = number
    return free_path
