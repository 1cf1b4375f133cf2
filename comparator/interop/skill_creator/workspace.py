"""Workspaces as skill-creator leaves them: runs are discovered first, prompts and expectations found for each."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from comparator.domain.pair.task import key_from
from comparator.interop.gradings import claims_in, grade_of, texts_of, unread, word_in
from comparator.interop.imported import Findings, Format, FoundRun
from comparator.interop.skill_creator.files import Eval, SmallFiles, evals_of, feedback_labels
from comparator.interop.skill_creator.places import (
    RunPlace,
    level_and_treatment,
    note_without_outputs,
    survey,
    workspaces_of,
)
from comparator.interop.text import UnreadableImport, count_in, number_in, part, read_text

_ERROR_TEXT = re.compile(
    r"(?:error|traceback|could not|couldn't|cannot|unable to|failed to)\b.{0,200}"
    r"|.{0,80}\b(?:could not|couldn't|unable to|failed to) (?:read|load|find|open) (?:the )?skill\b.{0,300}",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_ERROR = 600
_EVALS_FILE = re.compile(r"(?:^|/)evals?\.json$|(?:^|/)evals/|grading", re.IGNORECASE)
_EVAL_PROMPT = re.compile(r"^##\s+Eval Prompt\s*\n(.*?)(?=^##?\s|\Z)", re.MULTILINE | re.DOTALL)
_EVAL_ID = re.compile(r"eval[-_]?(\d+)(?:[-_].*)?", re.IGNORECASE)


def read_workspace(root: Path) -> Findings:
    """All runs below a folder. Raises OutputRefused where the folder itself cannot be read."""
    shelf = SmallFiles(root)
    outputs = survey(shelf)
    named = workspaces_of(shelf.root, outputs.places)
    evals = {workspace: evals_of(workspace, shelf) for workspace in named}
    names = {name for skills, _ in evals.values() for name in skills}
    runs: list[tuple[RunPlace, FoundRun]] = []
    for place in outputs.places:
        if not shelf.holds(place.output):
            shelf.note(place.output, "it is a link that leads elsewhere")
            continue
        start = place.eval_home or place.side
        benchmark = shelf.first(folder / "benchmark.json" for folder in start.parents[:3])
        benchmark_metadata = part(benchmark, "metadata", dict)
        names.add(word_in(benchmark_metadata, "skill_name"))
        run = _run(
            place,
            named[place.workspace],
            evals[place.workspace][1],
            shelf,
            outputs.about_runs,
            benchmark_metadata,
        )
        if run.prompt:
            runs.append((place, run))
        else:
            shelf.note(
                place.output, "no prompt was found for it; write it as prompt in eval_metadata.json beside it"
            )
    worded = _unify_wording(_separate_keys(runs))
    labels = tuple(feedback_labels(worded, shelf))
    note_without_outputs(outputs, shelf)
    return Findings(
        format=Format.SKILL_CREATOR,
        runs=worded,
        labels=labels,
        left_out=tuple(shelf.left_out),
        skill_names=tuple(sorted(filter(None, names))),
        duplicates=outputs.nested,
    )


def _run(
    place: RunPlace,
    workspace: str,
    evals: Sequence[Eval],
    shelf: SmallFiles,
    about_runs: Sequence[Path],
    about: dict[str, Any],
) -> FoundRun:
    """What is known of one run from the files around its output; its prompt may be empty.

    `about` is what its iteration's benchmark.json says of skill and model.
    """
    name, homes = place.configuration, [place.home, place.side, place.eval_home]

    def small(file: str, folders: Sequence[Path | None]) -> dict[str, Any]:
        if place.flat:
            return shelf.get(place.home / f"{place.flat}-{file}")
        return shelf.first(folder / file for folder in folders if folder)

    metadata, config = small("eval_metadata.json", homes), small("config.json", homes[:2])
    timing, grading = small("timing.json", homes[:2]), small("grading.json", homes[:2])
    matches = (
        re.fullmatch(r"(?:eval[-_])?(\d+)", str(file.get("eval_id")).strip()) for file in (metadata, config)
    )
    numbered = next(filter(None, matches), None) or _EVAL_ID.fullmatch(place.eval_name)
    id = numbered[1] if numbered else ""
    slugs = {_slug(place.eval_name), _slug(str(metadata.get("eval_name", "")))} - {""}
    by_name = (case for case in evals if case.name and _slug(case.name) in slugs)
    entry = next((case for case in evals if id and case.id == id), None) or next(by_name, Eval())
    if not grading and place.eval_home is not None:
        beside = (f"grading_{name}.json", f"grading-{name}.json", f"{name}_grading.json")
        grading = shelf.first(place.eval_home / file for file in beside)
        if not grading and id:
            # The same eval may lie once under its number with the grading, and once under its name with the output.
            twins = {place.eval_home.with_name(f"eval{sign}{id}") for sign in "-_"} - {place.eval_home}
            grading = shelf.first(
                path
                for path in about_runs
                if "grading" in path.name
                and not twins.isdisjoint(path.parents)
                and name in path.relative_to(shelf.root).parts
            )
    if grading and grade_of(grading) is None and not any(unread(grading)):
        reason = "no grade in it is understood; write its expectations, each with a text, and passed: true or false"
        shelf.note(f"the grading of {place.output}", reason)
    called = word_in(metadata, "eval_name") or entry.name or place.eval_name
    key = f"eval-{entry.id or id}" if entry.id or id else key_from(_slug(place.eval_name))
    details: dict[str, Any] = {
        key: config[key] for key in ("provider", "mode", "start_time", "skill_files") if key in config
    }
    milliseconds = number_in(timing, "duration_ms")
    seconds = number_in(timing, "total_duration_seconds", "duration_seconds")
    if seconds is None and milliseconds is not None:
        seconds = milliseconds / 1000
    given = part(config, "skill_files", list) + part(config, "files", list)
    void = next((reason for source in (config, metadata, grading) if (reason := _failure(source))), "")
    return FoundRun(
        address=str(place.output),
        task_key=f"{workspace}/{key}" if workspace else key,
        title=""
        if re.fullmatch(r"(?i)eval[-_]?\d+", called)
        else _slug(called).replace("-", " ").capitalize(),
        prompt=word_in(metadata, "prompt")
        or word_in(config, "prompt")
        or entry.prompt
        or _prompt_in_transcript(place, shelf),
        expectations=texts_of(grading) or texts_of(metadata) or entry.expectations,
        inputs=entry.files,
        reference=entry.expected_output,
        configuration=name,
        workspace=workspace,
        iteration=place.iteration,
        model=word_in(config, "model")
        or word_in(metadata, "model")
        or word_in(about, "executor_model", "model")
        or None,
        skill_hash=word_in(config, "skill_hash", "skill_sha256", "skill_version") or None,
        repetition=place.repetition,
        factors=level_and_treatment(name),
        path=place.output,
        input_tokens=count_in(config, "input_tokens"),
        output_tokens=count_in(config, "output_tokens") or count_in(timing, "output_tokens"),
        total_tokens=count_in(timing, "total_tokens") or count_in(config, "total_tokens"),
        seconds=number_in(config, "time_seconds") if seconds is None else seconds,
        claims=claims_in(grading),
        grading=grading or None,
        details=details,
        void=void or _why_void(place.output),
        contaminated=next((file for file in given if isinstance(file, str) and _EVALS_FILE.search(file)), ""),
    )


def _prompt_in_transcript(place: RunPlace, shelf: SmallFiles) -> str:
    """The section `## Eval Prompt` of a run's transcript; empty where there is none."""
    for home in (place.home, place.side, *([] if place.flat else [place.output])):
        path = home / "transcript.md"
        try:
            if path.is_file() and shelf.holds(path) and (match := _EVAL_PROMPT.search(read_text(path))):
                return match[1].strip()
        except UnreadableImport as error:
            shelf.note(path, str(error))
    return ""


def _failure(source: dict[str, Any]) -> str:
    """Why a run failed, as one of its files says; empty where it says nothing of it."""
    if source.get("skill_loaded") is False:
        return "the skill was not loaded"
    error = word_in(source, "error")
    return f"it ended with an error: {error[:200]}" if error else ""


def _why_void(output: Path) -> str:
    """Why an output is none: nothing was left, only empty files, or one short text that tells of an error."""
    files = [path for path in (output, *output.rglob("*")) if path.is_file()]
    files = [path for path in files if path == output or not path.is_symlink()]
    if not files:
        return "" if any(output.iterdir()) else "it left no file"
    sizes = [path.stat().st_size for path in files]
    if not any(sizes):
        return "it left only empty files"
    if len(files) > 1 or sizes[0] > _LONGEST_ERROR:
        return ""
    try:
        text = " ".join(read_text(files[0]).split())
    except UnreadableImport:
        return ""
    if not text:
        return "the output is empty"
    if len(text) <= _LONGEST_ERROR and _ERROR_TEXT.fullmatch(text.lstrip("*#`> ")):
        return f"an error text stands instead of the output: {text[:120]}"
    return ""


def _separate_keys(runs: Sequence[tuple[RunPlace, FoundRun]]) -> list[FoundRun]:
    """Two different evals of one iteration under the same id keep apart, by the name of their folder."""
    count = Counter((r.iteration, r.task_key, r.configuration, r.repetition) for _, r in runs)
    clashing = {(iteration, key) for (iteration, key, *_), number in count.items() if number > 1}
    return [
        run.copy_with(task_key=f"{run.task_key}-{key_from(place.eval_name)}")
        if (run.iteration, run.task_key) in clashing
        else run
        for place, run in runs
    ]


def _unify_wording(runs: Sequence[FoundRun]) -> tuple[FoundRun, ...]:
    """All sides of an eval in an iteration are judged by one wording: the most frequent, else the fullest."""
    groups: defaultdict[tuple[str | None, str], list[FoundRun]] = defaultdict(list)
    for run in runs:
        groups[run.iteration, run.task_key].append(run)
    wordings: dict[tuple[str | None, str], dict[str, Any]] = {}
    for key, group in groups.items():
        prompts, lines = Counter(run.prompt for run in group), Counter(run.expectations for run in group)
        wordings[key] = {
            "prompt": max(prompts, key=lambda text: (prompts[text], len(text), text)),
            "expectations": max(lines, key=lambda texts: (bool(texts), lines[texts], len(texts), texts)),
            "title": max(run.title for run in group),
        }

    def under(run: FoundRun) -> FoundRun:
        wording = wordings[run.iteration, run.task_key]
        asked_so = run.prompt.split() == wording["prompt"].split()
        return run.copy_with(**wording, own_prompt="" if asked_so else run.prompt)

    return tuple(map(under, runs))


def _slug(name: str) -> str:
    plain = re.sub(r"^eval[-_](?=\D)", "", name.strip(), flags=re.IGNORECASE)
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
