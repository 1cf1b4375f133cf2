"""What people or tools wrote about a run, told by its name: set aside on both sides alike."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from comparator.domain.labels import Label, PerOutput

_WHO = "(?:run|agent|user|executor|execution|session|process|work|model|assistant|eval|tool)"
_TEXT = "(?:md|txt|json|jsonl|log|html|yaml|yml|csv)"
_DATA = "(?:json|jsonl|yaml|yml|csv)"
_RULES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (reason, re.compile(pattern))
    for reason, pattern in (
        (
            "a transcript of the run",
            rf"(?:(?:{_WHO}|chat|conversation)_)?(?:transcripts?|conversation)\.{_TEXT}",
        ),
        ("notes on the run", rf"{_WHO}_notes?\.{_TEXT}"),
        ("figures on the run", rf"(?:{_WHO}_)?(?:metrics|timings?|token_usage|usage|cost)\.{_DATA}"),
        ("a trace of the run", rf"(?:{_WHO}_)?(?:traces?|trajectory|tool_calls|messages)\.{_TEXT}"),
        ("a log of the run", rf"{_WHO}_(?:log|history|report)\.{_TEXT}"),
        ("a summary of the run", rf"(?:(?:{_WHO}|implementation|completion)_)?summary\.(?:md|txt|json)"),
        ("a grading of the run", rf"(?:.*_)?grading(?:_.*)?\.{_DATA}|(?:benchmark|feedback)\.json"),
        ("a grading of the run", r"comparison(?:_\d+)?(?:\.provenance)?\.json|analysis_?\d*\.json"),
        ("the set-up of the run", r"eval_metadata\.json|eval_\d+_config\.json|skill\.md"),
    )
)
_FOLDERS = {
    ".claude": "an assistant's own folder",
    ".codex": "an assistant's own folder",
    ".cursor": "an assistant's own folder",
    ".agents": "an assistant's own folder",
    "transcripts": "a transcript of the run",
    "traces": "a trace of the run",
}
_SEPARATORS = re.compile(r"[-\s]+")


def why_set_aside(path: str) -> str | None:
    """What a file reports of its run, by its name; None for a file of the output itself."""
    pure = PurePosixPath(path)
    for part in pure.parts[:-1]:
        if part.lower() in _FOLDERS:
            return _FOLDERS[part.lower()]
    name = _SEPARATORS.sub("_", pure.name.lower())
    return next((reason for reason, rule in _RULES if rule.fullmatch(name)), None)


def set_aside(
    paths: PerOutput[tuple[str, ...]], *, taken_back: frozenset[str], prompt: str
) -> PerOutput[dict[str, str]]:
    """Path to reason, for each side. Never all files of a side, and never a kind that the other side is judged by.

    A file that the prompt names, or that is in `taken_back`, stays.
    """
    asked = prompt.casefold()

    def candidates(side: tuple[str, ...]) -> dict[str, str]:
        return {
            path: reason
            for path in side
            if (reason := why_set_aside(path)) is not None
            and path not in taken_back
            and not _asked_for(path, asked)
        }

    found = {label: candidates(side) for label, side in paths.items()}
    # A side that would be left with nothing keeps what it has, and so does the other side with the same kinds.
    kept: set[str] = set()
    for label, side in paths.items():
        if side and len(found[label]) == len(side):
            kept |= set(found[label].values())
    return PerOutput[dict[str, str]](
        A=_without(found[Label.A].items(), kept), B=_without(found[Label.B].items(), kept)
    )


def _asked_for(path: str, prompt: str) -> bool:
    name = PurePosixPath(path).name.casefold()
    return re.search(rf"(?<![\w.]){re.escape(name)}(?![\w])", prompt) is not None


def _without(found: Iterable[tuple[str, str]], kept: set[str]) -> dict[str, str]:
    return {path: reason for path, reason in found if reason not in kept}
