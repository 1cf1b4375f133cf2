"""comparison.json as the specification has it, and beside it comparison.provenance.json with everything else."""

from __future__ import annotations

import json
import secrets
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import AwareDatetime, Field

from comparator.domain.errors import InputError, NotFound
from comparator.domain.labels import Frozen, PerOutput
from comparator.domain.pair.view import SetAside
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import MergedJudgment
from comparator.domain.scoring.repetitions import told as rule_of
from comparator.domain.scoring.result import ComparisonResult, compose
from comparator.domain.scoring.review import Change
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.scoring.verdict import DecidedBy, Verdict, VerdictSource
from comparator.outputs import EXTRACTOR
from comparator.store.bulk import batches
from comparator.store.core.database import Connection
from comparator.store.judging import judgments, rubrics
from comparator.store.judging.judgments import Attempt
from comparator.store.judging.rubrics import RubricVersion
from comparator.store.pairs import comparisons, keys, outputs, page_views, reveals, tasks
from comparator.store.pairs.comparisons import Comparison
from comparator.store.people import projects
from comparator.store.reviewing import (
    adjudications,
    answers,
    comments,
    evidence,
    file_pairs,
    files_seen,
    reviews,
)
from comparator.store.reviewing.adjudications import Adjudication
from comparator.store.reviewing.answers import GivenAnswer
from comparator.store.reviewing.comments import Comment
from comparator.store.reviewing.evidence import Evidence
from comparator.store.reviewing.file_pairs import HandPair
from comparator.store.rollup import verdicts
from comparator.workflow.people.people import require, require_for
from comparator.workflow.projects.reveal import CandidateName, key_names, told
from comparator.workflow.services import Services

DEFAULT_NAME = "comparison.json"


class Settled(Frozen):
    """The result that is exported, and whose it is."""

    result: ComparisonResult
    source: VerdictSource
    verdict: Verdict
    rubric: Rubric

    @property
    def decided_by(self) -> DecidedBy:
        """The rule that decided."""
        return self.verdict.decided_by


class RubricUsed(Frozen):
    """The rubric with its anchors, and who wrote it."""

    version: int
    author_kind: str
    author: str
    locked: bool
    shared: bool
    rubric: Rubric


class ReviewRecord(Frozen):
    """One person's review: every change, and every finalised version with what it said."""

    reviewer: str
    mode: str
    knew_who_made_which: bool
    opened_at: AwareDatetime
    changes: tuple[Change, ...]
    versions: tuple[dict[str, Any], ...]
    evidence: tuple[Evidence, ...] = ()
    """Passages that the reviewer held against a value; withdrawn ones are left out."""
    looked_at: tuple[str, ...] = ()
    """Ids of the files that the reviewer had in front of them."""


class ViewRecord(Frozen):
    """What judge and reviewer got of one output."""

    digest: str
    files: tuple[dict[str, Any], ...]
    set_aside: tuple[SetAside, ...]
    notes: tuple[str, ...]
    digests: dict[int, str] = Field(default_factory=dict, exclude_if=lambda digests: not digests)
    """What it was before and after its Office files became pages; `seen` of a change is a number in here."""


class Provenance(Frozen):
    """Where a comparison.json comes from. `key` is None until the reveal."""

    format: str = "blind-comparator/provenance/1"
    comparison_id: str
    project: str
    task_key: str | None
    """None until the reveal."""
    task_version: int
    prompt: str
    expectations: tuple[str, ...]
    created_at: AwareDatetime
    exported_at: AwareDatetime
    verdict_source: VerdictSource
    decided_by: DecidedBy
    left_out: tuple[str, ...]
    """Criteria and expectations (by number, from 0) that are not in the result, since nobody assessed both outputs."""
    left_out_reason: str
    """Why the reviewer left them out, where that changed the winner."""
    scores_and_verdict_disagree: bool | None
    """Whether a reading of the judge names another winner than its own scores give; None without a judgment."""
    extractor: str
    views: PerOutput[ViewRecord]
    rubric: RubricUsed | None
    judge_original: ComparisonResult | None
    judge: MergedJudgment | None
    repetitions: str | None = Field(default=None, exclude_if=lambda rule: rule is None)
    """The rule by which the pair was read once or again, fixed before it was read."""
    attempts: tuple[Attempt, ...]
    cost: Decimal | None
    currency: str = "USD"
    reviews: tuple[ReviewRecord, ...]
    adjudications: tuple[Adjudication, ...]
    """Rulings on reviews that disagreed; the last one holds."""
    answers: tuple[GivenAnswer, ...]
    comments: tuple[Comment, ...]
    file_pairs: tuple[HandPair, ...]
    """Files that a person put side by side or took apart."""
    may_be_told: bool = Field(default=False, exclude_if=lambda told: not told)
    """A passage in one of the outputs tells outright which run it is from; left out where none does."""
    key: PerOutput[CandidateName] | None

    def to_json(self) -> str:
        """The file's text."""
        return self.model_dump_json(indent=2) + "\n"


def settled(services: Services, comparison_id: str) -> Settled:
    """The verdict that holds: an adjudication, else the final reviews', else the judge's.

    Raises InputError where there is none, or where reviews disagree on the winner.
    """
    with services.database.read() as connection:
        return settled_on(connection, comparisons.get(connection, comparison_id))


class ResultFiles(NamedTuple):
    """The texts of comparison.json and of its provenance, which tell of one moment."""

    result: str
    provenance: str

    def write(self, path: Path) -> None:
        """Write both, each at once as a whole. Raises InputError."""
        replace_file(provenance_path(path), self.provenance)
        replace_file(path, self.result)


def files_of(services: Services, connection: Connection, comparison_id: str) -> ResultFiles:
    """Both files of a comparison, read on a snapshot. Raises InputError where there is no verdict yet."""
    comparison = comparisons.get(connection, comparison_id)
    said = settled_on(connection, comparison)
    return ResultFiles(said.result.to_json(), _provenance(services, connection, comparison, said).to_json())


def result_json(services: Services, comparison_id: str, *, person_id: str | None = None) -> str:
    """The text of comparison.json. Raises InputError where there is no verdict yet, RightsError for who may not.

    Without a person it is for whoever has this program's shell; so with the other exports.
    """
    _require_export(services, comparison_id, person_id)
    return settled(services, comparison_id).result.to_json()


def provenance_json(services: Services, comparison_id: str, *, person_id: str | None = None) -> str:
    """The text of comparison.provenance.json. Raises InputError where there is no verdict yet, RightsError."""
    _require_export(services, comparison_id, person_id)
    with services.database.snapshot() as connection:
        return files_of(services, connection, comparison_id).provenance


def write_files(
    services: Services,
    comparison_id: str,
    *,
    target: Path,
    person_id: str | None = None,
    replace: bool = True,
) -> tuple[Path, Path]:
    """Write both files, each at once as a whole; `target` is an existing folder, or a .json file in one.

    Unless `replace`, only an earlier result of this comparison is written over. Raises InputError where they cannot be
    written, RightsError for who may not write on this machine.
    """
    with services.database.read() as connection:
        require(connection, person_id, Act.USE_SERVER_FILES, project_id=None)
    _require_export(services, comparison_id, person_id)
    path = _file_at(target)
    if path.suffix != ".json":
        raise InputError(
            f"{target} is not a folder that exists, and not the name of a .json file. Create it first."
        )
    if not path.parent.is_dir():
        raise InputError(f"The folder {path.parent} does not exist. Create it, or choose another one.")
    if not replace:
        require_own_place(comparison_id, target)
    with services.database.snapshot() as connection:
        files = files_of(services, connection, comparison_id)
    files.write(path)
    return path, provenance_path(path)


def require_own_place(comparison_id: str, target: Path) -> None:
    """Raise InputError where a file of this name is there that is not a result of this comparison."""
    path = _file_at(target)
    if path.exists() and not _is_of(comparison_id, provenance_path(path)):
        raise InputError(
            f"{path} is there already and is not a result of this comparison. Choose another name, or remove it first."
        )


def _file_at(target: Path) -> Path:
    return target / DEFAULT_NAME if target.is_dir() else target


def _is_of(comparison_id: str, provenance: Path) -> bool:
    try:
        said = json.loads(provenance.read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(said, dict) and said.get("comparison_id") == comparison_id


def usual_place(services: Services, comparison_id: str, *, person_id: str) -> str:
    """Where whoever set the comparison up from paths would look for its result; empty for others, and for uploads."""
    with services.database.read() as connection:
        if not keys.set_up_by(connection, comparison_id, person_id=person_id):
            return ""
        return keys.out_path(connection, comparison_id) or ""


def place_of(typed: str) -> Path:
    """The path that a person typed. Raises InputError for what is none."""
    try:
        path = Path(typed.strip()).expanduser()
        path.exists()
    except (RuntimeError, ValueError) as error:
        raise InputError(
            f"{typed.strip()[:80]!r} is not a path that can be used. Write another one."
        ) from error
    return path


def provenance_path(path: Path) -> Path:
    """Where the provenance of this comparison.json stands.

    >>> provenance_path(Path("out/comparison-3.json")).name
    'comparison-3.provenance.json'
    """
    return path.with_name(f"{path.name.removesuffix('.json')}.provenance.json")


def _require_export(services: Services, comparison_id: str, person_id: str | None) -> None:
    with services.database.read() as connection:
        require_for(connection, person_id, Act.EXPORT, comparison_id=comparison_id)


def settled_on(connection: Connection, comparison: Comparison) -> Settled:
    """As `settled`, on a connection at hand."""
    held = verdicts.effective_verdict(connection, comparison.id)
    if held.source is None:
        raise InputError("There is no verdict to export yet. Have the pair judged, or finalise a review.")
    if held.verdict is None or held.prose is None or held.rubric is None:
        raise InputError("The final reviews disagree on the winner. Settle them first, then export.")
    # The expectations as they were handed in: what was redacted for judge and reviewer belongs to the caller.
    texts = tasks.get_version(connection, comparison.task_version_id).expectations
    return Settled(
        result=compose(held.rubric, held.verdict, held.prose, expectations=texts),
        source=held.source,
        verdict=held.verdict,
        rubric=held.rubric,
    )


def judged_result(judgment: MergedJudgment | None, expectations: tuple[str, ...]) -> ComparisonResult | None:
    """What the judge said as a result of its own; None where it gave no verdict."""
    if judgment is None or judgment.verdict is None:
        return None
    return compose(judgment.rubric, judgment.verdict, judgment.prose, expectations=expectations)


def _provenance(
    services: Services, connection: Connection, comparison: Comparison, settled: Settled
) -> Provenance:
    version = tasks.get_version(connection, comparison.task_version_id)
    attempts = judgments.attempts(connection, comparison.id)
    now = verdicts.judged(connection, comparison.id)
    judgment, asked = now.judgment if now else None, batches.last_asked(connection, comparison.id)
    revealed = reveals.of_comparison(connection, comparison.id) is not None
    (project,) = told(connection, projects.get(connection, comparison.project_id), revealed=revealed)
    return Provenance(
        comparison_id=comparison.id,
        project=project,
        # A key is made from words that may name a candidate.
        task_key=tasks.get(connection, version.task_id).key if revealed else None,
        task_version=version.number,
        prompt=comparison.prompt,
        expectations=comparison.expectations,
        created_at=comparison.created_at,
        exported_at=services.now(),
        verdict_source=settled.source,
        decided_by=settled.decided_by,
        left_out=settled.verdict.left_out,
        left_out_reason=settled.verdict.left_out_reason,
        scores_and_verdict_disagree=None if judgment is None else not judgment.self_consistent,
        extractor=EXTRACTOR,
        views=PerOutput[ViewRecord](
            A=_view(services, connection, comparison.view_a, revealed=revealed),
            B=_view(services, connection, comparison.view_b, revealed=revealed),
        ),
        rubric=_rubric(rubrics.get(connection, now.chosen.rubric_id)) if now else None,
        judge_original=judged_result(judgment, version.expectations),
        judge=judgment,
        repetitions=None if asked is None or judgment is None else rule_of(asked.judge.repetitions),
        attempts=attempts,
        cost=judgments.total_cost(attempts),
        reviews=tuple(_reviews(connection, comparison.id)),
        adjudications=adjudications.of_comparison(connection, comparison.id),
        answers=answers.of_comparison(connection, comparison.id),
        comments=tuple(
            Comment(**comment.model_dump(exclude={"author"}))
            for comment in comments.of_comparison(connection, comparison.id)
        ),
        file_pairs=file_pairs.of_comparison(connection, comparison.id),
        may_be_told=bool(comparison.may_be_told),
        key=key_names(connection, comparison.id) if revealed else None,
    )


def _rubric(version: RubricVersion) -> RubricUsed:
    return RubricUsed(
        version=version.number,
        author_kind=version.author_kind,
        author=version.author,
        locked=version.locked,
        shared=version.shared,
        rubric=version.rubric,
    )


def _reviews(connection: Connection, comparison_id: str) -> list[ReviewRecord]:
    return [
        ReviewRecord(
            reviewer=review.person_id,
            mode=review.mode.value,
            knew_who_made_which=review.knows,
            opened_at=review.opened_at,
            changes=reviews.changes_with_views(connection, review.id),
            versions=tuple(
                v.model_dump(mode="json", exclude={"id", "review_id", "result"})
                for v in reviews.acts(connection, review.id)
            ),
            evidence=evidence.of_review(connection, review.id),
            looked_at=tuple(sorted(files_seen.of_review(connection, review.id))),
        )
        for review in reviews.of_comparison(connection, comparison_id)
    ]


def _view(services: Services, connection: Connection, view_id: str, *, revealed: bool) -> ViewRecord:
    try:
        view = outputs.load_view(connection, view_id, blobs=services.blobs)
    except NotFound:
        digest = outputs.get_view(connection, view_id).digest
        return ViewRecord(digest=digest, files=(), set_aside=(), notes=("This output was purged.",))
    return ViewRecord(
        digest=view.digest,
        files=tuple(
            {"id": f.id, "name": f.name, "family": f.family.value, "size": f.size, "notes": list(f.notes)}
            for f in view.files
        ),
        # Which side left what it says about itself would tell whose it is.
        set_aside=view.set_aside if revealed else (),
        notes=view.notes,
        digests=page_views.digests_seen(connection, view_id),
    )


def replace_file(path: Path, text: str) -> None:
    """Write a file at once as a whole; a link of this name is replaced, not followed. Raises InputError."""
    partial = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    try:
        try:
            # Opened like any new file, so that it gets the rights that the person's umask allows.
            with partial.open("x", encoding="utf-8") as file:
                file.write(text)
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}. Choose another place.") from error
