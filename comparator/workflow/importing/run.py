"""An import from start to end: tried without a trace, or done and, if wanted, judged pair by pair."""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace

from comparator.domain.blinding.redaction import PatternDecision
from comparator.domain.counted import counted
from comparator.outputs.view.reading import Readings
from comparator.store.core.blobs import BlobStore
from comparator.store.facts import fact
from comparator.workflow.importing.audit import COUNTED, Count
from comparator.workflow.importing.pairs import ImportRequest, OnStep
from comparator.workflow.importing.plan import plan_import
from comparator.workflow.importing.planned import ImportReport
from comparator.workflow.importing.store import Imported, carry_out
from comparator.workflow.people.people import local_person
from comparator.workflow.services import Services

WORDS_LISTED = 12
KEPT = 128 * 1024 * 1024
"""So many bytes of what outputs hold are kept from planning until their pairs are set up."""
DONE = {
    PatternDecision.REDACT: "neutralised on both sides",
    PatternDecision.KEEP: "stays",
    PatternDecision.MARK: "its pairs are marked “may reveal its candidate”",
}


def dry_run(services: Services, request: ImportRequest, *, on_step: OnStep) -> ImportReport:
    """What an import would find and do; nothing is kept of it. Raises InputError."""
    with tempfile.TemporaryDirectory(prefix="comparator-") as folder:
        trial = replace(services, blobs=BlobStore.at(folder))
        return plan_import(trial, request, on_step=on_step).report


def import_path(services: Services, request: ImportRequest, *, on_step: OnStep) -> Imported:
    """Import what is at the request's path; what was imported before is left alone. Raises InputError.

    Without a person it is the one at this machine.
    """
    readings = Readings(most=KEPT)
    plan = plan_import(services, request, readings=readings, on_step=on_step)
    who = services.who or local_person(services).id
    return carry_out(services.by(who), plan, readings=readings, on_step=on_step)


def to_judge(services: Services, comparison_ids: Sequence[str], *, all_runs: bool) -> tuple[str, ...]:
    """Those of the pairs that are judged: without `all_runs` none with an unusable output.

    Pairs of a run that was superseded are left out: their results would not count.
    """
    with services.read() as connection:
        left_out = fact.not_to_judge(connection, comparison_ids, void_too=all_runs)
        return tuple(id for id in comparison_ids if id not in left_out)


def summary(report: ImportReport, *, done: bool) -> Iterator[str]:
    """The report in a few lines for a terminal."""
    audit = report.audit
    yield (
        f"{report.format}: {counted(report.runs, 'run')}, {counted(report.found, 'pair')} within iterations"
        + (f", {counted(report.sets, 'eval')} with more than two candidates" if report.sets else "")
    )
    yield (
        f"{'Imported' if done else 'Would import'} into the project {report.project!r}: "
        f"{counted(report.new, 'pair')}; already there: {report.already:,}"
    )
    if report.no_pairs:
        yield report.no_pairs
    if replacing := replaced_in_words(report):
        yield replacing
    for field, name in COUNTED.items():
        count: Count = getattr(audit, field)
        if count.count:
            sides = ", ".join(f"{side} {number:,}" for side, number in count.sides.items())
            checked = f" of {count.checked:,} checked" if count.checked else ""
            yield f"{name}: {count.count:,} ({sides}){checked}"
    yield from _list_lines("No counterpart", audit.one_sided.examples, most=WORDS_LISTED)
    drift = audit.drift
    changed = [
        f"{what} of {counted(number, 'task')}"
        for what, number in (("prompts", drift.prompts), ("expectations", drift.expectations))
        if number
    ]
    if changed:
        yield f"Changed between iterations: {', '.join(changed)}"
    if drift.pairs_not_made:
        yield (
            f"Not paired because the prompts differ: {counted(drift.pairs_not_made, 'pair')}. Choose iterations that "
            "share the prompt, or import them as a table of pairs with the prompt to judge by"
        )
    words = [f"{word.pattern} ({word.kind}): {word.in_words}: {DONE[word.decision]}" for word in audit.leaks]
    yield from _list_lines("May reveal who made which output", words, most=WORDS_LISTED)
    telling = [line.in_words for line in audit.telling_expectations]
    yield from telling[:WORDS_LISTED]
    yield from _list_lines("Expectations that may reveal a side", telling[WORDS_LISTED:], most=0)
    if missing := unmatched(report):
        yield missing
    yield from _list_lines("Left out", [f"{left.file}: {left.reason}" for left in report.left_out], most=20)


def _list_lines(what: str, lines: Sequence[str], *, most: int) -> Iterator[str]:
    """The first lines, each after what it is, and how many more there are."""
    for line in lines[:most]:
        yield f"{what}: {line}"
    if len(lines) > most:
        yield f"{what}: {len(lines) - most:,} more (--json lists them all)"


def replaced_in_words(report: ImportReport) -> str:
    """How many outputs take the place of an earlier one, and what that means; empty where none does."""
    if not (number := report.audit.superseded):
        return ""
    return (
        f"{counted(number, 'output')} {'replaces an earlier one' if number == 1 else 'replace earlier ones'}. Pairs "
        "with the earlier outputs are removed from the results, and from the queue unless a review has begun"
    )


def unmatched(report: ImportReport) -> str:
    """The words and expectations that were decided on but occur nowhere; empty where there are none."""
    words = "; ".join(report.audit.unmatched)
    return f"Not found as written, so check the spelling: {words}" if words else ""
