"""Workspaces as skill-creator leaves them: runs are discovered first, prompts and expectations found for each."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from comparator.domain.pair.task import key_from
from comparator.interop.imported import SKILL_PATH, Findings, Format, FoundRun, LeftOut
from comparator.interop.read.gradings import claims_in, grade_of, texts_of, unread
from comparator.interop.read.skill_creator.beside import (
    feedback_labels,
    had_new_skill,
    said_of_skill,
)
from comparator.interop.read.skill_creator.files import (
    Eval,
    SmallFiles,
    evals_by_workspace,
    prompt_of_transcript,
)
from comparator.interop.read.skill_creator.places import (
    RunPlace,
    level_and_treatment,
    survey,
    without_outputs,
    workspaces_of,
)
from comparator.interop.read.text import UnreadableImport, count_in, number_in, read_text

_ERROR_TEXT = re.compile(
    r"(?:error|traceback|could not|couldn't|cannot|unable to|failed to)\b.{0,200}"
    r"|.{0,80}\b(?:could not|couldn't|unable to|failed to) (?:read|load|find|open) (?:the )?skill\b.{0,300}",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_ERROR = 600
_EVALS_FILE = re.compile(r"(?:^|/)evals?\.json$|(?:^|/)evals/|grading", re.IGNORECASE)


def read_workspace(root: Path) -> Findings:
    """All runs below a folder. Raises OutputRefused where the folder itself cannot be read."""
    shelf = SmallFiles(root)
    found = survey(root)
    named = workspaces_of(root, found.places)
    evals = evals_by_workspace(root, found.evals, named, shelf)
    runs: list[FoundRun] = []
    left_out: list[LeftOut] = list(found.left_out)
    names = Counter(name for skills, _ in evals.values() for name in skills)
    for place in found.places:
        if not shelf.holds(place.output):
            left_out.append(LeftOut(file=str(place.output), reason="it is a link that leads elsewhere"))
            continue
        reader = _Run(
            place,
            workspace=named[place.workspace],
            evals=evals[place.workspace][1],
            shelf=shelf,
            gradings=found.gradings,
        )
        names.update(reader.skill_names)
        if reader.prompt:
            runs.append(reader.run())
        else:
            left_out.append(
                LeftOut(
                    file=str(place.output),
                    reason="no prompt was found for it; write it as prompt in eval_metadata.json beside it",
                )
            )
    worded = _one_wording(_keys_apart(runs))
    return Findings(
        format=Format.SKILL_CREATOR,
        runs=worded,
        labels=tuple(feedback_labels(worded, shelf)),
        left_out=(*left_out, *without_outputs(root, found, shelf), *shelf.left_out),
        skill_names=tuple(sorted(name for name in names if name)),
        duplicates=found.nested,
    )


class _Run:
    """Gathers what is known of one run from the files around its output."""

    def __init__(
        self,
        place: RunPlace,
        *,
        workspace: str,
        evals: tuple[Eval, ...],
        shelf: SmallFiles,
        gradings: tuple[Path, ...],
    ) -> None:
        self._place = place
        self._workspace = workspace
        self._shelf = shelf
        homes = [h for h in (place.home, place.side, place.eval_home) if h is not None]
        self._metadata = (
            {} if place.flat else shelf.first(h / "eval_metadata.json" for h in dict.fromkeys(homes))
        )
        if place.flat:
            self._config = shelf.get(place.home / f"{place.flat}-config.json")
        else:
            self._config = shelf.first(h / "config.json" for h in dict.fromkeys(homes[:2]))
        self._eval = self._matching(evals)
        self._benchmark = shelf.get(self._iteration_home() / "benchmark.json")
        self._grading = self._own_grading() or self._grading_elsewhere(gradings)
        if self._grading and grade_of(self._grading) is None and not any(unread(self._grading)):
            reason = "no grade in it is understood; write its expectations, each with a text, and passed: true or false"
            shelf.left_out.append(LeftOut(file=f"the grading of {place.output}", reason=reason))
        self.prompt = self._prompt()

    @property
    def skill_names(self) -> tuple[str, ...]:
        name = said_of_skill(self._benchmark, "skill_name")
        return () if name is None else (name,)

    def run(self) -> FoundRun:
        place, config = self._place, self._config
        timing = self._timing()
        claims = claims_in(self._grading)
        expectations = (
            texts_of(self._grading)
            or texts_of(self._metadata)
            or (self._eval.expectations if self._eval else ())
        )
        details: dict[str, Any] = {
            name: config[name] for name in ("provider", "mode", "start_time", "skill_files") if name in config
        }
        if had_new_skill(place.configuration) and (path := said_of_skill(self._benchmark, "skill_path")):
            details[SKILL_PATH] = path
        return FoundRun(
            address=str(place.output),
            task_key=self._key(),
            title=self._title(),
            prompt=self.prompt,
            expectations=expectations,
            inputs=self._eval.files if self._eval else (),
            reference=self._eval.expected_output if self._eval else "",
            configuration=place.configuration,
            workspace=self._workspace,
            iteration=place.iteration,
            model=self._model(),
            skill_hash=_text(config, "skill_hash", "skill_sha256", "skill_version"),
            repetition=place.repetition,
            factors=level_and_treatment(place.configuration),
            path=place.output,
            input_tokens=count_in(config, "input_tokens"),
            output_tokens=count_in(config, "output_tokens") or count_in(timing, "output_tokens"),
            total_tokens=count_in(timing, "total_tokens") or count_in(config, "total_tokens"),
            seconds=self._seconds(timing),
            claims=claims,
            grading=self._grading or self._benchmarked() or None,
            details=details,
            void=self._void(),
            contaminated=self._contaminated(),
        )

    def _matching(self, evals: tuple[Eval, ...]) -> Eval | None:
        id = self._eval_id()
        names = {_slug(self._place.eval_name), _slug(str(self._metadata.get("eval_name", "")))} - {""}
        by_id = next((entry for entry in evals if id and entry.id == id), None)
        return by_id or next((entry for entry in evals if entry.name and _slug(entry.name) in names), None)

    def _eval_id(self) -> str:
        for source in (self._metadata, self._config):
            id = source.get("eval_id")
            if isinstance(id, int) and not isinstance(id, bool):
                return str(id)
            if isinstance(id, str) and (match := re.fullmatch(r"(?:eval[-_])?(\d+)", id.strip())):
                return match.group(1)
        match = re.fullmatch(r"eval[-_]?(\d+)(?:[-_].*)?", self._place.eval_name, re.IGNORECASE)
        return match.group(1) if match else ""

    def _key(self) -> str:
        id = self._eval.id if self._eval and self._eval.id else self._eval_id()
        key = f"eval-{id}" if id else key_from(_slug(self._place.eval_name))
        return f"{self._workspace}/{key}" if self._workspace else key

    def _title(self) -> str:
        name = self._metadata.get("eval_name") or (self._eval.name if self._eval else "")
        name = name if isinstance(name, str) and name else self._place.eval_name
        plain = re.fullmatch(r"eval[-_]?\d+", name, re.IGNORECASE)
        return "" if plain else _slug(name).replace("-", " ").capitalize()

    def _prompt(self) -> str:
        own = _text(self._metadata, "prompt") or _text(self._config, "prompt")
        if own or (self._eval and self._eval.prompt):
            return own or (self._eval.prompt if self._eval else "")
        homes = (self._place.home, self._place.side, *([] if self._place.flat else [self._place.output]))
        for path in (home / "transcript.md" for home in homes):
            try:
                if not path.is_file() or not self._shelf.holds(path):
                    continue
                if found := prompt_of_transcript(read_text(path)):
                    return found
            except UnreadableImport as error:
                self._shelf.left_out.append(LeftOut(file=str(path), reason=str(error)))
        return ""

    def _own_grading(self) -> dict[str, Any]:
        place = self._place
        if place.flat:
            return self._shelf.get(place.home / f"{place.flat}-grading.json")
        paths = [place.home / "grading.json", place.side / "grading.json"]
        if place.eval_home is not None:
            name, home = place.configuration, place.eval_home
            paths += [
                home / f"grading_{name}.json",
                home / f"grading-{name}.json",
                home / f"{name}_grading.json",
            ]
        return self._shelf.first(dict.fromkeys(paths))

    def _grading_elsewhere(self, gradings: tuple[Path, ...]) -> dict[str, Any]:
        """The same eval may lie once under its number with the grading, and once under its name with the output."""
        place, id = self._place, self._eval_id()
        if place.eval_home is None or not id:
            return {}
        for path in gradings:
            if path.is_relative_to(place.eval_home) or not path.is_relative_to(place.eval_home.parent):
                continue
            below = path.relative_to(place.eval_home.parent).parts
            if below[0] in (f"eval-{id}", f"eval_{id}") and place.configuration in below[1:]:
                return self._shelf.get(path)
        return {}

    def _benchmarked(self) -> dict[str, Any]:
        """What the iteration's benchmark.json says of this run, where no grading of its own lies with it."""
        listed = self._benchmark.get("runs")
        id, place, name = self._eval_id(), self._place, _slug(self._place.eval_name)
        for each in listed if isinstance(listed, list) else ():
            if not isinstance(each, dict) or each.get("configuration") != place.configuration:
                continue
            same = str(each.get("eval_id")) == id if id else _slug(str(each.get("eval_name", ""))) == name
            if same and each.get("run_number", 1) == place.repetition:
                return each
        return {}

    def _timing(self) -> dict[str, Any]:
        place = self._place
        if place.flat:
            return self._shelf.get(place.home / f"{place.flat}-timing.json")
        return self._shelf.first(dict.fromkeys((place.home / "timing.json", place.side / "timing.json")))

    def _seconds(self, timing: dict[str, Any]) -> float | None:
        seconds = number_in(timing, "total_duration_seconds", "duration_seconds")
        if seconds is None and (milliseconds := number_in(timing, "duration_ms")) is not None:
            seconds = milliseconds / 1000
        return number_in(self._config, "time_seconds") if seconds is None else seconds

    def _model(self) -> str | None:
        metadata = self._benchmark.get("metadata")
        own = _text(self._config, "model") or _text(self._metadata, "model")
        return own or (_text(metadata, "executor_model", "model") if isinstance(metadata, dict) else None)

    def _iteration_home(self) -> Path:
        start = self._place.eval_home or self._place.side
        return next(
            (folder for folder in start.parents[:3] if (folder / "benchmark.json").is_file()), start.parent
        )

    def _void(self) -> str:
        for source in (self._config, self._metadata, self._grading):
            if source.get("skill_loaded") is False:
                return "the skill was not loaded"
            if isinstance(source.get("error"), str) and source["error"].strip():
                return f"it ended with an error: {source['error'].strip()[:200]}"
        return why_void(self._place.output)

    def _contaminated(self) -> str:
        """The first evals file among those that the side was given, as skill or beside it; empty if there is none."""
        lists = (self._config.get(name) for name in ("skill_files", "files"))
        given = (file for files in lists if isinstance(files, list) for file in files)
        return next((file for file in given if isinstance(file, str) and _EVALS_FILE.search(file)), "")


def why_void(output: Path) -> str:
    """Why an output is none: nothing was left, only empty files, or one short text that tells of an error."""
    if output.is_file():
        files = [output]
    else:
        files = [path for path in output.rglob("*") if path.is_file() and not path.is_symlink()]
    if not files and output.is_dir() and any(output.iterdir()):
        return ""
    if not files:
        return "it left no file"
    sizes = [path.stat().st_size for path in files]
    if not any(sizes):
        return "it left only empty files"
    if len(files) == 1 and sizes[0] <= _LONGEST_ERROR:
        try:
            return why_void_text(read_text(files[0]))
        except UnreadableImport:
            return ""
    return ""


def why_void_text(text: str) -> str:
    """Why a text is no output; empty if it is one."""
    if not text.strip():
        return "the output is empty"
    short = " ".join(text.split())
    if len(short) <= _LONGEST_ERROR and _ERROR_TEXT.fullmatch(short.lstrip("*#`> ")):
        return f"an error text stands instead of the output: {short[:120]}"
    return ""


def _keys_apart(runs: list[FoundRun]) -> list[FoundRun]:
    """Two different evals of one iteration under the same id keep apart, by the name of their folder."""
    count = Counter((r.iteration, r.task_key, r.configuration, r.repetition) for r in runs)
    clashing = {(i, k) for (i, k, _, _), n in count.items() if n > 1}
    return [
        run.model_copy(update={"task_key": f"{run.task_key}-{key_from(_eval_folder(run))}"})
        if (run.iteration, run.task_key) in clashing
        else run
        for run in runs
    ]


def _eval_folder(run: FoundRun) -> str:
    path = run.path or Path(run.address)
    parts = path.parts
    below = parts[: parts.index(run.configuration)] if run.configuration in parts else parts[:-1]
    return below[-1]


def _one_wording(runs: list[FoundRun]) -> tuple[FoundRun, ...]:
    """All sides of an eval in an iteration are judged by one wording: the most frequent, else the fullest."""
    groups: defaultdict[tuple[str | None, str], list[FoundRun]] = defaultdict(list)
    for run in runs:
        groups[run.iteration, run.task_key].append(run)
    chosen: dict[tuple[str | None, str], dict[str, Any]] = {}
    for key, group in groups.items():
        prompts = Counter(run.prompt for run in group)
        texts = Counter(run.expectations for run in group)
        prompt = max(list(prompts), key=lambda text: (prompts[text], len(text), text))
        lines = max(list(texts), key=lambda each: (bool(each), texts[each], len(each), each))
        title = max(run.title for run in group)
        chosen[key] = {"prompt": prompt, "expectations": lines, "title": title}

    def under(run: FoundRun) -> FoundRun:
        wording = chosen[run.iteration, run.task_key]
        asked_so = run.prompt.split() == wording["prompt"].split()
        return run.model_copy(update={**wording, "own_prompt": "" if asked_so else run.prompt})

    return tuple(under(run) for run in runs)


def _slug(name: str) -> str:
    plain = re.sub(r"^eval[-_](?=\D)", "", name.strip(), flags=re.IGNORECASE)
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


def _text(source: dict[str, Any], *names: str) -> str | None:
    for name in names:
        value = source.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return None
