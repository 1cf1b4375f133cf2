"""What to mend next: the tasks that one candidate lost, with criterion, quote and the reviewer's reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TextIO

from comparator.domain.counted import counted
from comparator.domain.labels import Label
from comparator.interop.exported import Exported, Remark, Written

NOT_LOST = "not lost"
_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>#|!&~$"})


def write_fix_list(pairs: Iterable[Exported], out: TextIO, *, candidate: str) -> Written:
    """The pairs that `candidate` lost, the worst first; pairs that it won, tied or was not in are counted."""
    lost: list[tuple[Exported, Label]] = []
    other = 0
    for pair in pairs:
        label = _side(pair, candidate)
        if label is not None and pair.loser is label:
            lost.append((pair, label))
        else:
            other += 1
    lost.sort(key=lambda each: (-abs(each[0].margin), each[0].title, each[0].id))
    written = Written(Counter(pair.source for pair, _ in lost), {NOT_LOST: other} if other else {})
    out.write(f"# What to mend in {_plain(candidate)}\n\n")
    out.write(
        f"{len(lost)} lost of {counted(len(lost) + other, 'comparison')} looked at. {written.whose}".rstrip()
        + "\n"
    )
    for pair, label in lost:
        out.writelines(_entry(pair, label))
    return written


def _side(pair: Exported, candidate: str) -> Label | None:
    if pair.candidates is None:
        return None
    return next((label for label in Label if pair.candidates[label] == candidate), None)


def _entry(pair: Exported, label: Label) -> Iterator[str]:
    own, others = pair.result.rubric[label], pair.result.rubric[label.other]
    yield f"\n## {_plain(pair.title)}\n\n"
    yield (
        f"Lost {own.overall_score} : {others.overall_score} against {_plain(_name(pair, label.other))} "
        f"({pair.decided}, verdict by {pair.source.value}"
        f"{', not blind' if pair.knew else ''}; output {label.value}, "
        f"comparison {pair.id}).\n"
    )
    for weakness in pair.result.output_quality[label].weaknesses:
        yield f"- weakness: {_plain(weakness)}\n"
    better = {remark.key: remark for remark in pair.of(label.other) if not remark.is_expectation}
    for remark in pair.of(label):
        if remark.is_expectation:
            if remark.final == 0:
                yield f"- not met: {_plain(remark.name)}\n"
                yield from _behind(remark)
        elif _behind_the_other(remark, better.get(remark.key)):
            other = better[remark.key]
            yield f"- {_plain(remark.name)}: {remark.final} against {other.final}\n"
            yield from _behind(remark)
    if pair.left_out:
        yield f"- not assessed, so not counted: {counted(pair.left_out, 'row')}\n"
    if pair.scores_and_verdict_disagree:
        yield "- the judge's scores and verdict disagree\n"
    for comment in pair.comments:
        yield f"- comment: {_plain(comment)}\n"


def _behind_the_other(remark: Remark, other: Remark | None) -> bool:
    return (
        other is not None
        and remark.final is not None
        and other.final is not None
        and remark.final < other.final
    )


def _behind(remark: Remark) -> Iterator[str]:
    if remark.rationale:
        yield f"  - judge: {_plain(remark.rationale)}\n"
    for quote in remark.quotes:
        yield f"  - quote: “{_plain(quote)}”\n"
    if remark.reason:
        yield f"  - reviewer: {_plain(remark.reason)}\n"


def _name(pair: Exported, label: Label) -> str:
    return pair.candidates[label] if pair.candidates else f"output {label.value}"


def _plain(text: str) -> str:
    """Foreign words on one line of Markdown, as words."""
    return " ".join(text.split()).translate(_SPECIAL)
