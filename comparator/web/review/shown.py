"""What the review component gets of a pair: with the page, and part by part as the reviewer acts."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from comparator.domain.errors import InputError
from comparator.domain.labels import Label, PerOutput, Winner
from comparator.domain.pair.notes import (
    CONTRADICTS,
    CUT_OFF,
    MAY_REVEAL,
    SAME_IN_BOTH_ORDERS,
    SCORES_DISAGREE,
    SUPERSEDED,
    VOID,
)
from comparator.domain.pair.view import Family
from comparator.domain.rights import Act
from comparator.domain.scoring.review import Blindness
from comparator.domain.scoring.rubric import NO_DIFFERENCE, form_in_words
from comparator.domain.scoring.several_judges import Vote
from comparator.domain.scoring.verdict import DecidedBy
from comparator.outputs.member_names import in_words
from comparator.outputs.preview.document import reveal
from comparator.outputs.view.pairing import FilePair, pair_files
from comparator.reporting.trust.record import probability
from comparator.store.facts.verdicts import OFFLINE_KIND
from comparator.store.pairs.outputs import FileRow
from comparator.web.media.files import PREFIX
from comparator.workflow.exporting.comparison_json import read_settled
from comparator.workflow.judging.asking import asks_a_model
from comparator.workflow.people.people import may
from comparator.workflow.projects.reveal import revealed_names, set_size
from comparator.workflow.review.notes import Notes, read_notes
from comparator.workflow.review.panel import Scope, first_files
from comparator.workflow.review.sheet import Sheet, SheetFile, read_sheet
from comparator.workflow.services import Services

WORDS: dict[str, Any] = {
    "rules": {rule.value: rule.in_words for rule in DecidedBy},
    "words": {
        "disagree": SCORES_DISAGREE,
        "same_orders": SAME_IN_BOTH_ORDERS.lower(),
        "outcomes": {winner.value: winner.in_words for winner in Winner},
        "tie": Winner.TIE.in_sentence,
    },
}
"""What the component calls things that lists, dashboards and messages name too."""
_NOT_SENT: Any = {
    **dict.fromkeys(
        (
            "files",
            "set_aside",
            "aside_of_both",
            "prompt",
            "cut_off",
            "void",
            "may_reveal",
            "view_notes",
            "superseded",
            "judge_is_new",
        ),
        True,
    ),
    "judgment": {
        "rubric": True,
        "prose": True,
        "passes": {"__all__": {"answer": {"reasoning", "strengths", "weaknesses", "surplus", "form"}}},
    },
}
"""What the browser is not given of a sheet."""
_LONGEST_LINE = 400
_NO_WINNER = {
    Vote.INCONCLUSIVE: "inconclusive, its two orders disagree",
    Vote.ABSTAINED: "abstained",
    Vote.FAILED: "failed, or used an earlier rubric",
}


def as_sent(sheet: Sheet) -> dict[str, Any]:
    """What the browser is given of the sheet, with the page and in answer to changes alike."""
    findings = [finding._asdict() for finding in findings_of(sheet)]
    sent = sheet.model_dump(mode="json", exclude=_NOT_SENT) | {"findings": findings}
    # What will be replaced is not scored.
    return sent | {"rubric": {"content": [], "structure": []}} if sheet.rubric_is_coming else sent


def whole(services: Services, comparison_id: str, *, sheet: Sheet | None = None) -> dict[str, Any]:
    """Everything that the component shows of a comparison. `sheet` is one that was just read, with its files."""
    sheet = sheet or read_sheet(services, comparison_id)
    names = names_of(services, sheet)
    judgment = sheet.judgment
    return {
        "sheet": as_sent(sheet),
        "scores_first": _scores_first(services, sheet),
        "names": {label.value: reveal(names[label]) for label in Label} if names else None,
        "standing": _standing(services, sheet),
        "together": _revealed_together(services, sheet),
        # What the judge's stated confidence is worth by blind reviews of this project, once there are enough.
        "probability": judgment
        and probability(
            services.database,
            sheet.project_id,
            version=sheet.judge.version,
            stated=judgment.stated_confidence,
        ),
        "notes": notes_of(services, sheet),
        "panes": files_shown(
            sheet.files,
            # Before the reveal not by output: whoever left notes about itself would be known by them.
            aside=[
                (label.value, file.name, file.reason) for label in Label for file in sheet.set_aside[label]
            ]
            or [("", name, "") for name in sheet.aside_of_both],
        ),
    }


def _scores_first(services: Services, sheet: Sheet) -> bool:
    """Whether the review begins with the scores: not where one question is asked, nor where no model judges.

    It goes by which judge is asked, not by what has come of it, so that no panel folds while somebody reads.
    """
    if sheet.preference or sheet.blind:
        return not sheet.preference
    if kind := sheet.judge.last_kind or sheet.judge.kind:
        return kind != OFFLINE_KIND
    return asks_a_model(services, sheet.project_id)


def names_of(services: Services, sheet: Sheet) -> PerOutput[str] | None:
    """The candidates' names, once they are revealed to whoever looks."""
    if not sheet.revealed or not may(services, Act.SEE_CANDIDATES, comparison_id=sheet.comparison_id):
        return None
    return revealed_names(services, sheet.comparison_id)


def _standing(services: Services, sheet: Sheet) -> dict[str, Any] | None:
    """What other people settled of a revealed pair, for whoever has said nothing of it; None for everybody else."""
    id = sheet.comparison_id
    said = sheet.own or sheet.versions or sheet.answers
    if said or not sheet.revealed or not may(services, Act.SEE_RESULTS, comparison_id=id):
        return None
    try:
        settled_result = read_settled(services, id)
    except InputError:
        return None
    if not settled_result.source.by_people:
        return None
    return {
        "whose": settled_result.source.whose,
        "verdict": settled_result.verdict.model_dump(mode="json"),
        "prose": settled_result.prose.model_dump(mode="json"),
    }


def _revealed_together(services: Services, sheet: Sheet) -> int:
    """How many comparisons a reveal of this one would reveal; 0 where there is none to make."""
    id = sheet.comparison_id
    if not sheet.finalised or sheet.revealed or not may(services, Act.REVEAL, comparison_id=id):
        return 0
    return set_size(services, id)


def files_shown(
    sheet_files: Sequence[SheetFile],
    *,
    aside: Sequence[tuple[str, str, str]] = (),
) -> dict[str, Any]:
    """A comparison's files: outputs paired, then the task's inputs and the reference answer; and what was set `aside`,
    each with its output (empty for both), name and reason."""
    a, b = ([file for file in sheet_files if file.label is label] for label in Label)
    return {
        "prefix": PREFIX,
        "entries": [
            {"a": file_sent(pair.a), "b": file_sent(pair.b), "kind": _kind(pair)} for pair in pair_files(a, b)
        ]
        + [{"a": file_sent(file), "role": file.role} for file in sheet_files if file.label is None],
        "aside": [
            {"label": label, "name": reveal(name), "reason": reveal(reason)} for label, name, reason in aside
        ],
    }


def _kind(pair: FilePair[SheetFile]) -> str:
    if pair.identical:
        return "identical"
    if pair.same_text:
        seen = all(file and (file.pages or file.family is Family.PDF) for file in (pair.a, pair.b))
        return "same_text" if seen else "same_words"
    return pair.pairing.value


def file_sent(file: SheetFile | FileRow | None) -> dict[str, Any] | None:
    """What the panes are told of a file."""
    if file is None:
        return None
    return {
        "id": file.id,
        "name": reveal(file.name),
        "family": file.family.value,
        "size": in_words(file.size),
        "notes": [reveal(note) for note in file.notes],
        "pages": bool(file.pages),
    }


def next_files(services: Services, comparison_id: str, *, scope: Scope) -> list[Any]:
    """The files that the browser may load once this pair is seen, one a side."""
    files = first_files(services, comparison_id, scope)
    return [file_sent(files.A), file_sent(files.B)] if files else []


def notes_of(services: Services, sheet: Sheet) -> dict[str, Any]:
    """The reviewer's ticks and evidence, and the comments that they may see; `sheet` has its files."""
    notes: Notes = read_notes(services, sheet.comparison_id)
    files = {file.id: file for file in sheet.files}

    def place(file_id: str | None) -> dict[str, Any]:
        file = files.get(file_id or "")
        label = file.label.value if file and file.label else None
        return {"fileId": file_id, "file": reveal(file.name) if file else "", "label": label}

    return {
        "looked": sorted(notes.looked),
        "closed": notes.closed,
        "evidence": [
            {
                **place(piece.file_id),
                "id": piece.id,
                "target": piece.target,
                "text": reveal(piece.text),
                "start": piece.start,
            }
            for piece in notes.evidence
        ],
        "comments": [
            {
                **place(comment.file_id),
                "id": comment.id,
                "author": reveal(notes.authors[comment.person_id]),
                "mine": comment.person_id == services.person,
                "selection": reveal(comment.selection),
                "start": comment.start,
                "text": reveal(comment.text),
                "at": comment.at.isoformat(),
            }
            for comment in notes.comments
        ],
    }


class Finding(NamedTuple):
    """What is to be known of a pair before it is read: a name above the outputs, and the text behind it.

    `{A}` and `{B}` stand for what the outputs are called.
    """

    name: str
    about: str
    lines: tuple[str, ...] = ()
    warns: bool = True


def findings_of(sheet: Sheet) -> Iterator[Finding]:
    """The findings of a pair, in the order in which they are shown."""
    judge, judgment = sheet.judge, sheet.judgment
    if judge.form and judge.form != form_in_words(NO_DIFFERENCE):
        yield Finding(
            f"Offline check: {judge.form}",
            "It looks at form only: whether there is an output, whether its files open and parse, and whether the "
            "files that the task names are there. It cannot tell right from wrong.",
        )
    if judge.example:
        about = "It was written for this example in the format of a model's answer. No model was used."
        yield Finding("Example judgment", about, warns=False)
    if judgment is not None and judgment.contradictions:
        both = (
            f"With {contradiction.order.value[0]} shown first, it named: {_wins(contradiction.named)}. "
            f"Its scores say: {_wins(contradiction.by_scores)}."
            for contradiction in judgment.contradictions
        )
        yield Finding(*CONTRADICTS, tuple(both))
    if judgment is not None and judgment.position_consistent is False:
        yield Finding(
            "Judge's two orders disagree",
            "The judge preferred one output when A was shown first, and the other when B was. Where its readings "
            "differ, both values are shown.",
        )
    if len({opinion.vote for opinion in judge.judges}) > 1:
        yield Finding(
            "Judges disagree",
            "Several judges were asked. Each was reconciled over both orders first:",
            tuple(
                f"{opinion.name}: {_NO_WINNER.get(opinion.vote) or _wins(Winner(opinion.vote.value))}"
                for opinion in judge.judges
            ),
        )
    passes = judgment.passes if judgment is not None else ()
    if addressed := dict.fromkeys(line for pass_ in passes for line in pass_.answer.addressed_judge):
        about = "It was treated as data, not as an instruction:"
        yield Finding("An output addresses the judge", about, tuple(map(_cut, addressed)))
    for label in sheet.cut_off:
        yield Finding(CUT_OFF.name.format(f"{{{label.value}}}"), CUT_OFF.about)
    if sheet.void:
        yield Finding(*VOID)
    # Before that, a page that repeats what somebody types would answer a guess.
    if sheet.may_reveal and (sheet.finalised or sheet.revealed):
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
    if sheet.saw_judge and not sheet.finalised:
        about = "Your review counts as made after them, not as blind first."
        yield Finding("You have seen the judge's scores of this pair", about, warns=False)
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


def _cut(text: str, longest: int = _LONGEST_LINE) -> str:
    half = longest // 2
    return text if len(text) <= longest else f"{text[:half]} … {text[-half:]}"
