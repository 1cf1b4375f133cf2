"""Planning an import: runs are found and read, pairs chosen, flaws audited; nothing is stored in the database yet."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from pydantic import ValidationError

from comparator.domain.blinding.redaction import Redaction
from comparator.domain.blinding.scan import PatternFinding, ScanText, Where
from comparator.domain.counted import natural
from comparator.domain.errors import InputError, OutputRefused, first_problem
from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.task import TaskText
from comparator.interop import recognise
from comparator.interop.imported import Files, Findings, FoundRun, LeftOut
from comparator.outputs.snapshot import Snapshot, Upload, digest_of
from comparator.outputs.view.build import aside_of, texts_to_scan
from comparator.outputs.view.reading import Reader, Readings
from comparator.store.pairs import tasks
from comparator.store.pairs.runs import RunKey, RunOrigin, RunState, in_project
from comparator.store.people import projects
from comparator.workflow.importing import audit, pairs
from comparator.workflow.importing.pairs import ImportRequest, OnStep, RunPair, tell
from comparator.workflow.importing.planned import (
    ImportReport,
    Plan,
    PlannedPair,
    ReadRun,
    group_reader,
    known_workspaces,
    unread_members,
    why_none,
    why_not,
)
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import (
    read_files,
    read_output,
    read_together,
    task_texts_to_scan,
    telling_expectations,
)
from comparator.workflow.submit.uploads import origin_of


def scan_source(request: ImportRequest, on_step: OnStep) -> Findings:
    """Everything at the request's path. Raises InputError where nothing can be imported."""
    on_step(f"Scanning {request.path}")
    findings = recognise.read(
        request.path, format=request.format, columns=request.columns, label_values=request.label_values
    )
    findings = findings.copy_with(left_out=(*request.left_out, *findings.left_out))
    if not findings.runs:
        raise InputError(f"No output was found in {request.path}.{why_not(findings.left_out)}")
    return findings


def plan_import(
    services: Services,
    request: ImportRequest,
    *,
    readings: Readings | None = None,
    on_step: OnStep = lambda _: None,
) -> Plan:
    """What an import would do. Raises InputError where nothing can be imported at all.

    What outputs hold is left in `readings`, for whoever carries the plan out at once.
    """
    findings = scan_source(request, on_step)
    runs = pairs.within(pairs.of_workspace(findings.runs, request.workspace), request.iterations)
    project = request.project_for(findings)
    with services.read() as connection:
        present = in_project(connection, project)
        there = {existing.name: existing.settings for existing in projects.all_projects(connection)}
    settings = there.get(projects.name_as_kept(project))
    kept_in = {run.address: present.workspaces.get(origin_of(services, run.address), ()) for run in runs}
    runs = known_workspaces(runs, kept_in)
    # Their makers are not told, so that only their ids tell that they are here.
    stored = set(present.pairs.values())
    here = frozenset(pair for pair in findings.stated if pair.comparison in stored)
    if here:
        stated = tuple(pair for pair in findings.stated if pair not in here)
        needed = {address for pair in stated for address in (pair.first, pair.second)}
        runs = tuple(run for run in runs if run.address in needed)
        findings = findings.copy_with(stated=stated)
    chosen: tuple[RunPair, ...] = ()
    if runs:
        chosen = pairs.chosen(findings, runs, request)
    with group_reader(services, readings) as reader:
        planner = _Planner(services, request, findings, reader)
        cut_offs = audit.cut_offs(runs)
        for number, run in enumerate(runs, start=1):
            tell(on_step, "Reading output", number, of=len(runs))
            planner.read_run(run, cut_off=cut_offs.get(run.address, ""))
        leaks = planner.search_for_leaks(runs)
        planned: dict[frozenset[RunKey], PlannedPair] = {}
        for number, pair in enumerate(chosen, start=1):
            tell(on_step, "Checking pair", number, of=len(chosen))
            if (both := planner.one_version(pair)) is None:
                continue
            keys = frozenset((both.A.key, both.B.key))
            if len(keys) == 1:
                where = f"{pair.first.address} and {pair.second.address}"
                planner.left_out.append(LeftOut(file=where, reason="both are one and the same run"))
            elif keys in planned:
                planner.repeated += 1
            else:
                known_as = present.comparison(both.A.key, both.B.key)
                planned[keys] = PlannedPair(both.A, both.B, *planner.look(both), known_as)
        read = tuple(planner.read.values())
        for output in read:
            planner.in_task(output)
    redactions = leaks.decisions(redact_names=settings is None or settings.redact_names, keep=request.keep)
    siblings = [p for p in pairs.siblings(findings, runs) if all(run.address in planner.read for run in p)]
    lying = [
        (output.key, _origin(services, output.run))
        for output in read
        if output.state is not RunState.SUPERSEDED
    ]
    now = tuple(output.run for output in read)
    known = sum(pair.known is not None for pair in planned.values())
    groups = pairs.groups(now).values()
    return Plan(
        request=request,
        findings=findings,
        runs=read,
        pairs=tuple(planned.values()),
        redactions=redactions,
        new_runs=sum(output.key not in present.runs for output in read),
        report=ImportReport(
            project=project,
            format=findings.format,
            runs=len(read),
            found=len(here) + len(siblings),
            new=len(planned) - known,
            already=len(here) + known,
            sets=sum(len({pairs.candidate_of(run) for run in group}) > 2 for group in groups),
            no_pairs="" if planned else why_none(now),
            left_out=(*planner.left_out, *planner.unread),
            audit=planner.audited(
                redactions,
                planned=tuple(planned.values()),
                siblings=siblings,
                superseded=present.superseded_by(lying),
            ),
        ),
    )


def _origin(services: Services, run: FoundRun) -> RunOrigin:
    """Where a run came from, as the project knows it."""
    key, origin = tasks.key_as_kept(run.task_key), origin_of(services, run.address)
    return RunOrigin(key, run.configuration, run.workspace, run.iteration, run.repetition, origin)


class _Planner:
    """Reads each output, and the files of each task, once, and gathers findings pair by pair."""

    def __init__(
        self,
        services: Services,
        request: ImportRequest,
        findings: Findings,
        reader: Callable[[FoundRun], Reader],
    ) -> None:
        self._services, self._request, self._source, self._reader = services, request, findings, reader
        self.left_out = [*findings.left_out]
        self.unread: list[LeftOut] = []
        """Members of outputs that were left out."""
        self.read: dict[str, ReadRun] = {}
        self.repeated = findings.duplicates
        self._files: dict[tuple[object, ...], tuple[Snapshot | None, Snapshot | None]] = {}
        self._places: defaultdict[str, audit.Places] = defaultdict(list)
        self._quotes = 0
        self._noted: set[str] = set()
        self._task_file_texts: dict[tuple[str | None, ...], tuple[ScanText, ...]] = {}
        self._not_made = 0

    def read_run(self, run: FoundRun, *, cut_off: str) -> None:
        """Read a run's output and its task's files; `cut_off` says why the output may be."""
        checked = self._request.checked(run.expectations)
        try:
            text = TaskText(prompt=run.prompt, expectations=checked)
            snapshot = self._output_of(run)
        except (ValidationError, OutputRefused) as error:
            reason = str(error)
            if isinstance(error, ValidationError):
                reason = f"its task cannot be used: {first_problem(error).reason}"
            self.left_out.append(LeftOut(file=run.address, reason=reason))
            return
        aside = [(run.configuration, line) for line in run.expectations if line not in checked]
        self._places["expectations_set_aside"] += aside
        state, reason = RunState.VALID, ""
        if run.superseded:
            state = RunState.SUPERSEDED
        elif run.void or cut_off:
            state, reason = RunState.VOID if run.void else RunState.CUT_OFF, run.void or cut_off
        inputs, reference = self._files_of_task(run)
        self.read[run.address] = ReadRun(run, snapshot, text, inputs, reference, state, reason)

    def _output_of(self, run: FoundRun) -> Snapshot:
        source = run.files or run.path
        if source is None:
            snapshot = read_output(self._services, (_text(run.text_name, run.text or ""),))
        elif isinstance(source, Files):
            snapshot = read_files(self._services, source)
        elif source.is_dir() and not any(source.iterdir()):
            # A run that left nothing is kept and marked as void.
            snapshot = Snapshot(
                digest=digest_of(True, (), ()), name=source.name, is_folder=True, artifacts=()
            )
        else:
            snapshot = read_output(self._services, source)
        self._note(run.address + (": " if run.path is None else "/"), snapshot, source=run.files)
        return snapshot

    def _files_of_task(self, run: FoundRun) -> tuple[Snapshot | None, Snapshot | None]:
        """The input files of a run's task and its reference answer; None where there is none or it cannot be read."""
        key = (run.inputs, run.input_files, run.reference, run.reference_files)
        if key not in self._files:
            inputs = reference = None
            try:
                if run.reference_files is not None:
                    reference = read_files(self._services, run.reference_files)
                elif run.reference.strip():
                    reference = read_output(self._services, (_text("reference.md", run.reference),))
                if run.input_files is not None:
                    inputs = read_files(self._services, run.input_files)
                else:
                    inputs = read_together(self._services, run.inputs)
            except InputError as error:
                self.unread.append(LeftOut(file=f"inputs of {run.task_key}", reason=str(error)))
            self._note(f"inputs of {run.task_key}: ", inputs, source=run.input_files)
            self._note(f"reference of {run.task_key}: ", reference, source=run.reference_files)
            self._files[key] = (inputs, reference)
        return self._files[key]

    def _note(self, where: str, snapshot: Snapshot | None, *, source: Files | None) -> None:
        """List what was refused, but for what had not been read either where our own lines come from."""
        earlier = {(exclusion.file, exclusion.reason) for exclusion in source.left_out} if source else set()
        refused = [r for r in (snapshot.refused if snapshot else ()) if (r.path, r.reason) not in earlier]
        self.unread += unread_members(where, refused)

    def search_for_leaks(self, runs: Sequence[FoundRun]) -> audit.LeakSearch:
        """Begin to look for what tells who made the outputs that were read."""
        models = {run.model for run in runs if run.model}
        names: defaultdict[str, set[str]] = defaultdict(set)
        for output in self.read.values():
            own = (file.path.rpartition("/")[2] for file in output.snapshot.artifacts)
            names[output.run.configuration].update(own)
        self._leaks = audit.LeakSearch(
            sorted({run.configuration for run in runs}),
            skill_names=self._source.skill_names,
            models=sorted(models) if len(models) > 1 else (),
            source=str(self._request.path.absolute()),
            names_by_side=names,
            redact=self._request.redact,
        )
        return self._leaks

    def one_version(self, pair: RunPair) -> PerOutput[ReadRun] | None:
        """Both runs under the wording of the later iteration; None where they answer different prompts."""
        first, second = self.read.get(pair.first.address), self.read.get(pair.second.address)
        if first is None or second is None:
            return None
        if first.text.prompt.split() != second.text.prompt.split():
            self._not_made += 1
            return None
        later = max(first, second, key=lambda read: natural(read.run.iteration or ""))
        return PerOutput(A=first, B=second).map(
            lambda read: read._replace(text=later.text, inputs=later.inputs, reference=later.reference)
        )

    def look(self, both: PerOutput[ReadRun]) -> tuple[tuple[PatternFinding, ...], PerOutput[int]]:
        """What would tell the sides of a pair, and how much text each holds."""
        of, places = self._reader(both.A.run), self._places
        snapshots = both.map(lambda read: read.snapshot)
        how: Any = {"taken_back": self._request.take_back, "prompt": both.A.text.prompt}
        texts, aside = texts_to_scan(snapshots, of, **how), aside_of(snapshots, of, **how)
        files = snapshots.map(lambda snapshot: {artifact.path for artifact in snapshot.artifacts})
        if both.A.run.own_prompt != both.B.run.own_prompt:
            sides = " and ".join(sorted((both.A.run.configuration, both.B.run.configuration)))
            places["different_prompts"].append((sides, both.A.run.task_key))
        given = PerOutput[list[ScanText]].of(lambda label: [text for text in texts if text.label is label])
        by_label: dict[Label, tuple[PatternFinding, ...]] = {}
        for label, read in both.items():
            run, side, own = read.run, read.run.configuration, given[label]
            by_label[label] = self._leaks.look(run.address, own, side=side)
            if run.address not in self._noted:
                self._noted.add(run.address)
                missing, quotes = audit.missing_quotes(run, own)
                places["evidence_not_found"] += missing
                self._quotes += quotes
                places["set_aside"] += [(side, f"{run.address}: {path}") for path in aside[label]]
            if snapshots.A.is_folder and snapshots.B.is_folder:
                alone = sorted(files[label] - files[label.other] - set(aside[label]))
                places["other_files"] += [(side, f"{run.address}: {path}") for path in alone]
        findings = audit.of_pair(by_label[Label.A], by_label[Label.B], self.in_task(both.A))
        return findings, given.map(lambda own: sum(len(text.text) for text in own))

    def in_task(self, read: ReadRun) -> tuple[PatternFinding, ...]:
        """What the wording of a run's task and the task's own files hold."""
        key = tuple(None if s is None else s.digest for s in (read.inputs, read.reference))
        if key not in self._task_file_texts:
            self._task_file_texts[key] = task_texts_to_scan(
                self._reader(read.run), inputs=read.inputs, reference=read.reference
            )
        wording = [
            ScanText(Where.PROMPT, read.text.prompt),
            *(ScanText(Where.EXPECTATION, line) for line in read.text.expectations),
        ]
        look = self._leaks.look
        return (*look(read.text.digest, wording), *look(key, self._task_file_texts[key]))

    def audited(
        self,
        redactions: tuple[Redaction, ...],
        *,
        planned: Sequence[PlannedPair],
        siblings: Sequence[RunPair],
        superseded: int,
    ) -> audit.Audit:
        """The findings about the chosen pairs; about all outputs where there is no pair."""
        places, read, leaks = self._places, tuple(self.read.values()), self._leaks
        chosen = {read.run.address for pair in planned for read in (pair.first, pair.second)}
        looked_at = [output for output in read if not chosen or output.run.address in chosen]
        for output in looked_at:
            run = output.run
            if output.state in (RunState.VOID, RunState.CUT_OFF):
                reason = f"{run.address}: {output.state_reason}"
                places[output.state].append((run.configuration, reason))
            if run.contaminated:
                given = f"{run.address}: it was given {run.contaminated}"
                places["contaminated"].append((run.configuration, given))

        # Also those that were left without a pair, if the candidate is one of the chosen in this iteration.
        sides = {audit.side_of(output.run) for output in looked_at}
        runs = tuple(output.run for output in read if audit.side_of(output.run) in sides)
        places["one_sided"] = audit.one_sided(runs, pairs=siblings)
        outputs = ((output.run, output.snapshot) for output in looked_at)
        places["duplicates"] = audit.duplicates(outputs, repeated=self.repeated)
        every = [line for output in read for line in output.text.expectations]
        words = {finding.pattern for finding in leaks.findings}
        lines = {" ".join(line.split()) for _, line in places["expectations_set_aside"]}
        wanted = self._request
        return audit.Audit(
            **{
                name: audit.count_of(places[name], checked=self._quotes * (name == "evidence_not_found"))
                for name in audit.COUNTED
            },
            drift=audit.drift(runs, pairs_not_made=self._not_made),
            leaks=leaks.leaks(redactions),
            telling_expectations=telling_expectations(every, findings=leaks.findings, redactions=redactions),
            unmatched=tuple(sorted(((wanted.keep | wanted.redact) - words) | (wanted.set_aside - lines))),
            superseded=superseded,
        )


def _text(name: str, text: str) -> Upload:
    return Upload(name, text.encode("utf-8", "replace"))
