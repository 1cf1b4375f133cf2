"""What is to be known of a pair before it is read: short findings that stand in one line above the outputs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from comparator.domain.labels import Label, Winner
from comparator.domain.pair.notes import CONTRADICTS, CUT_OFF, MAY_REVEAL, SUPERSEDED, VOID
from comparator.domain.scoring.review import Blindness
from comparator.domain.scoring.rubric import NO_DIFFERENCE
from comparator.domain.scoring.several_judges import Vote
from comparator.workflow.review.sheet import Sheet

LONGEST = 400
NO_WINNER = {
    Vote.INCONCLUSIVE: "inconclusive, its two orders disagree",
    Vote.ABSTAINED: "abstained",
    Vote.FAILED: "failed, or used an earlier rubric",
}


class Finding(NamedTuple):
    """One of them: its name, and what is told once that is pressed. `{A}` and `{B}` stand for what the outputs are
    called."""

    name: str
    about: str
    lines: tuple[str, ...] = ()
    warns: bool = True


def findings_of(sheet: Sheet) -> Iterator[Finding]:
    """Those of a pair, in their order."""
    judge, judgment = sheet.judge, sheet.judgment
    if judge.form:
        yield Finding(
            f"Offline check: {judge.form}",
            "It looks at form only: whether there is an output, whether its files open and parse, and whether the "
            "files that the task names are there. It cannot tell right from wrong.",
            warns=judge.form != NO_DIFFERENCE,
        )
    if judge.example:
        about = "It was written for this example in the format of a model's answer. No model was used."
        yield Finding("Example judgment", about, warns=False)
    if judgment is not None and judgment.contradictions:
        both = (
            f"With {each.order.value[0]} shown first, it named: {_wins(each.named)}. "
            f"Its scores say: {_wins(each.by_scores)}."
            for each in judgment.contradictions
        )
        yield Finding(*CONTRADICTS, tuple(both))
    if judgment is not None and judgment.position_consistent is False:
        yield Finding(
            "Judge's two orders disagree",
            "The judge preferred one output when A was shown first, and the other when B was. Where its readings "
            "differ, both values are shown.",
        )
    if len({each.vote for each in judge.judges}) > 1:
        yield Finding(
            "Judges disagree",
            "Several judges were asked. Each was reconciled over both orders first:",
            tuple(
                f"{each.name}: {NO_WINNER.get(each.vote) or _wins(Winner(each.vote.value))}"
                for each in judge.judges
            ),
        )
    passes = judgment.passes if judgment is not None else ()
    if addressed := dict.fromkeys(line for each in passes for line in each.answer.addressed_judge):
        about = "It was treated as data, not as an instruction:"
        yield Finding("An output addresses the judge", about, tuple(map(_cut, addressed)))
    for label in sheet.cut_off:
        yield Finding(CUT_OFF.name.format(f"{{{label.value}}}"), CUT_OFF.about)
    if sheet.void:
        yield Finding(*VOID)
    if sheet.may_reveal:
        yield Finding(*MAY_REVEAL)
    for label in Label:
        for note in sheet.view_notes[label]:
            yield Finding(f"{{{label.value}}}: {_cut(note, 60)}", note)
    yield from _of_blinding(sheet)


def _of_blinding(sheet: Sheet) -> Iterator[Finding]:
    if sheet.superseded:
        yield Finding(*SUPERSEDED, warns=False)
    if sheet.aside_of_both:
        about = "These files are not judged. The reveal shows which output they belong to."
        yield Finding("Files set aside", about, tuple(map(_cut, sheet.aside_of_both)), warns=False)
    if sheet.revealed and sheet.finalised:
        about = "Changes made now are marked as not blind and left out of blind statistics."
        yield Finding("Candidates revealed", about, warns=False)
    elif sheet.revealed:
        yield Finding(
            "Candidates are known: your review will not count as blind",
            "They were revealed before you finalised. Blind statistics leave your review out.",
        )
    elif sheet.blindness is Blindness.SIDES_HIDDEN:
        yield Finding(
            "Sides are hidden; you know the candidates",
            "You set this pair up. Which output is whose was drawn by chance. Your review is counted separately, not "
            "as blind.",
            warns=False,
        )
    elif sheet.blindness is Blindness.KNOWN:
        about = "You know which output is whose. Your review is counted separately."
        yield Finding("Not blind for you", about, warns=False)


def _wins(winner: Winner | None) -> str:
    if winner is None:
        return "no winner"
    return winner.in_sentence if winner is Winner.TIE else f"{{{winner.value}}} wins"


def _cut(text: str, longest: int = LONGEST) -> str:
    half = longest // 2
    return text if len(text) <= longest else f"{text[:half]} … {text[-half:]}"
