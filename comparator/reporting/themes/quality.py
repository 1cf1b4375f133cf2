"""How far an assignment of findings to themes can be trusted: against people, and against a second assignment."""

from __future__ import annotations

from comparator.domain.labels import Frozen
from comparator.domain.themes import TO_LABEL, Decisions
from comparator.stats.figures import Estimate, TooFew, Undefined
from comparator.stats.paired import Sums
from comparator.stats.raters.two_raters import weighted_kappa
from comparator.store.core.database import Database
from comparator.store.themes import codebooks, inquiries, theme_pairs
from comparator.store.themes.inquiries import Inquiry

ENOUGH = 0.6
"""Cohen's kappa from which on it does."""


class ThemeAgreement(Frozen):
    """Two say which themes findings belong to: Cohen's kappa over all decisions "this finding, this theme"."""

    findings: int
    kappa: Estimate | TooFew | Undefined


class Quality(Frozen):
    """What is known of the assignment that counts, and of a newer one that is not done."""

    assignment: Inquiry
    unfinished: Inquiry | None
    """The newest assignment where it is not done: it failed, was interrupted, or is under way."""
    waiting: int
    """Its findings that are not assigned yet."""
    people: ThemeAgreement
    """Between the assignment and people's labels."""
    labelled: int
    """Findings that at least one person has labelled."""
    second: ThemeAgreement | None
    """Between the two newest assignments of the same codebook; None before there are two."""
    uncovered: float
    """The share of all its findings that belong to none of the themes, 0 to 1."""
    outdated: bool
    """Whether a codebook was drafted after it."""

    @property
    def verified(self) -> bool:
        """Whether people have checked it, and it holds."""
        kappa = self.people.kappa
        return self.labelled >= TO_LABEL and isinstance(kappa, Estimate) and kappa.value >= ENOUGH


def quality(database: Database, project_id: str) -> Quality | None:
    """What is known of the newest assignment; None before there is one."""
    with database.read() as connection:
        assignment = theme_pairs.assignment(connection, project_id)
        if assignment is None:
            return None
        book, labels = codebooks.codebook(connection, project_id), codebooks.labels(connection, project_id)
        checked = inquiries.marks(connection, assignment.id, findings=list(labels))
        none = theme_pairs.share_of_none(connection, project_id)
        unfinished = theme_pairs.unfinished(connection, project_id)
        waiting = inquiries.number(connection, unfinished.id, waiting=True) if unfinished else 0
    by_people = [
        (book.all_now(checked[finding]), frozenset(filter(None, map(book.now, themes))))
        for finding, by_person in labels.items()
        if finding in checked
        for themes in by_person.values()
    ]
    return Quality(
        assignment=assignment,
        unfinished=unfinished,
        waiting=waiting,
        people=agreement(Decisions.of(book, by_people), themes=len(book.themes)),
        labelled=len(labels.keys() & checked.keys()),
        second=agreement(Decisions.model_validate(assignment.answer), themes=len(book.themes))
        if assignment.answer
        else None,
        uncovered=none,
        outdated=assignment.drafted != book.drafted,
    )


def agreement(decisions: Decisions, *, themes: int) -> ThemeAgreement:
    """How far two agree over this many themes; decisions about one finding count as alike."""
    if not decisions.findings or not themes:
        return ThemeAgreement(findings=decisions.findings, kappa=TooFew(n=decisions.findings))
    number = decisions.findings
    alike = Sums(
        tasks=number,
        n=number * themes,
        total=sum(total * times for total, times in decisions.differences),
        squares=sum(total**2 * times for total, times in decisions.differences),
        products=sum(total * times for total, times in decisions.differences) * themes,
        sizes=number * themes**2,
    )
    return ThemeAgreement(findings=number, kappa=weighted_kappa(decisions.cells, alike=alike))
