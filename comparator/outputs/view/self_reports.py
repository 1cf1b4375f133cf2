"""What people or tools wrote about a run, told by its name and by what it says: set aside on both sides alike."""

import re
from collections.abc import Callable, Iterable
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
_ASKS_FOR = {
    "a summary of the run": re.compile(r"\bsummar(?:y|ies|i[sz]e)"),
    "a transcript of the run": re.compile(r"\btranscri(?:be|pts?\b|ption)"),
    "notes on the run": re.compile(r"\b(?:write|take|leave|keep|add|with|and)\b[^.]{0,30}\bnotes\b"),
    "figures on the run": re.compile(r"\b(?:metrics|timings)\b"),
}
"""What a task says that asks for a file of a kind, lower case."""
_MAY_BE_THE_OUTPUT = frozenset(_ASKS_FOR)
_SPEAKS_OF_THE_RUN = re.compile(
    r"\b(?:sub-?agents?|skills?|executor|system prompt|(?:tool|function) calls?|tool_(?:calls?|use|result)|tokens?"
    r"|total_steps|duration_(?:ms|seconds)|transcripts?|(?:this|the) (?:run|session|eval)"
    r"|eval(?:uation)? (?:run|prompt)|i (?:used|ran|read|followed|decided|chose|could not|couldn't|did not|didn't)"
    r"|i was (?:asked|told|unable|given)|(?:steps|approach|decisions?) (?:i )?took|needs? (?:human|user) review"
    r"|workarounds?)\b",
    re.IGNORECASE,
)
_LOOKED_AT = 20_000
"""Characters of a report in which it is looked for."""
_SEPARATORS = re.compile(r"[-\s]+")


def why_set_aside(path: str) -> str | None:
    """What a file reports of its run, by its name; None for a file of the output itself."""
    pure = PurePosixPath(path)
    for part in pure.parts[:-1]:
        if part.lower() in _FOLDERS:
            return _FOLDERS[part.lower()]
    name = _SEPARATORS.sub("_", pure.name.lower())
    return next((reason for reason, rule in _RULES if rule.fullmatch(name)), None)


def reports_to_set_aside(
    paths: PerOutput[tuple[str, ...]],
    *,
    text_of: Callable[[Label, str], str],
    taken_back: frozenset[str],
    prompt: str,
) -> PerOutput[dict[str, str]]:
    """Path to reason, for each side; `text_of` gives the text of a side's file.

    In this order: what the task asks for is judged, even if one side lacks it; a kind of report that speaks of the run
    on either side is set aside on both; a kind that both sides have is judged; every other report is set aside. A path
    or name in `taken_back` is judged. A side is never left with nothing, and what it keeps the other side keeps too.
    """
    folded_prompt = prompt.casefold()
    by_side = PerOutput[dict[str, str]](
        A=_reports(paths.A, taken_back, folded_prompt), B=_reports(paths.B, taken_back, folded_prompt)
    )
    kept = set(by_side.A.values()) & set(by_side.B.values()) & _MAY_BE_THE_OUTPUT
    for label, reports in by_side.items():
        kept -= {
            reason
            for path, reason in reports.items()
            if reason in kept and _SPEAKS_OF_THE_RUN.search(text_of(label, path)[:_LOOKED_AT])
        }
    for label, reports in by_side.items():
        if paths[label] and len(reports) == len(paths[label]):
            kept |= set(reports.values())
    return by_side.map(lambda reports: {path: why for path, why in reports.items() if why not in kept})


def _reports(side: Iterable[str], taken_back: frozenset[str], prompt: str) -> dict[str, str]:
    return {
        path: reason
        for path in side
        if (reason := why_set_aside(path)) is not None
        and not {path, PurePosixPath(path).name} & taken_back
        and not _task_asks_for(path, reason, prompt)
    }


def _task_asks_for(path: str, reason: str, prompt: str) -> bool:
    """Whether the task names the file, or asks for what such a file holds."""
    name = PurePosixPath(path).name.casefold()
    named = re.search(rf"(?<![\w.]){re.escape(name)}(?![\w])", prompt) is not None
    return named or ((kind := _ASKS_FOR.get(reason)) is not None and kind.search(prompt) is not None)
