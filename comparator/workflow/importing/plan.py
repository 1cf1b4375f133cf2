"""Planning an import: runs are found and read, pairs chosen, flaws audited; nothing is stored in the database yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pydantic import ValidationError

from comparator.domain.blinding.redaction import Redaction
from comparator.domain.blinding.scan import PatternFinding, ScanText
from comparator.domain.errors import InputError, OutputRefused
from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.task import TaskText
from comparator.interop.imported import Findings, FoundRun, LeftOut
from comparator.interop.read import recognise
from comparator.outputs.view.build import aside_of, texts_to_scan
from comparator.outputs.view.reading import Readings
from comparator.store.pairs import existing, tasks
from comparator.store.pairs.existing import ExistingRuns, RunKey, RunOrigin
from comparator.store.pairs.runs import RunState
from comparator.store.people import projects
from comparator.workflow.importing import audit as audit
from comparator.workflow.importing import pairs as pairs
from comparator.workflow.importing.leaks import LeakSearch, names_by_side, of_pair
from comparator.workflow.importing.pairs import RunPair
from comparator.workflow.importing.planned import (
    Completed,
    GroupReader,
    ImportReport,
    OutputReader,
    Plan,
    PlannedPair,
    ReadRun,
    as_stored,
    known_workspaces,
    why_not,
)
from comparator.workflow.importing.request import ImportRequest, tell
from comparator.workflow.importing.request import OnStep as OnStep
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import origin_of, task_texts_to_scan
from comparator.workflow.submit.submission import telling_expectations


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
    on_step(f"Scanning {request.path}")
    found = recognise.read(
        request.path, format=request.format, columns=request.columns, label_values=request.label_values
    )
    chosen_runs = pairs.within(pairs.of_workspace(found.runs, request.workspace), request.iterations)
    if not chosen_runs:
        raise InputError(
            f"No output was found in {request.path}.{why_not((*request.left_out, *found.left_out))}"
        )
    project = request.project_for(found)
    with services.database.read() as connection:
        present = existing.in_project(connection, project)
    chosen_runs = known_workspaces(
        chosen_runs,
        {run.address: present.workspaces(origin_of(services, run.address)) for run in chosen_runs},
    )
    # Their makers are not told, so that only their ids tell that they are here.
    here = frozenset(pair for pair in found.stated if present.holds(pair.comparison))
    if here:
        stated = tuple(pair for pair in found.stated if pair not in here)
        needed = {address for pair in stated for address in (pair.first, pair.second)}
        chosen_runs = tuple(run for run in chosen_runs if run.address in needed)
        found = found.model_copy(update={"stated": stated})
    planner = _Planner(services, request, project=project, found=found, runs=chosen_runs, readings=readings)
    siblings = pairs.siblings(found, chosen_runs)
    chosen: tuple[RunPair, ...] = ()
    if chosen_runs:
        chosen = pairs.chosen(
            found, chosen_runs, pairs=request.pairs, compare=request.compare, baseline=request.baseline
        )
    if request.compare is None:
        planner.left_out += pairs.unpaired(request.path, chosen_runs, chosen)
    return planner.plan(chosen, siblings=siblings, present=present, here=len(here), on_step=on_step)


class _Planner:
    """Reads each output once, and gathers findings pair by pair."""

    def __init__(
        self,
        services: Services,
        request: ImportRequest,
        *,
        project: str,
        found: Findings,
        runs: tuple[FoundRun, ...],
        readings: Readings | None,
    ) -> None:
        self._services, self._request, self._project, self._found = services, request, project, found
        self._runs, self._readings = runs, readings
        self.left_out = [*request.left_out, *found.left_out]
        self._outputs = OutputReader(services)
        self._cut_offs = audit.cut_offs(runs)
        self._read: dict[str, ReadRun] = {}
        self._set_aside, self._other_files = audit.SideCounter(), audit.SideCounter()
        self._different_prompts = audit.SideCounter()
        self._unchecked = audit.SideCounter()
        self._noted: set[tuple[str, str]] = set()
        self._evidence = audit.EvidenceCheck()
        self._task_file_texts: dict[tuple[str | None, ...], tuple[ScanText, ...]] = {}
        self._not_made = 0
        self._again = 0

    def plan(
        self,
        chosen: tuple[RunPair, ...],
        *,
        siblings: tuple[RunPair, ...],
        present: ExistingRuns,
        here: int,
        on_step: OnStep,
    ) -> Plan:
        """The plan; `here` are pairs that the project has and of which no more is told."""
        for number, run in enumerate(self._runs, start=1):
            tell(on_step, "Reading output", number, of=len(self._runs))
            self._read_run(run)
        with self._services.database.read() as connection:
            projects_here = {p.name: p.settings for p in projects.all_projects(connection)}
        completed = self._as_stored(present)
        settings = projects_here.get(" ".join(self._project.split())[:200])
        leaks = self._leak_search()
        with GroupReader(self._services, self._readings) as reader:
            planned = self._pairs(chosen, present, leaks, reader, on_step=on_step)
            for read in self._read.values():
                self._in_task(read, leaks, reader)
        redactions = leaks.decisions(
            redact_names=settings is None or settings.redact_names,
            keep=self._request.keep,
            redact=self._request.redact,
        )
        keys = {address: read.key for address, read in self._read.items()}
        already = here + sum(pair.known is not None for pair in planned)
        read_siblings = tuple(p for p in siblings if all(run.address in self._read for run in p))
        superseded = present.superseded_by(
            [
                (keys[address], self._place(read))
                for address, read in self._read.items()
                if read.state is not RunState.SUPERSEDED
            ]
        )
        return Plan(
            project=self._project,
            runs=tuple(self._read.values()),
            pairs=planned,
            labels=self._found.labels,
            histories={
                frozenset((pair.first, pair.second)): pair.history
                for pair in self._found.stated
                if pair.history is not None
            },
            skill_names=self._found.skill_names,
            redactions=redactions,
            take_back=self._request.take_back,
            new_runs=sum(present.run(key) is None for key in keys.values()),
            completed=completed,
            report=ImportReport(
                project=self._project,
                format=self._found.format,
                runs=len(self._read),
                found=here + len(read_siblings),
                new=sum(pair.known is None for pair in planned),
                already=already,
                sets=sum(
                    len({pairs.candidate_of(run) for run in group}) > 2
                    for group in pairs.groups([read.run for read in self._read.values()]).values()
                ),
                no_pairs="" if planned else pairs.why_none([read.run for read in self._read.values()]),
                left_out=(*self.left_out, *self._outputs.left_out),
                audit=self._audit(
                    leaks, redactions, planned=planned, siblings=read_siblings, superseded=superseded
                ),
            ),
        )

    def _read_run(self, run: FoundRun) -> None:
        try:
            text = TaskText(prompt=run.prompt, expectations=self._request.checked(run.expectations))
        except ValidationError as error:
            reason = str(error.errors()[0]["msg"])
            self.left_out.append(LeftOut(file=run.address, reason=f"its task cannot be used: {reason}"))
            return
        try:
            snapshot = self._outputs.of_run(run)
        except OutputRefused as error:
            self.left_out.append(LeftOut(file=run.address, reason=str(error)))
            return
        for line in run.expectations:
            if not self._request.checked((line,)):
                self._unchecked.add(run.configuration, line)
        inputs, reference = self._outputs.of_task(run)
        state, reason = RunState.VALID, ""
        if run.superseded:
            state = RunState.SUPERSEDED
        elif run.void:
            state, reason = RunState.VOID, run.void
        elif run.address in self._cut_offs:
            state, reason = RunState.CUT_OFF, self._cut_offs[run.address]
        run_files = self._outputs.run_files(run)
        self._read[run.address] = ReadRun(run, snapshot, text, inputs, reference, state, reason, run_files)

    def _as_stored(self, present: ExistingRuns) -> tuple[Completed, ...]:
        read = self._read
        found, completed = as_stored([each.run for each in read.values()], present)
        self._read = {run.address: replace(read[run.address], run=run) for run in found}
        return completed

    def _place(self, read: ReadRun) -> RunOrigin:
        run = read.run
        origin = origin_of(self._services, run.address)
        return RunOrigin(
            tasks.key_as_kept(run.task_key),
            run.configuration,
            run.workspace,
            run.iteration,
            run.repetition,
            origin,
        )

    def _leak_search(self) -> LeakSearch:
        models = {run.model for run in self._runs if run.model}
        return LeakSearch(
            sorted({run.configuration for run in self._runs}),
            skill_names=self._found.skill_names,
            models=sorted(models) if len(models) > 1 else (),
            source=str(self._request.path.absolute()),
            asked=self._request.redact,
            names_by_side=names_by_side((r.run.configuration, r.snapshot) for r in self._read.values()),
        )

    def _pairs(
        self,
        chosen: tuple[RunPair, ...],
        present: ExistingRuns,
        leaks: LeakSearch,
        reader: GroupReader,
        *,
        on_step: OnStep,
    ) -> tuple[PlannedPair, ...]:
        planned: dict[frozenset[RunKey], PlannedPair] = {}
        for number, pair in enumerate(chosen, start=1):
            tell(on_step, "Checking pair", number, of=len(chosen))
            both = self._one_version(pair)
            if both is None:
                continue
            keys = (both.A.key, both.B.key)
            if keys[0] == keys[1]:
                where = f"{pair.first.address} and {pair.second.address}"
                self.left_out.append(LeftOut(file=where, reason="both are one and the same run"))
                continue
            if frozenset(keys) in planned:
                self._again += 1
                continue
            findings, characters = self._look(both, leaks, reader)
            known_as = present.comparison(*keys)
            planned[frozenset(keys)] = PlannedPair(both.A, both.B, findings, known_as, characters)
        return tuple(planned.values())

    def _one_version(self, pair: RunPair) -> PerOutput[ReadRun] | None:
        """Both runs under the wording of the later iteration; None where they answer different prompts."""
        first, second = self._read.get(pair.first.address), self._read.get(pair.second.address)
        if first is None or second is None:
            return None
        if " ".join(first.text.prompt.split()) != " ".join(second.text.prompt.split()):
            self._not_made += 1
            return None
        later = max(
            first, second, key=lambda read: int(at) if (at := read.run.iteration or "").isdecimal() else 0
        )
        return PerOutput[ReadRun](A=first, B=second).map(
            lambda read: replace(read, text=later.text, inputs=later.inputs, reference=later.reference)
        )

    def _look(
        self, both: PerOutput[ReadRun], leaks: LeakSearch, reader: GroupReader
    ) -> tuple[tuple[PatternFinding, ...], PerOutput[int]]:
        """What would tell the sides of a pair, and how much text each holds."""
        prompt, taken_back = both.A.text.prompt, self._request.take_back
        snapshots = both.map(lambda read: read.snapshot)
        of = reader.of(both.A.run)
        texts = texts_to_scan(snapshots, of, taken_back=taken_back, prompt=prompt)
        aside = aside_of(snapshots, of, taken_back=taken_back, prompt=prompt)
        files = both.map(lambda read: {artifact.path for artifact in read.snapshot.artifacts})
        if both.A.run.own_prompt != both.B.run.own_prompt:
            sides = " and ".join(sorted((both.A.run.configuration, both.B.run.configuration)))
            self._different_prompts.add(sides, both.A.run.task_key)
        found: dict[Label, tuple[PatternFinding, ...]] = {}
        for label, read in both.items():
            run = read.run
            own: tuple[ScanText, ...] = tuple(text for text in texts if text.label is label)
            found[label] = leaks.in_run(run.address, side=run.configuration, texts=own)
            self._evidence.add(run, own)
            if ("aside", run.address) not in self._noted:
                self._noted.add(("aside", run.address))
                for path in aside[label]:
                    self._set_aside.add(run.configuration, f"{run.address}: {path}")
            other = both[label.other].snapshot
            only = files[label] - files[label.other] - set(aside[label])
            if read.snapshot.is_folder and other.is_folder:
                for path in sorted(only):
                    self._other_files.add(run.configuration, f"{run.address}: {path}")
        lengths = {label: sum(len(text.text) for text in texts if text.label is label) for label in Label}
        characters = PerOutput[int](A=lengths[Label.A], B=lengths[Label.B])
        return of_pair(found[Label.A], found[Label.B], self._in_task(both.A, leaks, reader)), characters

    def _in_task(self, read: ReadRun, leaks: LeakSearch, reader: GroupReader) -> tuple[PatternFinding, ...]:
        """What the wording of a run's task and the task's own files hold."""
        key = tuple(None if s is None else s.digest for s in (read.inputs, read.reference))
        if key not in self._task_file_texts:
            of = reader.of(read.run)
            self._task_file_texts[key] = task_texts_to_scan(of, inputs=read.inputs, reference=read.reference)
        return (*leaks.in_task(read.text), *leaks.in_files(key, self._task_file_texts[key]))

    def _audit(
        self,
        leaks: LeakSearch,
        redactions: tuple[Redaction, ...],
        *,
        planned: Sequence[PlannedPair],
        siblings: Sequence[RunPair],
        superseded: int,
    ) -> audit.Audit:
        """The findings about the chosen pairs; about all outputs where there is no pair."""
        void, cut_off, contaminated = audit.SideCounter(), audit.SideCounter(), audit.SideCounter()
        read = tuple(self._read.values())
        chosen = {read.run.address for pair in planned for read in (pair.first, pair.second)}
        looked_at = tuple(each for each in read if not chosen or each.run.address in chosen)
        for each in looked_at:
            run = each.run
            if each.state is RunState.VOID:
                void.add(run.configuration, f"{run.address}: {each.state_reason}")
            elif each.state is RunState.CUT_OFF:
                cut_off.add(run.configuration, f"{run.address}: {each.state_reason}")
            if run.contaminated:
                contaminated.add(run.configuration, f"{run.address}: it was given {run.contaminated}")
        # Also those that were left without a pair, if the candidate is one of the chosen in this iteration.
        candidates = {(each.run.workspace, each.run.iteration, each.run.configuration) for each in looked_at}
        found = tuple(
            each.run
            for each in read
            if (each.run.workspace, each.run.iteration, each.run.configuration) in candidates
        )
        repeated = self._found.duplicates + self._again
        by_address = {each.run.address: (each.run, each.snapshot) for each in looked_at}
        return audit.Audit(
            void=void.counted(),
            cut_off=cut_off.counted(),
            contaminated=contaminated.counted(),
            one_sided=audit.one_sided(found, pairs=siblings),
            other_files=self._other_files.counted(),
            different_prompts=self._different_prompts.counted(),
            drift=audit.drift(found, pairs_not_made=self._not_made),
            leaks=leaks.leaks(redactions),
            telling_expectations=telling_expectations(
                tuple(line for each in read for line in each.text.expectations),
                findings=leaks.findings,
                redactions=redactions,
            ),
            set_aside=self._set_aside.counted(),
            expectations_set_aside=self._unchecked.counted(),
            unmatched=audit.unmatched(
                self._request,
                found=leaks.findings,
                expectations=(line for run in self._runs for line in run.expectations),
            ),
            duplicates=audit.duplicates(by_address, repeated=repeated),
            evidence_not_found=self._evidence.counted(),
            superseded=superseded,
        )
