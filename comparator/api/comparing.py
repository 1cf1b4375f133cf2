"""What comes in: one pair of paths, judged at once, or experiments that were run elsewhere."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from os import PathLike
from pathlib import Path
from typing import Any

from comparator.api.opened import OnStep, opened, quiet, understood, wait_for
from comparator.domain.blinding.redaction import PatternDecision, redactions_for_words
from comparator.domain.blinding.scan import may_reveal
from comparator.domain.errors import InputError, JudgeError
from comparator.domain.labels import Frozen, Label, PerOutput
from comparator.domain.pair.notes import SCORES_DISAGREE
from comparator.domain.pair.task import wording_of
from comparator.domain.scoring.judgment import MergedJudgment
from comparator.domain.scoring.result import ComparisonResult
from comparator.domain.scoring.rubric import form_in_words
from comparator.domain.scoring.several_judges import SeveralJudges
from comparator.domain.scoring.verdict import DecidedBy, VerdictSource, decided_in_words
from comparator.jobs.start_batches import ceiling_of
from comparator.settings import Settings
from comparator.store.bulk.batches import JudgesAsked
from comparator.store.facts import verdicts
from comparator.store.pairs.comparisons import ComparisonSource
from comparator.workflow.exporting.comparison_json import read_settled, require_own_place, write_files
from comparator.workflow.importing import run
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.planned import ImportReport
from comparator.workflow.importing.store import Imported
from comparator.workflow.judging.asking import asked_judges, known_project
from comparator.workflow.judging.pair_reader import judge_here, reader_here
from comparator.workflow.review.sheet import JudgeSays, Sheet, read_sheet
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import (
    DEFAULT_PROJECT,
    Submission,
    candidate_names,
    open_reader,
    read_output,
    read_together,
    telling_expectations,
    with_findings,
)
from comparator.workflow.submit.set_up import submit_read

Place = str | PathLike[str]
MOST_NOTES = 20
"""So many notes on files, and on files that are set aside, are told one by one."""


class Comparison(Frozen):
    """The result, where it was written, and what a person should know of it."""

    comparison_id: str
    result: ComparisonResult
    decided_by: DecidedBy
    source: VerdictSource
    judge: str
    judges: tuple[JudgeSays, ...]
    """Each of them by itself, where several were asked; everything else is what they come to."""
    judgment: MergedJudgment | None
    """What the judge says, in both orders together."""
    form: str
    """What the offline check found, where that is the result: such as "no difference", or "B does not open"."""
    rule: str
    """By which rule the judge read so often."""
    left_out: int
    """How many criteria and expectations do not count, since nobody assessed them."""
    notes: tuple[str, ...]
    written: tuple[Path, Path] | None
    """The result and its provenance."""
    redacted: tuple[str, ...]
    telling: tuple[str, ...] = ()
    """Sentences on what may still tell: a passage in an output, and expectations with a proposal for each."""

    def summary(self) -> Iterator[str]:
        """A few lines for a terminal."""
        if self.source is VerdictSource.OFFLINE:
            yield f"Offline check: {form_in_words(self.form)}."
            yield "It looks at form only and cannot tell right from wrong. Review the pair, or judge it with a model."
        else:
            rubric, by = self.result.rubric, f"verdict by {self.source}"
            if self.source is VerdictSource.JUDGE:
                by = self.judge if self.judges else f"judge {self.judge}"
            how = decided_in_words(self.decided_by, self.left_out)
            scores = f"{rubric.A.overall_score} : {rubric.B.overall_score}"
            yield f"{self.result.winner.in_words} {scores} ({how}, {by})"
        for judge in self.judges:
            alone = f" {judge.overall.A} : {judge.overall.B}" if judge.overall else ""
            cost = "no price known" if judge.cost is None else f"{judge.cost.normalize():f} USD"
            yield f"{judge.name} ({judge.model}): {judge.vote}{alone}, {cost}"
        if (results := self.result.expectation_results) is not None:
            met = results.map(lambda r: f"{r.passed} of {r.total}")
            yield f"Expectations met: A {met.A}, B {met.B}"
        judgment = self.judgment
        if self.source is VerdictSource.JUDGE and self.rule:
            yield f"Readings: {len(judgment.passes) if judgment else 0}. Rule: {self.rule}"
        if judgment and judgment.self_consistent is False:
            yield f"The judge's {SCORES_DISAGREE}, even after it was asked again: review the pair yourself."
        elif judgment and judgment.position_consistent is False:
            yield "The two orders gave different winners: review the pair yourself."
        if self.redacted:
            yield f"Neutralised on both sides: {', '.join(self.redacted)}"
        yield from self.telling
        yield from self.notes
        if self.written is not None:
            yield f"Written: {self.written[0]} and {self.written[1]}."
        yield "To review it: comparator serve"


def compare(
    a: Place,
    b: Place,
    prompt: str,
    *,
    expectations: Sequence[str] = (),
    inputs: Sequence[Place] = (),
    reference: Place | None = None,
    candidates: tuple[str | None, str | None] = (None, None),
    redact: Sequence[str] = (),
    keep: Sequence[str] = (),
    draw: bool = False,
    budget: Decimal | float | str | None = None,
    project: str = "",
    out: Place | None = None,
    replace: bool = True,
    settings: Settings | None = None,
    on_step: OnStep = quiet,
    **judges: Any,
) -> Comparison:
    """Judge two outputs of one task, each a file or a folder; the comparison is stored and waits for a review.

    `a` and `b` are A and B as given; with `draw`, chance decides. `candidates` say who made which and stay sealed.
    `redact` are words that are neutralised whatever was found, `keep` found ones that stay.

    `judges` are the fields of `store.bulk.batches.JudgesAsked`: judge and model come from the settings unless given,
    and `named` ones go in their place.

    If several judges read the pair, by `named` or by the project's settings, the result is their joint verdict, and
    `judges` of the result holds what each says. At least `quorum` of them must reach a verdict (a majority by default).

    No judge spends more than `budget`, in US dollars, whatever else the settings allow.

    With `out`, comparison.json is written there, and its provenance beside it. Without `replace`, the result of another
    comparison is never overwritten. Repeating the call pays for nothing twice.

    Raises InputError for what cannot be read, and SettingsError where no such judge is set up. Raises JudgeError where
    the judge gave no complete answer (the comparison is stored; call again to go on), or several judges came to no
    verdict.
    """
    wanted = understood(JudgesAsked, **judges)
    if wanted.named and (wanted.judge or wanted.model):
        raise InputError("Give a judge by kind and model, or judges by name, not both.")
    ceiling = ceiling_of(None if budget is None else Decimal(str(budget)))
    paths, target = PerOutput(A=Path(a), B=Path(b)), None if out is None else Path(out)
    project = project or DEFAULT_PROJECT
    with opened(settings) as services:
        several_judges = asked_judges(services, known_project(services, project), wanted)
        on_step("Reading both outputs")
        if paths.A.absolute() == paths.B.absolute():
            raise InputError("A and B are the same path. Choose two different outputs.")
        with open_reader(services) as reader:
            submission = with_findings(
                reader,
                Submission(
                    task=wording_of(prompt, expectations),
                    outputs=paths.map(lambda path: read_output(services, path)),
                    candidates=candidate_names(
                        PerOutput(A=paths.A, B=paths.B),
                        PerOutput(A=candidates[0], B=candidates[1]),
                    ),
                    inputs=read_together(services, tuple(map(Path, inputs))),
                    reference=read_output(services, Path(reference)) if reference else None,
                    project=project,
                    draw=draw,
                    source=ComparisonSource.CLI,
                ),
                sources=(paths.A, paths.B),
                keep=frozenset(keep),
                redactions=redactions_for_words(redact),
            )
            id = submit_read(services, submission, reader).comparison_id
        if target is not None and not replace:
            # Before anything is paid for.
            require_own_place(id, target)
        problems = wait_for(_judged(services, id, several_judges, ceiling, on_step))
        written = None if target is None else write_files(services, id, target=target)
        final, sheet = read_settled(services, id), read_sheet(services, id)
    passages = [
        f"May reveal its candidate: “{finding.excerpt}” ({finding.kind})"
        for finding in submission.findings
        if may_reveal([finding], submission.redactions)
    ]
    proposals = telling_expectations(
        submission.task.expectations, findings=submission.findings, redactions=submission.redactions
    )
    redacted = (r.pattern for r in submission.redactions if r.decision is PatternDecision.REDACT)
    return Comparison(
        comparison_id=id,
        result=final.scored,
        decided_by=final.verdict.decided_by,
        source=final.source,
        judge=sheet.judge.model,
        judgment=sheet.judgment,
        form=final.form,
        rule=sheet.judge.rule,
        left_out=len(final.verdict.left_out),
        judges=sheet.judge.judges,
        notes=(*problems, *_notes(sheet)),
        written=written,
        redacted=tuple(sorted(redacted)),
        telling=(*passages, *(proposal.in_words for proposal in proposals)),
    )


async def _judged(
    services: Services,
    comparison_id: str,
    several_judges: SeveralJudges,
    budget: Decimal | None,
    on_step: OnStep,
) -> tuple[str, ...]:
    """Have the pair judged; the problems of those of several judges that failed. Raises JudgeError."""
    async with reader_here(services) as reader:
        results = await judge_here(reader, comparison_id, several_judges, budget=budget, on_step=on_step)
    if not several_judges.panel:
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
    with services.read() as connection:
        now = verdicts.judged(connection, comparison_id)
        finals = verdicts.final_reviews(connection, comparison_id)
        if verdicts.effective_verdict(connection, comparison_id, now, finals).verdict is not None:
            return failed
    votes = now.by.opinion.votes if now is not None and now.by is not None else {}
    given = ", ".join(f"{name} {vote}" for name, vote in votes.items())
    again = " Run the same command again to ask those that failed." if failed else ""
    raise JudgeError(
        " ".join(
            (
                f"The judges came to no joint verdict ({given or 'none of them answered'}).",
                *failed,
                f"The comparison is stored and can be reviewed: comparator serve.{again}",
            )
        )
    )


def _notes(sheet: Sheet) -> Iterator[str]:
    """What a person should know of the outputs before trusting the result: damage, cuts, what was not read."""
    yield from dict.fromkeys(note for label in Label for note in sheet.view_notes[label])
    of_files = [
        f"{file.label or file.role}, {file.name}: {note}" for file in sheet.files for note in file.notes
    ]
    aside = [f"{label}, {entry.name}: {entry.reason}" for label in Label for entry in sheet.set_aside[label]]
    for notes in (tuple(dict.fromkeys(of_files)), tuple(dict.fromkeys(aside))):
        yield from notes[:MOST_NOTES]
        if len(notes) > MOST_NOTES:
            yield f"{len(notes) - MOST_NOTES:,} more of this kind; the review page shows them beside their files."


def import_workspace(
    path: Place,
    *,
    settings: Settings | None = None,
    on_step: OnStep = quiet,
    **options: Any,
) -> Imported:
    """Set up the pairs of a workspace folder, a results file, a preference set or a table; nothing is judged yet.

    The options are the fields of `workflow.importing.pairs.ImportRequest`, as docs/import.md explains them. What was
    imported before is left alone. The report says what was found, left out and may tell who made what, and
    the ids of the new comparisons come with it. Raises InputError where nothing can be imported.
    """
    request = understood(ImportRequest, path=Path(path), **options)
    with opened(settings) as services:
        return run.import_path(services, request, on_step=on_step)


def look_through(
    path: Place,
    *,
    settings: Settings | None = None,
    on_step: OnStep = quiet,
    **options: Any,
) -> ImportReport:
    """What `import_workspace` would find and do with the same options; nothing is kept of it. Raises InputError."""
    request = understood(ImportRequest, path=Path(path), **options)
    with opened(settings) as services:
        return run.dry_run(services, request, on_step=on_step)
