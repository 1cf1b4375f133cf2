"""What to fix next, as Markdown for an issue: first what would flip most pairs, then the pairs that were lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from comparator.domain.counted import counted
from comparator.domain.labels import Label
from comparator.domain.pair.notes import SCORES_DISAGREE
from comparator.interop.exported import Exported, Written
from comparator.interop.write.findings import Fix, fixes, gaps_of

NOT_LOST = "not lost"
TASKS = 6
_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>#|!&~$"})


def write_fix_list(
    pairs: Iterable[Exported], out: TextIO, *, candidate: str, counts: int | None = None
) -> Written:
    """What would flip most of the pairs that `candidate` lost, then these pairs by task.

    The task that was lost most often comes first, and in it the worst pair.
    Pairs that it won, tied or was not in are counted. `counts` is how many there are where not all are given.
    """
    every = tuple(pairs)
    # Over several iterations a candidate goes by its plain name.
    plain = not any(pair.candidates and candidate in dict(pair.candidates.items()).values() for pair in every)
    lost: list[tuple[Exported, Label]] = []
    other = 0
    for pair in every:
        label = _side(pair, candidate, plain=plain)
        if label is not None and pair.loser is label:
            lost.append((pair, label))
        else:
            other += 1
    by_task: dict[str, list[tuple[Exported, Label]]] = {}
    for each in sorted(lost, key=lambda each: (-abs(each[0].margin), each[0].title, each[0].id)):
        by_task.setdefault(each[0].title, []).append(each)
    written = Written(Counter(pair.source for pair, _ in lost), {NOT_LOST: other} if other else {})
    out.write(f"# What to fix in {_plain(candidate)}\n\n")
    more = f" of {counts:,}" if counts is not None and counts > len(every) else ""
    out.write(
        f"{len(lost)} lost of {counted(len(every), 'comparison')} looked at{more}. {written.verdicts_in_words}".rstrip()
        + "\n"
    )
    out.writelines(_first(fixes(lost), len(lost)))
    if lost:
        out.write("\n## The lost pairs, by task\n")
    for title, own in sorted(by_task.items(), key=lambda each: -len(each[1])):
        out.write(f"\n### {_plain(title)}: {counted(len(own), 'lost pair')}\n")
        for pair, label in own:
            out.writelines(_entry(pair, label))
    return written


def _first(found: Sequence[Fix], lost: int) -> Iterator[str]:
    """What to fix as a list to tick off, with what it would change and where it was seen."""
    if not found:
        return
    yield "\n## What would flip most pairs\n\n"
    yield "Level with the other output there, and everything else as it is:\n\n"
    for fix in found:
        flipped = len(fix.flipped)
        flips = f"flips {flipped} of {counted(lost, 'lost pair')}" if flipped else "flips none by itself"
        if fix.dimension is None:
            seen = f"not met in {len(fix.gaps)}"
        else:
            seen = f"behind in {len(fix.gaps)}, by {fix.behind:.1f} points on average"
        where = dict.fromkeys(each.pair.title for each in (*fix.flipped, *fix.gaps))
        yield f"- [ ] **{_plain(fix.name)}**: {flips}; {seen}\n"
        yield f"  - {_plain('; '.join(list(where)[:TASKS]))}{' …' if len(where) > TASKS else ''}\n"
        if quote := next((quote for each in fix.gaps for quote in each.own.quotes), ""):
            yield f"  - quote: “{_plain(quote)}”\n"


def _side(pair: Exported, candidate: str, *, plain: bool) -> Label | None:
    if pair.made is None:
        return None
    called = pair.made.map(lambda made: made.name if plain else made.candidate)
    return next((label for label in Label if called[label] == candidate), None)


def _entry(pair: Exported, label: Label) -> Iterator[str]:
    scores = pair.result.rubric.map(lambda of: of.overall_score) if pair.result else None
    figures = f" {scores[label]} : {scores[label.other]}" if scores else ""
    against = pair.candidates[label.other] if pair.candidates else f"output {label.other.value}"
    yield (
        f"\nLost{figures} against {_plain(against)} "
        f"({pair.decided}, verdict by {pair.source.value}"
        f"{', not blind' if pair.knew else ''}; output {label.value}, "
        f"comparison {pair.id}).\n"
    )
    for weakness in pair.prose.weaknesses[label]:
        yield f"- weakness: {_plain(weakness)}\n"
    behind = {(gap.own.dimension, gap.own.key): gap.other for gap in gaps_of(pair, label)}
    for remark in pair.of(label):
        other = behind.get((remark.dimension, remark.key))
        if remark.is_expectation and remark.final == 0:
            yield f"- not met: {_plain(remark.name)}\n"
        elif other and not remark.is_expectation:
            yield f"- {_plain(remark.name)}: {remark.final} against {other.final}\n"
        else:
            continue
        if remark.rationale:
            yield f"  - judge: {_plain(remark.rationale)}\n"
        for quote in remark.quotes:
            yield f"  - quote: “{_plain(quote)}”\n"
        if remark.reason:
            yield f"  - reviewer: {_plain(remark.reason)}\n"
    if pair.left_out:
        yield f"- not assessed, so not counted: {counted(pair.left_out, 'row')}\n"
    if pair.scores_and_verdict_disagree:
        yield f"- the judge's {SCORES_DISAGREE}\n"
    for comment in pair.comments:
        yield f"- comment: {_plain(comment)}\n"


def _plain(text: str) -> str:
    """Foreign words on one line of Markdown, as words."""
    return " ".join(text.split()).translate(_SPECIAL)
