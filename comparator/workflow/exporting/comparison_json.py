"""comparison.json and comparison.provenance.json: the verdict that holds as it is exported, and all that led to it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from comparator.domain.errors import InputError, NotFound
from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import MergedJudgment, Prose
from comparator.domain.scoring.repetitions import rule_in_words
from comparator.domain.scoring.result import (
    OVERALL,
    ComparisonResult,
    OverallScores,
    compose,
    with_overall_scores,
)
from comparator.domain.scoring.review import scores_by
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.scoring.several_judges import vote_of
from comparator.domain.scoring.verdict import Verdict, VerdictSource
from comparator.outputs import EXTRACTOR
from comparator.store.bulk import batch_items
from comparator.store.core.blobs import whole_file
from comparator.store.core.sql import Connection
from comparator.store.facts import verdicts
from comparator.store.judging import judgments, rubrics
from comparator.store.pairs import comparisons, outputs, reveals, tasks
from comparator.store.people import projects
from comparator.store.reviewing import covered, notes, reviews
from comparator.workflow.people.people import require, require_for
from comparator.workflow.projects.reveal import key_names, neutral_until_reveal
from comparator.workflow.services import Services

_LACKS = (
    "This pair was decided without scores. comparison.json needs four whole numbers from 1 to 5: content and "
    "structure of A, then of B{sentence}. Export on the pair's page asks for them; on the command line, use "
    "--scores 4,3,2,3{option}."
)
_FOUR = re.compile(r"\s*([1-5])[\s,]+([1-5])[\s,]+([1-5])[\s,]+([1-5])(?:[\s,.:;]+(.*))?", re.DOTALL)


class WithoutScores(InputError):
    """What a single pair lacks for comparison.json."""


class ScoresGiven(NamedTuple):
    """What a person adds where a pair was decided by its winner alone."""

    scores: OverallScores
    sentence: str = ""
    """Why the winner wins, where the review does not say."""

    @classmethod
    def read(cls, typed: str) -> ScoresGiven:
        """The four numbers of a line, and the sentence after them. Raises InputError for anything else.

        >>> ScoresGiven.read("4, 3, 2, 3: A has the total.").sentence
        'A has the total.'
        """
        match = _FOUR.fullmatch(typed)
        if match is None:
            raise InputError(f"{typed[:40]!r} is not four whole numbers from 1 to 5, such as 4,3,2,3.")
        a_content, a_structure, b_content, b_structure = (int(match[n]) for n in range(1, 5))
        scores = OverallScores(
            content=PerOutput(A=a_content, B=b_content), structure=PerOutput(A=a_structure, B=b_structure)
        )
        return cls(scores, (match[5] or "").strip())


class SettledResult(NamedTuple):
    """The result of a comparison that is exported, and whose it is."""

    comparison: comparisons.Comparison
    wording: TaskText
    """The task as it was handed in; until the reveal as judge and reviewer got it, since it may name a candidate."""
    result: ComparisonResult | None
    """None where a reviewer chose the winner alone: the format needs scores."""
    source: VerdictSource
    verdict: Verdict
    prose: Prose
    rubric: Rubric
    judged: verdicts.JudgedPasses | None
    """What the judge says, whoever's verdict holds; None where none has begun."""
    given: OverallScores | None = None
    """The scores that were given for this export alone."""

    @property
    def form(self) -> str:
        """What the offline check found, where nobody else has spoken; else empty."""
        form = self.judged.form if self.judged else None
        return form.words if form is not None and self.source is VerdictSource.OFFLINE else ""

    @property
    def scored(self) -> ComparisonResult:
        """The result. Raises WithoutScores, with what is missing."""
        if self.result is None:
            raise WithoutScores(self.lacks)
        return self.result

    @property
    def lacks(self) -> str:
        """What a verdict without scores lacks for comparison.json, in a sentence."""
        silent = not self.prose.reasoning.strip()
        return _LACKS.format(
            sentence=", and a sentence on why" if silent else "", option=" and --why" if silent else ""
        )

    def with_scores(self, given: ScoresGiven, expectations: tuple[str, ...]) -> SettledResult:
        """The same with these numbers where it has none."""
        reasoning = self.prose.reasoning.strip() or given.sentence.strip()
        if self.result is not None or not reasoning:
            return self
        nothing = PerOutput(A=(), B=())
        prose = self.prose.copy_with(reasoning=reasoning, strengths=nothing, weaknesses=nothing)
        verdict = with_overall_scores(self.verdict, given.scores)
        result = compose(OVERALL, verdict, prose, expectations=expectations)
        return self._replace(verdict=verdict, prose=prose, result=result, rubric=OVERALL, given=given.scores)


def read_settled(services: Services, comparison_id: str) -> SettledResult:
    """As `settled_result`, of the comparison as it is now."""
    with services.read() as connection:
        return settled_result(connection, comparison_id)


def settled_result(
    connection: Connection, comparison_id: str, *, given: ScoresGiven | None = None
) -> SettledResult:
    """The verdict that holds: an adjudication, else the final reviews', else the judge's.

    `given` are scores for a pair that was decided without any. Raises InputError where there is no verdict, or where
    reviews disagree on the winner.
    """
    comparison = comparisons.get(connection, comparison_id)
    finals = verdicts.final_reviews(connection, comparison.id)
    judged = verdicts.judged(connection, comparison.id)
    effective = verdicts.effective_verdict(connection, comparison.id, judged, finals)
    if effective.source is None:
        raise InputError("There is no verdict to export yet. Have the pair judged, or finalise a review.")
    verdict, prose, rubric = effective.verdict, effective.prose, effective.rubric
    if verdict is None or prose is None or rubric is None:
        raise InputError("The final reviews disagree on the winner. Settle them first, then export.")
    revealed = reveals.of_comparison(connection, comparison.id) is not None
    wording = (
        tasks.get_version(connection, comparison.task_version_id).text if revealed else comparison.wording
    )
    texts = wording.expectations
    result = compose(rubric, verdict, prose, expectations=texts) if verdict.totals else None
    settled = SettledResult(comparison, wording, result, effective.source, verdict, prose, rubric, judged)
    return settled.with_scores(given, texts) if given else settled


def judged_result(judgment: MergedJudgment | None, expectations: tuple[str, ...]) -> ComparisonResult | None:
    """What the judge said as a result of its own; None where it gave no verdict."""
    if judgment is None or judgment.verdict is None:
        return None
    return compose(judgment.rubric, judgment.verdict, judgment.prose, expectations=expectations)


DEFAULT_NAME = "comparison.json"


class ResultFiles(NamedTuple):
    """The texts of comparison.json and of its provenance, which tell of one moment."""

    result: str
    provenance: str

    def write(self, path: Path) -> None:
        """Write both, each at once as a whole. Raises InputError."""
        replace_file(provenance_path(path), self.provenance)
        replace_file(path, self.result)


def files_of(services: Services, connection: Connection, settled: SettledResult) -> ResultFiles:
    """Both files of a comparison, read on the snapshot on which it was settled."""
    return ResultFiles(settled.scored.to_json(), _provenance_text(services, connection, settled))


def result_json(services: Services, comparison_id: str, *, given: ScoresGiven | None = None) -> str:
    """The text of comparison.json; `given` are scores for a pair that was decided without any.

    Raises InputError without a verdict or before this person's answer, WithoutScores without scores, RightsError.
    """
    with _open_settled(services, comparison_id, given=given) as (_, result):
        return result.scored.to_json()


def provenance_json(services: Services, comparison_id: str) -> str:
    """The text of comparison.provenance.json. Raises InputError and RightsError as `result_json` does."""
    with _open_settled(services, comparison_id) as (connection, result):
        return _provenance_text(services, connection, result)


@contextmanager
def _open_settled(
    services: Services, comparison_id: str, *, given: ScoresGiven | None = None, is_asked_for: bool = False
) -> Iterator[tuple[Connection, SettledResult]]:
    """The result and its snapshot. Raises as `result_json` does; `is_asked_for` opens what was judged for this call."""
    with services.read() as unit:
        require_for(unit, Act.EXPORT, comparison_id=comparison_id)
        if services.who and not is_asked_for and covered.still_covered(unit, [comparison_id], services.who):
            raise InputError("The judge's values are still hidden from you. Answer first, then export.")
    with services.database.snapshot() as connection:
        yield connection, settled_result(connection, comparison_id, given=given)


def write_files(services: Services, comparison_id: str, *, target: Path) -> tuple[Path, Path]:
    """Write both files, each at once as a whole; `target` is an existing folder, or a .json file in one.

    Raises InputError where they cannot be written, RightsError for who may not write on this machine.
    """
    with services.read() as unit:
        require(unit, Act.USE_SERVER_FILES, None)
    path = _file_at(target)
    if path.suffix != ".json":
        raise InputError(
            f"{target} is not a folder that exists, and not the name of a .json file. Create it first."
        )
    if not path.parent.is_dir():
        raise InputError(f"The folder {path.parent} does not exist. Create it, or choose another one.")
    with _open_settled(services, comparison_id, is_asked_for=True) as (connection, result):
        files = files_of(services, connection, result)
    files.write(path)
    return path, provenance_path(path)


def require_own_place(comparison_id: str, target: Path) -> None:
    """Raise InputError where a file of this name is there that is not a result of this comparison."""
    path = _file_at(target)
    if path.exists() and written_for(path) != comparison_id:
        raise InputError(
            f"{path} is there already and is not a result of this comparison. Choose another name, or remove it first."
        )


def written_for(path: Path) -> str | None:
    """The comparison that a file was written for, by the provenance beside it; None for somebody else's file."""
    try:
        record: Any = json.loads(provenance_path(path).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return record.get("comparison_id") if isinstance(record, dict) else None


def _file_at(target: Path) -> Path:
    return target / DEFAULT_NAME if target.is_dir() else target


def provenance_path(path: Path) -> Path:
    """Where the provenance of this comparison.json stands.

    >>> provenance_path(Path("out/comparison-3.json")).name
    'comparison-3.provenance.json'
    """
    return path.with_name(f"{path.name.removesuffix('.json')}.provenance.json")


def replace_file(path: Path, text: str) -> None:
    """Write a file at once as a whole; a link of this name is replaced, not followed. Raises InputError."""
    try:
        # Opened like any new file, so that it gets the rights that the person's umask allows.
        with whole_file(path) as partial, partial.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}. Choose another place.") from error


def _provenance_text(services: Services, connection: Connection, settled: SettledResult) -> str:
    return TypeAdapter(Any).dump_json(provenance_of(services, connection, settled), indent=2).decode() + "\n"


def provenance_of(services: Services, connection: Connection, settled: SettledResult) -> dict[str, Any]:
    """Where a result comes from, read on the snapshot on which it was settled; values as pydantic writes them."""
    comparison, now = settled.comparison, settled.judged
    version = tasks.get_version(connection, comparison.task_version_id)
    attempts = judgments.tries(connection, comparison.id, judgments.Attempt)
    judgment, batch = now.judgment if now else None, batch_items.last_asked(connection, comparison.id)
    revealed = reveals.of_comparison(connection, comparison.id) is not None
    (project,) = neutral_until_reveal(
        connection, projects.get(connection, comparison.project_id), revealed=revealed
    )
    several = now.by if now else None
    said = [(r, reviews.changes(connection, r.id)) for r in reviews.of_comparison(connection, comparison.id)]
    final = [changes for review, changes in said if reviews.is_final(connection, review.id)]
    # By the readings of the judgment that holds, not by earlier ones.
    digests = {readings.digest for readings in now.sets} if now else set()

    def view(view_id: str) -> dict[str, Any]:
        """What judge and reviewer got of one output."""
        try:
            output = outputs.load_view(connection, view_id, blobs=services.blobs)
        except NotFound:
            digest = outputs.get_view(connection, view_id).digest
            return {"digest": digest, "files": (), "set_aside": (), "notes": ("This output was purged.",)}
        files = [
            {"id": f.id, "name": f.name, "family": f.family, "size": f.size, "notes": f.notes}
            for f in output.files
        ]
        return _without_empty(
            {
                "digest": output.digest,
                "files": files,
                # Which side left what it says about itself would tell whose it is.
                "set_aside": output.set_aside if revealed else (),
                "notes": output.notes,
            }
        )

    return _without_empty(
        {
            "format": "blind-comparator/provenance/1",
            "comparison_id": comparison.id,
            "project": project,
            # A key is made from words that may name a candidate.
            "task_key": tasks.get(connection, version.task_id).key if revealed else None,
            "task_version": version.number,
            "prompt": comparison.prompt,
            "expectations": comparison.expectations,
            "created_at": comparison.created_at,
            "exported_at": services.now(),
            "verdict_source": settled.source,
            "decided_by": settled.verdict.decided_by,
            # Criteria and expectations (by number, from 0) that nobody assessed of both outputs.
            "left_out": settled.verdict.left_out,
            "scores_given_for_export": settled.given,
            "scores_by": scores_by(settled.verdict.assessments, final),
            "reasoning_is_the_judges": judgment is not None
            and settled.prose.reasoning == judgment.prose.reasoning,
            "scores_and_verdict_disagree": None if judgment is None else not judgment.self_consistent,
            "extractor": EXTRACTOR,
            "views": comparison.views.map(view),
            "rubric": rubrics.get(connection, now.chosen.rubric_id) if now else None,
            "judge_original": judged_result(judgment, settled.wording.expectations),
            "judge": judgment,
            "judge_panel": several
            and {
                "quorum": several.judges.quorum,
                "settled": several.opinion.settled,
                "winner": several.opinion.winner,
                "judges": [
                    {
                        "name": member.name,
                        "model": member.model,
                        "digest": member.digest,
                        "vote": vote_of(several.judgments[member.name]),
                        # None where it failed, or went by an earlier rubric.
                        "judgment": several.judgments[member.name],
                        "cost": judgments.total_cost(
                            a
                            for a in attempts
                            if member.name in several.sets
                            and a.set_digest == several.sets[member.name].digest
                        ),
                    }
                    for member in several.judges.members
                ],
            },
            "repetitions": rule_in_words(batch.judge.repetitions) if batch and judgment else None,
            "guidance": sorted({a.guidance for a in attempts if a.guidance and a.set_digest in digests}),
            "attempts": attempts,
            "cost": judgments.total_cost(attempts),
            "currency": "USD",
            "reviews": [
                {
                    "reviewer": review.person_id,
                    "mode": review.mode,
                    "blindness": review.blindness,
                    "opened_at": review.opened_at,
                    "changes": changes,
                    "versions": reviews.events(connection, review.id),
                }
                for review, changes in said
            ],
            "adjudications": reviews.rulings_of(connection, comparison.id),
            "notes": [
                note
                for note in notes.standing(connection, comparison.id)
                if note.kind is not notes.NoteKind.GUESS
            ],
            "may_be_told": bool(comparison.may_reveal),
            "key": key_names(connection, comparison.id) if revealed else None,
        }
    )


def _without_empty(record: dict[str, Any]) -> dict[str, Any]:
    """The record without those of these that are empty; all else is null or empty then."""
    leave_out = {"judge_panel", "repetitions", "guidance", "may_be_told"}
    return {name: value for name, value in record.items() if value or name not in leave_out}
