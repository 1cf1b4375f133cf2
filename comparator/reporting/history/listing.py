"""Comparisons as lists show them: filtered, sorted, paged, with the beginnings of outputs; names after the reveal."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import sqlalchemy as sa
from markdown_it import MarkdownIt

from comparator.domain.blinding.scan import neutralise
from comparator.domain.errors import NotFound
from comparator.domain.labels import Frozen, PerOutput
from comparator.domain.pair.view import Family, OutputView, TextBlock
from comparator.outputs.snapshot import Blobs
from comparator.reporting.history.conditions import HistoryFilter, list_filter
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.core.sql import number
from comparator.store.facts import fact
from comparator.store.facts.fact import MEASURED, Status
from comparator.store.pairs import comparison_list, runs
from comparator.store.pairs.comparison_list import ComparisonRow
from comparator.store.pairs.outputs import get_views
from comparator.store.pairs.reveals import names_within
from comparator.store.people import projects
from comparator.store.people.projects import Project
from comparator.store.reviewing.covered import still_covered


class HistoryRow(Frozen):
    """One comparison of the list."""

    line: ComparisonRow
    families: tuple[Family, ...]
    """The file families of its outputs, each once."""
    covered: bool = False
    """Whether the reader has yet to score it before seeing what the judge said."""
    made_by: PerOutput[str] | None = None
    """The candidates of A and B once they are revealed. No other candidate of the project has the same name here."""
    iteration: str | None = None
    """The iteration of the candidate that was imported last, once it may be told."""
    of_task: tuple[int, int] | None = None
    """Its number among all pairs of its task, by the time they were created, and how many these are; None for the
    only one."""

    @property
    def is_result(self) -> bool:
        """Whether there is a winner, the candidates may be told, and no review of it is open."""
        is_open = self.made_by is not None and not self.covered
        return is_open and self.line.winner is not None and self.line.status is not Status.DRAFT


class HistoryPage(Frozen):
    """A part of the list; `total` counts all that fit the filter."""

    rows: tuple[HistoryRow, ...]
    total: int


class QueueCounts(Frozen):
    """How much waits for whom."""

    to_judge: int
    judging: int
    to_review: int
    drafts: int
    done: int
    failed: int
    void: int
    """Pairs with an unusable output that are put to nobody unasked."""
    revealed: int
    """Pairs to review whose set is revealed: a review begun now would not be blind, so nobody is asked for one."""
    measured: int
    """Pairs that a judge read only to be measured: their verdicts are kept apart."""
    superseded: int
    """Pairs that wait for nobody: a later import replaced one of their runs."""


def history(
    database: Database,
    filter: HistoryFilter,  # noqa: A002  # the field's word
    *,
    limit: int = 50,
    offset: int = 0,
) -> HistoryPage:
    """A part of the list of comparisons."""
    with database.read() as connection:
        page = comparison_list.page(
            connection,
            list_filter(connection, filter),
            order=filter.order,
            group=filter.group,
            limit=limit,
            offset=offset,
        )
        ids = tuple(line.id for line in page.lines)
        families = _families(connection, ids)
        hidden = still_covered(connection, ids, filter.reader) if filter.reader is not None else frozenset()
        names = _made_by(connection, page.lines)
        numbered = _numbered(connection, page.lines)
    return HistoryPage(
        rows=tuple(
            HistoryRow(
                line=line,
                families=families.get(line.id, ()),
                covered=line.id in hidden,
                made_by=names[line.id].names,
                iteration=names[line.id].iteration,
                of_task=numbered.get(line.id),
            )
            for line in page.lines
        ),
        total=page.total,
    )


def found_ids(database: Database, filter: HistoryFilter) -> tuple[str, ...]:  # noqa: A002  # the field's word
    """The ids of all comparisons that fit, in the filter's order."""
    with database.read() as connection:
        return comparison_list.ids(connection, list_filter(connection, filter), order=filter.order)


def counts(database: Database, *, project_id: str | None = None) -> QueueCounts:
    """How many comparisons wait for judging, for review, and are done."""
    with database.read() as connection:
        by_status = comparison_list.counts(connection, project_id=project_id)
        here = sa.true() if project_id is None else tables.fact.c.project_id == project_id
        measured = number(connection, tables.fact, MEASURED, here)
    return QueueCounts(
        to_judge=by_status[Status.TO_JUDGE] - measured,
        judging=by_status[Status.JUDGING],
        to_review=by_status[Status.TO_REVIEW],
        drafts=by_status[Status.DRAFT],
        done=by_status[Status.FINALISED],
        failed=by_status[Status.FAILED],
        void=by_status[Status.VOID],
        revealed=by_status[Status.NOT_REVIEWED],
        measured=measured,
        superseded=by_status[Status.SUPERSEDED],
    )


def number_of_comparisons(database: Database, *, project_id: str) -> int:
    """How many comparisons the project has, whatever their status; read from sums, so that none are counted."""
    with database.read() as connection:
        return sum(row.number for row in fact.counted(connection, [project_id]))


def all_projects(database: Database) -> tuple[Project, ...]:
    """All projects by name."""
    with database.read() as connection:
        return projects.all_projects(connection)


def _families(connection: Connection, comparison_ids: tuple[str, ...]) -> dict[str, tuple[Family, ...]]:
    comparison, view_file = tables.comparison.c, tables.view_file.c
    query = (
        sa.select(comparison.id, view_file.family)
        .join(
            tables.view_file,
            sa.or_(view_file.view_id == comparison.view_a, view_file.view_id == comparison.view_b),
        )
        .where(comparison.id.in_(comparison_ids))
        .distinct()
    )
    families: dict[str, set[Family]] = {}
    for row in connection.execute(query):
        families.setdefault(row.id, set()).add(Family(row.family))
    return {id: tuple(family for family in Family if family in present) for id, present in families.items()}


def _numbered(connection: Connection, lines: tuple[ComparisonRow, ...]) -> dict[str, tuple[int, int]]:
    """For each pair that is not its task's only one, what `HistoryRow.of_task` says."""
    comparison, task_version = tables.comparison.c, tables.task_version.c
    every = (
        sa.select(
            comparison.id,
            sa.func.row_number()
            .over(partition_by=task_version.task_id, order_by=(comparison.created_at, comparison.id))
            .label("number"),
            sa.func.count().over(partition_by=task_version.task_id).label("many"),
        )
        .join_from(tables.comparison, tables.task_version, task_version.id == comparison.task_version_id)
        .where(task_version.task_id.in_({line.task_id for line in lines}))
        .subquery()
    )
    query = sa.select(every).where(every.c.id.in_([line.id for line in lines]), every.c.many > 1)
    return {row.id: (row.number, row.many) for row in connection.execute(query)}


class _Made(NamedTuple):
    names: PerOutput[str] | None
    iteration: str | None


def _made_by(connection: Connection, lines: tuple[ComparisonRow, ...]) -> dict[str, _Made]:
    """By comparison the names of its candidates once it is revealed; else its key is not read."""
    ab_key, comparison, run, candidate = (
        tables.ab_key.c,
        tables.comparison.c,
        tables.run.c,
        tables.candidate.c,
    )
    revealed = (
        sa.select(ab_key.comparison_id, ab_key.run_a, ab_key.run_b)
        .join_from(tables.ab_key, tables.comparison, comparison.id == ab_key.comparison_id)
        .where(comparison.id.in_([line.id for line in lines]), comparison.reveal_id.is_not(None))
    )
    keys = {key.comparison_id: key for key in connection.execute(revealed)}
    query = sa.select(run.id, run.candidate_id, candidate.iteration, candidate.created_at).join_from(
        tables.run, tables.candidate, candidate.id == run.candidate_id
    )
    runs = {id for key in keys.values() for id in (key.run_a, key.run_b)}
    by_run = {row.id: row for row in connection.execute(query.where(run.id.in_(runs)))}
    called = names_within(connection, *{line.project_id for line in lines if line.id in keys}) if keys else {}

    def of_key(key: Any) -> _Made:
        a, b = by_run[key.run_a], by_run[key.run_b]
        newest = max(a, b, key=lambda row: (row.created_at, row.candidate_id))
        return _Made(PerOutput[str](A=called[a.candidate_id], B=called[b.candidate_id]), newest.iteration)

    return {line.id: of_key(keys[line.id]) if line.id in keys else _Made(None, None) for line in lines}


def neutral_rows(database: Database, rows: Sequence[HistoryRow]) -> tuple[HistoryRow, ...]:
    """The rows with neutral words where an unrevealed pair's title, tags or project name a candidate of its project."""
    closed = {row.line.project_id for row in rows if row.made_by is None}
    with database.read() as connection:
        names = {project: _names(connection, project) for project in closed}
    return tuple(
        row if row.made_by is not None else _neutral(row, names[row.line.project_id]) for row in rows
    )


def neutral_name(database: Database, project_id: str, name: str) -> str:
    """The name of a project without the names of its candidates."""
    with database.read() as connection:
        names = _names(connection, project_id)
    return neutralise((name,), names=names)[0]


def numbers(database: Database, project_id: str) -> tuple[tuple[int, str], ...]:
    """Each candidate's neutral number with its name, for whoever leads the project; says nothing of A and B."""
    with database.read() as connection:
        return tuple(
            (one.neutral_number, f"{one.name}, {one.iteration}" if one.iteration else one.name)
            for one in runs.candidates(connection, project_id)
            if one.merged_into is None
        )


def _names(connection: Connection, project_id: str) -> tuple[str, ...]:
    return tuple(candidate.name for candidate in runs.candidates(connection, project_id))


def _neutral(row: HistoryRow, names: tuple[str, ...]) -> HistoryRow:
    line = row.line
    title, project_name, *tags = neutralise((line.title, line.project_name, *line.tags), names=names)
    changed = {"title": title, "project_name": project_name, "tags": tuple(tags)}
    return row.copy_with(line=line.model_copy(update=changed))


BEGINNING = 240
"""Characters of an output that are shown."""
READ = 10 * BEGINNING
"""Characters of an output in which its beginning is looked for."""
_MARKDOWN = MarkdownIt("commonmark", {"maxNesting": 20}).enable("table")
_WORDS = ("text", "code_inline", "code_block", "fence")
_TAGS = re.compile(
    r"<(style|script)\b.*?(?:</\1>|\Z)|<!--.*?(?:-->|\Z)|<[^>]*(?:>|\Z)", re.DOTALL | re.IGNORECASE
)
"""What a page has beside its words: enough for a glance, and no parser of foreign markup. What never ends, ends with
the text, so that each character is read once."""
_SENTENCE = re.compile(r"(?<=[.!?:]) | (?=[A-ZÀ-Þ])")
"""Where a sentence ends, or a line, as the next one begins with a capital: line breaks are spaces here."""
_NUMBER = re.compile(r"\d+")
_PLACES = re.compile(r"^(\[(page|cell) [^\]\n]*\]|## Sheet: .*)$", re.MULTILINE)
"""Lines that only say where in a file the words after them stand."""
_MARKS = {
    Family.JSON: re.compile(r'[{}\[\]"]'),
    Family.XLSX: re.compile(r"^\| *\|.*|^\| *\d+ *\||[|#*]|-{3,}", re.MULTILINE),
}


def output_starts(
    database: Database, blobs: Blobs, comparison_ids: Sequence[str]
) -> dict[str, PerOutput[str]]:
    """By comparison the first words of A and B that are not the same, blinded; empty where an output has no text or is
    gone."""
    comparison = tables.comparison.c
    query = sa.select(comparison.id, comparison.view_a, comparison.view_b)
    with database.read() as connection:
        rows = connection.execute(query.where(comparison.id.in_(comparison_ids))).all()
        stored = get_views(connection, [view for row in rows for view in (row.view_a, row.view_b) if view])

    def start(view_id: str | None) -> str:
        content = stored[view_id].content if view_id in stored else None
        return _start(blobs.get, content) if content else ""

    return {row.id: _from_where_they_differ(start(row.view_a), start(row.view_b)) for row in rows}


def _from_where_they_differ(a: str, b: str) -> PerOutput[str]:
    """Both from the first sentence in which they differ by more than numbers; whole where there is none."""
    forms = zip(*(_SENTENCE.split(_NUMBER.sub("0", text)) for text in (a, b)), strict=False)
    at = next((at for at, (one, two) in enumerate(forms) if one != two), 0)
    a, b = (_cut(" ".join(_SENTENCE.split(text)[at:])) for text in (a, b))
    return PerOutput[str](A=a, B=b)


def _cut(words: str) -> str:
    if len(words) <= BEGINNING:
        return words
    return f"{words[:BEGINNING].rpartition(' ')[0] or words[:BEGINNING]}…"


# A view never changes.
@lru_cache(maxsize=4096)
def _start(read: Callable[[str], bytes], content: str) -> str:
    try:
        view = OutputView.model_validate_json(read(content))
    except NotFound:
        return ""
    words = ""
    for file in view.files:
        for block in file.blocks:
            if isinstance(block, TextBlock) and len(words) < READ:
                words = " ".join([words, *plain_words(block.text, file.family)[:READ].split()]).strip()
    return words[:READ]


def plain_words(text: str, family: Family) -> str:
    """The words of a text, without what marks them up or says where they stand."""
    if family in (Family.HTML, Family.SVG):
        return _TAGS.sub(" ", text[: 50 * READ])
    text = _PLACES.sub(" ", text[: 2 * READ])
    if family is Family.MARKDOWN:
        tokens = _MARKDOWN.parse(text)
        leaves = (leaf for token in tokens for leaf in token.children or (token,))
        return " ".join(leaf.content for leaf in leaves if leaf.type in _WORDS)
    return _MARKS[family].sub("", text) if family in _MARKS else text
