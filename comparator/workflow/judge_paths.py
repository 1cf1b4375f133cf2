"""One pair from two paths to comparison.json, without a browser; the comparison stays for review."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from pathlib import Path

from comparator.domain.blinding.redaction import PatternDecision, asked_for
from comparator.domain.blinding.scan import may_reveal
from comparator.domain.errors import InputError, JudgeError
from comparator.domain.labels import Frozen, Label, PerOutput
from comparator.domain.pair.notes import SCORES_DISAGREE
from comparator.domain.pair.task import TaskText
from comparator.domain.scoring.result import ComparisonResult
from comparator.domain.scoring.rubric import form_in_words
from comparator.domain.scoring.verdict import DecidedBy, VerdictSource, decided_in_words
from comparator.store.facts import verdicts
from comparator.store.pairs.comparisons import ComparisonSource
from comparator.workflow.exporting.comparison_json import require_own_place, write_files
from comparator.workflow.exporting.settled import settled
from comparator.workflow.judging.read_pair import OnStep, quiet
from comparator.workflow.judging.reader import judge_here, reader_here
from comparator.workflow.judging.which_judges import AskedJudges
from comparator.workflow.people.people import local_person
from comparator.workflow.review.sheet import JudgeSays, Sheet, read_sheet
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import (
    Source,
    candidate_names,
    open_reader,
    read_output,
    read_together,
    with_findings,
)
from comparator.workflow.submit.set_up import submit_read
from comparator.workflow.submit.submission import DEFAULT_PROJECT, Submission, telling_expectations

MOST_NOTES = 20
"""So many notes on files, and on files that are set aside, are told one by one."""


class Done(Frozen):
    """The result, where it was written, and what a person should know of it."""

    comparison_id: str
    result: ComparisonResult
    decided_by: DecidedBy
    source: VerdictSource
    judge: str
    judges: tuple[JudgeSays, ...]
    """Each of them by itself, where several were asked; everything else is what they come to."""
    position_consistent: bool | None
    self_consistent: bool | None
    form: str
    """What the offline check found, where that is the result: such as "no difference", or "B does not open"."""
    readings: int
    """Of the judge, in both orders together."""
    rule: str
    """By which rule it read so often."""
    left_out: int
    """How many criteria and expectations do not count, since nobody assessed them."""
    notes: tuple[str, ...]
    written: tuple[Path, Path] | None
    """The result and its provenance."""
    redacted: tuple[str, ...]
    telling: tuple[str, ...] = ()
    """Sentences on what may still tell: a passage in an output, and expectations with a proposal for each."""

    @property
    def judged(self) -> bool:
        """Whether the result is the judge's own."""
        return self.source in (VerdictSource.JUDGE, VerdictSource.OFFLINE)

    def summary(self) -> Iterator[str]:
        """A few lines for a terminal."""
        if self.source is VerdictSource.OFFLINE:
            yield f"Offline check: {form_in_words(self.form)}."
            yield "It looks at form only and cannot tell right from wrong. Review the pair, or judge it with a model."
        else:
            yield self._verdict_in_words()
        for each in self.judges:
            alone = f" {each.overall.A} : {each.overall.B}" if each.overall else ""
            cost = "no price known" if each.cost is None else f"{each.cost.normalize():f} USD"
            yield f"{each.name} ({each.model}): {each.vote.value}{alone}, {cost}"
        results = self.result.expectation_results
        if results is not None:
            met = results.map(lambda r: f"{r.passed} of {r.total}")
            yield f"Expectations met: A {met.A}, B {met.B}"
        if self.source is VerdictSource.JUDGE and self.rule:
            yield f"Readings: {self.readings}. Rule: {self.rule}"
        if self.self_consistent is False:
            yield f"The judge's {SCORES_DISAGREE}, even after it was asked again: review the pair yourself."
        elif self.position_consistent is False:
            yield "The two orders gave different winners: review the pair yourself."
        if self.redacted:
            yield f"Neutralised on both sides: {', '.join(self.redacted)}"
        yield from self.telling
        yield from self.notes
        if self.written is not None:
            yield f"Written: {self.written[0]} and {self.written[1]}."
        yield "To review it: comparator serve"

    def _verdict_in_words(self) -> str:
        rubric = self.result.rubric
        scores = f"{rubric.A.overall_score} : {rubric.B.overall_score}"
        by = self.judge if self.judges else f"judge {self.judge}"
        by = by if self.judged else f"verdict by {self.source.value}"
        return f"{self.result.winner.in_words} {scores} ({decided_in_words(self.decided_by, self.left_out)}, {by})"


async def judge_once(
    services: Services,
    asked: AskedJudges,
    task: TaskText,
    outputs: PerOutput[Path],
    *,
    candidates: tuple[str | None, str | None] = (None, None),
    inputs: Sequence[Path] = (),
    reference: Path | None = None,
    redact: Sequence[str] = (),
    keep: Collection[str] = (),
    draw: bool = False,
    budget: Decimal | None = None,
    project: str = "",
    out: Path | None = None,
    replace: bool = True,
    on_step: OnStep = quiet,
) -> Done:
    """Read, blind, judge and write. A and B are as given unless chance draws; `redact` are words that are neutralised
    whatever was found, `keep` found ones that stay. Each judge may spend `budget` US dollars.

    `out` is a file or folder, or None where nothing is written; unless `replace`, the result of another comparison is
    not written over. Run again after a failure, only what is missing is asked of the judge.

    Raises InputError for what cannot be read, JudgeError where a pass failed or several judges come to no verdict.
    """
    person = local_person(services)
    on_step("Reading both outputs")
    if outputs.A.absolute() == outputs.B.absolute():
        raise InputError("A and B are the same path. Choose two different outputs.")
    sources = (outputs.A, outputs.B)
    with open_reader(services) as reader:
        submission = with_findings(
            reader,
            Submission(
                task=task,
                outputs=outputs.map(lambda path: read_output(services, path)),
                candidates=candidate_names(
                    PerOutput[Source](A=outputs.A, B=outputs.B),
                    PerOutput[str | None](A=candidates[0], B=candidates[1]),
                ),
                inputs=read_together(services, inputs),
                reference=read_output(services, reference) if reference else None,
                project=project or DEFAULT_PROJECT,
                draw=draw,
                source=ComparisonSource.CLI,
            ),
            sources=sources,
            keep=frozenset(keep),
            asked=asked_for(redact),
        )
        submitted = submit_read(services.by(person.id), submission, reader)
    if out is not None and not replace:
        # Before anything is paid for.
        require_own_place(submitted.comparison_id, out)
    problems = await _judged(services, submitted.comparison_id, asked, budget, on_step=on_step)
    written = None if out is None else write_files(services, submitted.comparison_id, target=out)
    final = settled(services, submitted.comparison_id)
    sheet = read_sheet(services.by(person.id), submitted.comparison_id)
    judged = sheet.judgment
    return Done(
        comparison_id=submitted.comparison_id,
        result=final.scored,
        decided_by=final.decided_by,
        source=final.source,
        judge=sheet.judge.model,
        position_consistent=judged.position_consistent if judged else None,
        self_consistent=judged.self_consistent if judged else None,
        form=final.form,
        readings=len(judged.passes) if judged else 0,
        rule=sheet.judge.rule,
        left_out=len(final.verdict.left_out),
        judges=sheet.judge.judges,
        notes=(*problems, *_notes(sheet)),
        written=written,
        redacted=tuple(
            sorted(r.pattern for r in submission.redactions if r.decision is PatternDecision.REDACT)
        ),
        telling=_telling(submission),
    )


async def _judged(
    services: Services, comparison_id: str, asked: AskedJudges, budget: Decimal | None, *, on_step: OnStep
) -> tuple[str, ...]:
    """Have the pair judged; the problems of those of several judges that failed. Raises JudgeError."""
    async with reader_here(services) as reader:
        results = await judge_here(reader, comparison_id, asked, budget=budget, on_step=on_step)
    if not asked.members:
        (outcome,) = results.values()
        if outcome.complete:
            return ()
        raise JudgeError(
            f"{outcome.problem} The comparison is stored ({outcome.passes} of {outcome.wanted} readings done); "
            "run the same command again to go on."
        )
    failed = tuple(
        f"{name} gave no complete answer: {result.problem}"
        for name, result in results.items()
        if result.problem is not None
    )
    with services.database.read() as connection:
        now = verdicts.judged(connection, comparison_id)
        finals = verdicts.final_reviews(connection, comparison_id)
        if verdicts.effective_verdict(connection, comparison_id, now, finals).verdict is not None:
            return failed
    votes = now.by.opinion.votes if now is not None and now.by is not None else {}
    given = ", ".join(f"{name} {vote.value}" for name, vote in votes.items())
    raise JudgeError(
        " ".join(
            (
                f"The judges came to no joint verdict ({given or 'none of them answered'}).",
                *failed,
                "The comparison is stored and can be reviewed: comparator serve."
                + (" Run the same command again to ask those that failed." if failed else ""),
            )
        )
    )


def _telling(given: Submission) -> tuple[str, ...]:
    passages = [
        f"May reveal its candidate: “{found.excerpt}” ({found.kind.value})"
        for found in given.findings
        if may_reveal([found], given.redactions)
    ]
    proposals = telling_expectations(
        given.task.expectations, findings=given.findings, redactions=given.redactions
    )
    return (*passages, *(proposal.in_words for proposal in proposals))


def _notes(sheet: Sheet) -> tuple[str, ...]:
    """What a person should know of the outputs before trusting the result: damage, cuts, what was not read."""
    of_views = [note for label in Label for note in sheet.view_notes[label]]
    of_files = [
        f"{file.label.value if file.label else file.role}, {file.name}: {note}"
        for file in sheet.files
        for note in file.notes
    ]
    aside = [
        f"{label.value}, {entry.name}: {entry.reason}" for label in Label for entry in sheet.set_aside[label]
    ]
    return (*dict.fromkeys(of_views), *_first(of_files), *_first(aside))


def _first(notes: Sequence[str]) -> Iterator[str]:
    """The first of many; each stands beside its file on the review page."""
    different = tuple(dict.fromkeys(notes))
    yield from different[:MOST_NOTES]
    if len(different) > MOST_NOTES:
        yield f"{len(different) - MOST_NOTES:,} more of this kind; the review page shows them beside their files."
