"""What would tell who made which output, and the decision on each word: redact it on both sides, or keep it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import streamlit as st

from comparator.domain.blinding.redaction import PatternDecision, Redaction, asked_for
from comparator.domain.blinding.scan import PatternFinding, ScanText, Where, suggestion
from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.task import TaskText
from comparator.outputs.snapshot.take import Snapshot
from comparator.outputs.view.reading import Readings
from comparator.ui.frame import safe, words
from comparator.ui.frame.inputs.choices import DECISIONS, decisions_on
from comparator.ui.new.draft import Draft, OpenDraft, Scan, Slot, start_with, widget
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import (
    Source,
    candidate_names,
    find_leaks,
    set_aside_of,
    task_file_texts,
    texts_of,
)
from comparator.workflow.submit.submission import decide, with_nouns

SHOWN = 12
KEPT = 64 * 1024 * 1024
"""So many bytes of what a draft's files hold are kept from the leak scan until the pair is set up."""


def leaks_step(services: Services, page: OpenDraft, task: TaskText, *, redacts: bool) -> None:
    """Look through everything once, and ask for a decision on each word found.

    `redacts` says whether full names are redacted unless a person decides otherwise.
    """
    snapshots = snapshots_of(page.draft)
    if snapshots is None:
        return
    identity = _identity(page.draft, snapshots, task)
    if page.draft.scan is None or page.draft.scan.of != identity:
        with st.spinner("Looking for words that would reveal who made which output", show_time=True):
            page.keep(scan=_scan(services, page.draft, snapshots, task, identity))
    assert page.draft.scan is not None
    _show(page, page.draft.scan.findings, redacts=redacts)
    page.keep(
        redact_also=tuple(
            st.multiselect(
                "Other words to neutralise",
                page.draft.redact_also,
                default=page.draft.redact_also,
                key=widget("redact_also"),
                accept_new_options=True,
                placeholder="Type a word that would reveal who made an output",
            )
        )
    )


def redactions_of(draft: Draft, *, redacts: bool) -> tuple[Redaction, ...]:
    """One decision for each word found: the person's own, else what holds by default."""
    findings = draft.scan.findings if draft.scan else ()
    decided = {
        pattern: Redaction(pattern=pattern, decision=_decision(draft, found, redacts=redacts))
        for pattern, found in _by_pattern(findings)
    }
    asked = {each.pattern: each for each in asked_for(draft.redact_also)}
    nouns = draft.scan.nouns if draft.scan else {}
    return tuple(
        each.model_copy(update={"replacement": nouns.get(each.pattern, "")})
        for each in (decided | asked).values()
    )


def snapshots_of(draft: Draft) -> PerOutput[Snapshot] | None:
    """Both outputs in the order given, before the draw; None while one is missing."""
    first, second = draft.snapshot(Slot.FIRST), draft.snapshot(Slot.SECOND)
    return PerOutput[Snapshot](A=first, B=second) if first and second else None


def sources_of(draft: Draft) -> PerOutput[Source]:
    """Where both outputs came from; uploads have no place."""

    def source(slot: Slot) -> Source:
        reading = draft.reading(slot)
        return Path(reading.path) if reading and reading.path else ()

    return PerOutput[Source](A=source(Slot.FIRST), B=source(Slot.SECOND))


def readings_of(draft: Draft) -> Readings:
    """What was read of the draft's files, for whoever reads them next."""
    return _readings(_digests(draft, Slot.FIRST, Slot.SECOND))


def forget_readings(draft: Draft) -> None:
    """Drop them, once nobody will read the files again."""
    _readings.clear(_digests(draft, Slot.FIRST, Slot.SECOND))


@st.cache_resource(max_entries=4, show_spinner=False)
def _readings(digests: tuple[str, ...]) -> Readings:
    del digests
    return Readings(most=KEPT)


def names_of(draft: Draft) -> PerOutput[str]:
    """The candidates' names in the order given: typed, else from the paths, else from the uploads' own names."""
    typed = PerOutput[str | None](A=draft.first_name or None, B=draft.second_name or None)
    snapshots = snapshots_of(draft)
    uploaded = not any(isinstance(source, Path) for _, source in sources_of(draft).items())
    if snapshots is not None and uploaded:
        stems = snapshots.map(lambda snapshot: Path(snapshot.name).stem)
        if stems.A != stems.B:
            typed = PerOutput[str | None](A=typed.A or stems.A, B=typed.B or stems.B)
    return candidate_names(sources_of(draft), typed)


def _scan(
    services: Services, draft: Draft, snapshots: PerOutput[Snapshot], task: TaskText, identity: str
) -> Scan:
    taken_back = frozenset(draft.taken_back)
    aside = set_aside_of(
        services, snapshots, prompt=task.prompt, taken_back=taken_back, readings=readings_of(draft)
    )
    texts = _texts(
        services,
        snapshots,
        task.prompt,
        taken_back,
        readings_of(draft),
        identity=(snapshots.A.digest, snapshots.B.digest, repr(aside.model_dump())),
    )
    lengths = {label: sum(len(text.text) for text in texts if text.label is label) for label in Label}
    task_files = _task_file_texts(
        services,
        draft.snapshot(Slot.INPUTS),
        draft.snapshot(Slot.REFERENCE),
        readings_of(draft),
        identity=_digests(draft, Slot.INPUTS, Slot.REFERENCE),
    )
    findings = find_leaks(
        snapshots,
        texts,
        task=task,
        candidates=names_of(draft),
        sources=tuple(source for _, source in sources_of(draft).items()),
        task_files=task_files,
        asked=asked_for(draft.redact_also),
    )
    every = (*decide(findings), *asked_for(draft.redact_also))
    wanted = [each.model_copy(update={"decision": PatternDecision.REDACT}) for each in every]
    return Scan(
        of=identity,
        findings=findings,
        nouns={r.pattern: r.replacement for r in with_nouns(wanted, task=task, texts=(*texts, *task_files))},
        characters=PerOutput[int](A=lengths[Label.A], B=lengths[Label.B]),
    )


@st.cache_data(max_entries=4, show_spinner=False)
def _texts(
    _services: Services,
    _snapshots: PerOutput[Snapshot],
    _prompt: str,
    _taken_back: frozenset[str],
    _readings: Readings,
    *,
    identity: tuple[str, ...],
) -> tuple[ScanText, ...]:
    """The texts of both outputs, which do not change with each word of the prompt; `identity` names them."""
    del identity
    return texts_of(_services, _snapshots, prompt=_prompt, taken_back=_taken_back, readings=_readings)


@st.cache_data(max_entries=4, show_spinner=False)
def _task_file_texts(
    _services: Services,
    _inputs: Snapshot | None,
    _reference: Snapshot | None,
    _readings: Readings,
    *,
    identity: tuple[str, ...],
) -> tuple[ScanText, ...]:
    """The texts of the task's own files; `identity` names them."""
    del identity
    return task_file_texts(_services, inputs=_inputs, reference=_reference, readings=_readings)


def _digests(draft: Draft, *slots: Slot) -> tuple[str, ...]:
    snapshots = (draft.snapshot(slot) for slot in slots)
    return tuple(snapshot.digest if snapshot else "" for snapshot in snapshots)


def _identity(draft: Draft, snapshots: PerOutput[Snapshot], task: TaskText) -> str:
    parts = (
        snapshots.A.digest,
        snapshots.B.digest,
        task.digest,
        draft.taken_back,
        draft.redact_also,
        _digests(draft, Slot.INPUTS, Slot.REFERENCE),
        names_of(draft).model_dump(),
        [str(source) for _, source in sources_of(draft).items()],
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _show(page: OpenDraft, findings: Sequence[PatternFinding], *, redacts: bool) -> None:
    found = _by_pattern(findings)
    if not found:
        st.caption(":material/visibility_off: No words were found that would reveal who made which output.")
        return
    redacted = sum(_decision(page.draft, one, redacts=redacts) is PatternDecision.REDACT for _, one in found)
    label = words.counted(len(found), "word")
    with st.expander(
        safe.text(f"{label} may reveal who made which output, {redacted or 'none'} neutralised"),
        key=widget("leaks"),
        expanded=redacted < len(found),
    ):
        st.caption(
            "A neutralised word becomes an ordinary noun, the same on both sides, for judge and "
            "reviewers. A pair with a passage that reveals the run is marked “may reveal its "
            "candidate” and counted separately. First and second are the outputs in the order above."
        )
        for pattern, one in found[:SHOWN]:
            _one(page, pattern, one, redacts=redacts)
        if len(found) > SHOWN and st.toggle("Show all", key=start_with("leaks_all", False)):
            for pattern, one in found[SHOWN:]:
                _one(page, pattern, one, redacts=redacts)


def _one(page: OpenDraft, pattern: str, found: Sequence[PatternFinding], *, redacts: bool) -> None:
    first = sum(one.counts.A for one in found)
    second = sum(one.counts.B for one in found)
    elsewhere = [one.where for one in found if one.elsewhere]
    places = ", ".join(dict.fromkeys(one.where.value for one in found if one.counts.A or one.counts.B))
    left, right = st.columns([5, 2], gap="medium", vertical_alignment="center")
    what = f"**{safe.middle(pattern, 60)}** ({safe.text(found[0].kind.value)})"
    counted = f"first {first:d}, second {second:d}" if first or second else "in neither output"
    left.caption(
        f"{what}: {counted}{safe.text(f' ({places})' if places else '')}{safe.text(_also(elsewhere))}  \n"
        f"{safe.text(found[0].excerpt)}"
    )
    chosen = right.segmented_control(
        "What to do",
        decisions_on(found[0].kind),
        format_func=lambda each: safe.inked(DECISIONS[each]),
        key=start_with(
            f"leak_{hashlib.sha256(pattern.encode()).hexdigest()[:12]}",
            _decision(page.draft, found, redacts=redacts),
        ),
        required=True,
        label_visibility="collapsed",
    )
    if chosen and PatternDecision(chosen) is not _decision(page.draft, found, redacts=redacts):
        page.keep(decisions={**page.draft.decisions, pattern: PatternDecision(chosen)})


def set_aside_part(services: Services, page: OpenDraft, prompt: str) -> None:
    """List what is set aside on both sides, and offer to judge it after all."""
    snapshots = snapshots_of(page.draft)
    if snapshots is None:
        return
    aside = set_aside_of(services, snapshots, prompt=prompt, readings=readings_of(page.draft))
    reasons = {path: reason for label in Label for path, reason in aside[label].items()}
    if not reasons:
        return
    taken = st.multiselect(
        "Set aside: files about the run rather than the task",
        list(reasons),
        default=[path for path in page.draft.taken_back if path in reasons],
        format_func=lambda path: f"{path} ({reasons[path]})",
        key=widget(f"taken_back_{hashlib.sha256(repr(sorted(reasons)).encode()).hexdigest()[:12]}"),
        placeholder=f"{words.counted(len(reasons), 'file')} not judged. Choose files to judge after all",
    )
    page.keep(taken_back=tuple(taken))


def _also(elsewhere: Sequence[Where]) -> str:
    places = ", ".join(dict.fromkeys(where.value for where in elsewhere))
    return f"; also in the task's {places}" if places else ""


def _decision(draft: Draft, found: Sequence[PatternFinding], *, redacts: bool) -> PatternDecision:
    default = suggestion(found)
    if default is PatternDecision.REDACT and not redacts:
        default = PatternDecision.KEEP
    return draft.decisions.get(found[0].pattern, default)


def _by_pattern(findings: Sequence[PatternFinding]) -> tuple[tuple[str, tuple[PatternFinding, ...]], ...]:
    return tuple((pattern, tuple(found)) for pattern, found in groupby(findings, key=lambda one: one.pattern))
