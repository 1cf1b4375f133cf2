"""What is handed in: outputs and task files become snapshots, and leaks are looked for and decided on."""

import re
from collections.abc import Sequence
from pathlib import Path

from pydantic import Field

from comparator.domain.blinding.leak_patterns import (
    UNNAMED,
    LeakKind,
    LeakPattern,
    asked_for,
    patterns_for,
)
from comparator.domain.blinding.redaction import PatternDecision, Redaction, add_nouns, redact
from comparator.domain.blinding.scan import PatternFinding, ScanText, Where, scan, suggested_redactions
from comparator.domain.errors import InputError
from comparator.domain.labels import Frozen, PerOutput
from comparator.domain.pair.chat import turns_in
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import Family
from comparator.domain.project import ReviewMode
from comparator.domain.scoring.rubric import Rubric
from comparator.interop.imported import Files
from comparator.outputs.families import HEAD, family_of
from comparator.outputs.snapshot import (
    Artifact,
    Given,
    RefusedMember,
    Snapshot,
    Upload,
    digest_of,
    snapshot_path,
    snapshot_tree,
    snapshot_uploads,
)
from comparator.outputs.view.build import scan_texts, texts_to_scan
from comparator.outputs.view.reading import Reader, Readings
from comparator.outputs.view.redacting import search
from comparator.store.pairs.comparisons import ComparisonSource
from comparator.workflow.services import Services

DEFAULT_PROJECT = "My comparisons"


class Submission(Frozen):
    """A task, two outputs that did it, and who made them. With `draw` chance decides which becomes A."""

    task: TaskText
    outputs: PerOutput[Snapshot]
    candidates: PerOutput[str]
    inputs: Snapshot | None = None
    reference: Snapshot | None = None
    redactions: tuple[Redaction, ...] = ()
    findings: tuple[PatternFinding, ...] = ()
    """What the decisions in `redactions` were taken on; kept with them."""
    taken_back: frozenset[str] = frozenset()
    project: str = Field(default=DEFAULT_PROJECT, min_length=1, max_length=200)
    mode: ReviewMode | None = None
    """How the project is reviewed if this pair is its first."""
    key: str = ""
    title: str = ""
    tags: tuple[str, ...] = ()
    draw: bool = True
    source: ComparisonSource = ComparisonSource.NEW


class Submitted(Frozen):
    """The comparison; `known` where it was set up before, with the same outputs as A and B."""

    comparison_id: str
    project_id: str
    known: bool = False


def decide(
    findings: Sequence[PatternFinding],
    *,
    keep: frozenset[str] = frozenset(),
    redactions: Sequence[Redaction] = (),
) -> tuple[Redaction, ...]:
    """One decision per pattern: a person's (`keep`, `redactions`), else what is suggested."""
    suggested = {redaction.pattern: redaction for redaction in suggested_redactions(findings)}
    return tuple(
        r.copy_with(decision=PatternDecision.KEEP) if r.pattern in keep else r
        for r in (suggested | {redaction.pattern: redaction for redaction in redactions}).values()
    )


def with_nouns(
    redactions: Sequence[Redaction], *, task: TaskText, texts: Sequence[ScanText]
) -> tuple[Redaction, ...]:
    """The decisions with nouns that occur neither in the task's wording nor in these texts of its files and outputs."""
    every = (task.prompt, *task.expectations, *(text.text for text in texts))
    return add_nouns(redactions, texts=every, seed=task.prompt)


_FIRST_SENTENCE = re.compile(r".{15,}?[.!?](?=\s+[^\W\da-z_])")
"""One that another follows: an abbreviation, as in "e.g. three", ends none."""


def title_of(prompt: str) -> str:
    """A short title from the first sentence of a prompt that says something; of a chat, from what was asked last.

    >>> title_of("# Rivers"), title_of("### System\\n\\nBe short.\\n\\n### User\\n\\nName three rivers. Be brief.")
    ('Rivers', 'Name three rivers.')
    """
    questions = [turn.content for turn in turns_in(prompt) if turn.role == "user"] or [prompt]
    line = next((line.strip(" #*-\t") for line in questions[-1].splitlines() if line.strip(" #*-\t")), "Task")
    if sentence := _FIRST_SENTENCE.match(line):
        line = sentence[0]
    return line if len(line) <= 120 else line[:119].rsplit(" ", 1)[0] + "…"


_ABOUT_THE_RUN = {LeakKind.TELLING, LeakKind.PHRASE, LeakKind.SKILL_FILE, LeakKind.SKILL_NAME}


class TellingExpectation(Frozen):
    """An expectation that tells of a run; `neutral` are other words for it, None where it is about the run itself."""

    text: str
    neutral: str | None

    @property
    def in_words(self) -> str:
        """What is proposed, in words."""
        aside = "set it aside, as it asks about the run"
        proposed = aside if self.neutral is None else f"show it as “{self.neutral}”"
        return f"Expectation that may reveal a side: “{self.text}”. Proposed: {proposed}."


def telling_expectations(
    expectations: Sequence[str], *, findings: Sequence[PatternFinding], redactions: Sequence[Redaction]
) -> tuple[TellingExpectation, ...]:
    """The expectations that name a candidate or speak of the run, in the order given, with what is proposed."""
    kinds = {finding.pattern: finding.kind for finding in findings if finding.where is Where.EXPECTATION}
    if not kinds:
        return ()
    patterns = [LeakPattern(text, kind) for text, kind in kinds.items()]
    decided = {redaction.pattern: redaction for redaction in redactions}
    wanted = [
        decided.get(text, Redaction(pattern=text, decision=PatternDecision.REDACT)).copy_with(
            decision=PatternDecision.REDACT
        )
        for text in kinds
    ]
    telling = []
    for text in dict.fromkeys(expectations):
        if hits := scan(patterns, [ScanText(Where.EXPECTATION, text)]):
            about_the_run = any(hit.kind in _ABOUT_THE_RUN for hit in hits)
            neutral = None if about_the_run else redact(text, wanted)
            telling.append(TellingExpectation(text=text, neutral=neutral))
    return tuple(telling)


Source = Path | tuple[Given, ...]
"""A file or folder on this machine, or uploaded files."""


def read_output(services: Services, source: Source) -> Snapshot:
    """One output as it is now. Raises OutputRefused or LimitExceeded with what to do."""
    if isinstance(source, Path):
        return snapshot_path(source, blobs=services.blobs, limits=services.limits)
    return snapshot_uploads(source, blobs=services.blobs, limits=services.limits)


def read_files(services: Services, files: Files) -> Snapshot:
    """Files with their bytes as one output, each in its place. Raises OutputRefused or LimitExceeded."""
    given = tuple(Upload(file.name, file.data) for file in files.files)
    if not files.folder:
        return snapshot_uploads(given, blobs=services.blobs, limits=services.limits)
    left_out = tuple(
        RefusedMember(path=exclusion.file, reason=exclusion.reason) for exclusion in files.left_out
    )
    return snapshot_tree(files.name, given, left_out, blobs=services.blobs, limits=services.limits)


def read_together(services: Services, sources: Sequence[Source]) -> Snapshot | None:
    """Several files or folders as one snapshot, each under its own name; None where there is none."""
    snapshots = [read_output(services, source) for source in sources]
    if len(snapshots) < 2:
        return snapshots[0] if snapshots else None
    artifacts: dict[str, Artifact] = {}
    for snapshot in snapshots:
        for artifact in snapshot.artifacts:
            path = f"{snapshot.name}/{artifact.path}" if snapshot.is_folder else artifact.path
            if path in artifacts and artifacts[path].sha256 != artifact.sha256:
                raise InputError(f"Two of the given files are called {path!r}. Rename one of them.")
            artifacts[path] = artifact.copy_with(path=path)
    tree = tuple(artifacts[path] for path in sorted(artifacts))
    refused = tuple(refused for snapshot in snapshots for refused in snapshot.refused)
    return Snapshot(
        digest=digest_of(True, tree, refused),
        name="inputs",
        is_folder=True,
        artifacts=tree,
        refused=refused,
        notes=tuple(note for snapshot in snapshots for note in snapshot.notes),
    )


def families_of(services: Services, snapshot: Snapshot) -> tuple[Family, ...]:
    """The family of each of its files, by name and first bytes, in the snapshot's order."""
    families: list[Family] = []
    for artifact in snapshot.artifacts:
        with services.blobs.open(artifact.sha256) as file:
            families.append(family_of(artifact.path, file.read(HEAD)))
    return tuple(families)


def candidate_names(sources: PerOutput[Source], given: PerOutput[str | None]) -> PerOutput[str]:
    """The candidates' names: as given, else the last folder in which the two paths differ, else the files' stems."""
    derived = _derived(sources)
    return PerOutput(A=(given.A or "").strip() or derived.A, B=(given.B or "").strip() or derived.B)


def find_leaks(
    snapshots: PerOutput[Snapshot],
    texts: Sequence[ScanText],
    *,
    task: TaskText,
    candidates: PerOutput[str],
    sources: Sequence[Source] = (),
    task_files: Sequence[ScanText] = (),
    redactions: Sequence[Redaction] = (),
) -> tuple[PatternFinding, ...]:
    """Everything in outputs, names, prompt and expectations that would tell who made which output.

    `texts` are those of the outputs, from `texts_to_scan`; `task_files` those of the task, from `task_texts_to_scan`.
    `redactions` are decisions on words that a person named.
    """
    deliverables = {source.stem for source in sources if isinstance(source, Path) and not source.is_dir()}
    patterns = patterns_for(
        [name for _, name in candidates.items() if name not in deliverables],
        source_paths=[str(source.absolute().parent) for source in sources if isinstance(source, Path)],
        file_names=snapshots.map(lambda s: tuple(a.path.rsplit("/", 1)[-1] for a in s.artifacts)),
    )
    patterns += asked_for((redaction.pattern for redaction in redactions), beside=patterns)
    looked_at = [
        *texts,
        ScanText(Where.PROMPT, task.prompt),
        *(ScanText(Where.EXPECTATION, text) for text in task.expectations),
        *task_files,
    ]
    return _honest_words_kept(search(patterns, looked_at))


def with_findings(
    reader: Reader,
    submission: Submission,
    *,
    sources: Sequence[Source] = (),
    keep: frozenset[str] = frozenset(),
    redactions: Sequence[Redaction] = (),
) -> Submission:
    """The submission with everything found that would tell who made which output, and a decision on each pattern: a
    person's (`keep`, `redactions`), else as suggested."""
    findings = find_leaks(
        submission.outputs,
        texts_to_scan(
            submission.outputs, reader, taken_back=submission.taken_back, prompt=submission.task.prompt
        ),
        task=submission.task,
        candidates=submission.candidates,
        sources=sources,
        task_files=task_texts_to_scan(reader, inputs=submission.inputs, reference=submission.reference),
        redactions=redactions,
    )
    decisions = decide(findings, keep=keep, redactions=redactions)
    return submission.copy_with(findings=findings, redactions=decisions)


def _honest_words_kept(findings: tuple[PatternFinding, ...]) -> tuple[PatternFinding, ...]:
    """A one-word name that the task itself uses is a word of its subject: shown, but not redacted by default."""
    task_words = {
        f.pattern for f in findings if f.pattern.isalpha() and f.where in (Where.PROMPT, Where.EXPECTATION)
    }
    return tuple(f.copy_with(whole=False) if f.pattern in task_words else f for f in findings)


def open_reader(services: Services, readings: Readings | None = None) -> Reader:
    """A reader of files, to be closed. Whoever scans and then submits uses one, or hands `readings` on, so that each
    file is read once."""
    return Reader(blobs=services.blobs, limits=services.limits, modern=services.modern, readings=readings)


def task_texts_to_scan(
    reader: Reader, *, inputs: Snapshot | None, reference: Snapshot | None
) -> tuple[ScanText, ...]:
    """Names and full texts of the task's input files and of its reference answer."""
    return tuple(
        text
        for where, snapshot in ((Where.INPUT, inputs), (Where.REFERENCE, reference))
        if snapshot is not None
        for text in scan_texts(snapshot, reader, where=where)
    )


def redactions_for(
    rubric: Rubric, *, candidates: PerOutput[str], redactions: Sequence[Redaction]
) -> tuple[Redaction, ...]:
    """The decisions taken, and for what else in the rubric would tell the suggested ones."""
    decided = {redaction.pattern for redaction in redactions}
    findings = scan(patterns_for([candidates.A, candidates.B]), rubric_texts(rubric))
    return (*redactions, *(r for r in suggested_redactions(findings) if r.pattern not in decided))


def rubric_texts(rubric: Rubric | None) -> tuple[ScanText, ...]:
    """The words of a rubric for the leak scan."""
    if rubric is None:
        return ()
    lines = [
        text
        for _, line in rubric.lines()
        for text in (line.name, line.description, *line.anchors.model_dump().values())
    ]
    return tuple(ScanText(Where.RUBRIC, text) for text in (*lines, rubric.right_answer) if text)


def _derived(sources: PerOutput[Source]) -> PerOutput[str]:
    a, b = sources.A, sources.B
    if isinstance(a, Path) and isinstance(b, Path):
        a, b = a.absolute(), b.absolute()
        folders = zip(reversed(a.parent.parts), reversed(b.parent.parts), strict=False)
        for part_a, part_b in ((a.stem, b.stem) if a.is_dir() and b.is_dir() else ("", ""), *folders):
            if part_a != part_b:
                return PerOutput(A=part_a, B=part_b)
        if a.stem != b.stem:
            return PerOutput(A=a.stem, B=b.stem)
    return PerOutput(A=UNNAMED[0], B=UNNAMED[1])
