"""Plain tables of pairs: CSV, JSON lines and Parquet with prompt, output_a and output_b; columns may be mapped."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from comparator.domain.pair.chat import NAME
from comparator.interop.imported import Findings, Format, FoundLabel, LabelSource, LeftOut, Side
from comparator.interop.read.columns import (
    COLUMNS,
    MORE_COLUMNS,
    RUN_COLUMNS,
    RUN_NUMBERS,
    csv_header,
    csv_rows,
    is_chosen,
    lacking,
    resolved,
)
from comparator.interop.read.own_lines import history_in, is_ours, require_room, run_details, skill_names_in
from comparator.interop.read.parquet_rows import parquet_columns, parquet_rows
from comparator.interop.read.preferences.chat import prompt_and_outputs
from comparator.interop.read.preferences.known_sets import (
    HAS_WORDS,
    NONE,
    WORDS,
    KnownSet,
    as_plain,
    known_set,
)
from comparator.interop.read.preferences.mt_bench import MtBench
from comparator.interop.read.rows import UNNAMED, PairsOfRows, RowTask
from comparator.interop.read.skill_creator.files import texts_of, unread
from comparator.interop.read.text import (
    ReadRow,
    UnreadableImport,
    count_in,
    kind_of,
    number_in,
    parse_json,
    read_text,
    rows_of,
    text_in,
)
from comparator.interop.read.unpacking import is_parquet
from comparator.interop.read.whole_files import files_in, large_files_folder

_ATTACHED = ("transcript", "skill")
_FILES = (
    *("files_a", "files_b", "input_files", "reference_files"),
    *(f"{name}_files_{side}" for name in _ATTACHED for side in "ab"),
)
_OURS_ALONE = ("comparison", "other_labels", "grading_a", "grading_b")
"""What only our own lines hold, under these names; and files."""
_SIDES = {"a": Side.FIRST, "b": Side.SECOND, "tie": Side.TIE}
_BARE_NUMBERS = (
    "labels that are bare numbers came in as none: say what they mean, such as "
    '--label-values "1=B,0=tie,-1=A" on the command line, or under Labels on the page Import'
)
_WITHOUT_LABEL = "the pair comes in without this label"
TABLES = (Format.CSV, Format.JSONL, Format.PARQUET)
_REPETITION = re.compile(r"[1-9]\d{0,14}(?:\.0)?", re.ASCII)
"""Some count by the time of day; a Parquet file may hold it as a number with a point, which is exact up to here."""
_TURNED = {Side.FIRST: Side.SECOND, Side.SECOND: Side.FIRST}
_LOOKED_AT = 20


class Naming(NamedTuple):
    """What is said of a table beforehand: which column is which, and what the values of its label mean."""

    columns: Mapping[str, str] = {}
    label_values: Mapping[str, str] = {}


def read_table(path: Path, kind: Format, naming: Naming) -> Findings:
    """Pairs of a table, or of a published set, whose format the findings then name.

    Raises Unreadable where it is damaged, has no rows, lacks columns, or is not the set that `kind` says.
    """
    notes: list[str] = []
    if is_parquet(path) or kind is Format.PARQUET:
        rows = parquet_rows(path)
    elif kind is Format.CSV:
        rows = csv_rows(read_text(path))
    else:
        rows = rows_of(read_text(path), note=notes.append)
    found = _pairs(path, kind, list(rows), naming)
    of_file = tuple(LeftOut(file=str(path), reason=reason) for reason in notes)
    return found.model_copy(update={"left_out": (*of_file, *found.left_out)})


def column_names(path: Path, format: Format) -> tuple[str, ...]:  # noqa: A002  # what it is
    """The columns that a table has. Raises Unreadable."""
    if is_parquet(path):
        return parquet_columns(path)
    text = read_text(path)
    if format is Format.CSV:
        return csv_header(text)
    rows = islice((row.value for row in rows_of(text) if row.value is not None), _LOOKED_AT)
    return tuple(dict.fromkeys(name for row in rows for name in row))


def _pairs(path: Path, kind: Format, given: list[ReadRow], naming: Naming) -> Findings:
    columns = naming.columns
    mappable = (*COLUMNS, *MORE_COLUMNS)
    unknown = sorted(set(columns) - set(mappable))
    if unknown:
        raise UnreadableImport(f"there is no column {unknown[0]} to map; there are {', '.join(mappable)}")
    if not given:
        raise UnreadableImport("it has no rows")
    seen = tuple(dict.fromkeys(name for row in given if row.value is not None for name in row.value))
    known = _known(row.value for row in given if row.value is not None)
    # Whoever says which columns are prompt and outputs, or where another label stands, means a table.
    if known is not None and (
        {"prompt", "output_a", "output_b"} & set(columns) or columns.get("label", known.label) != known.label
    ):
        known = None
    if seen and kind not in TABLES and (known is None or known.format is not kind):
        raise UnreadableImport(f"it lacks the columns of {kind.value}; its columns are {_some(seen)}")
    texts = MtBench(path) if known is not None and known.format is Format.MT_BENCH else None
    found = resolved(columns, seen)
    absent = () if known else lacking(found, seen)
    if absent and any(row.value is not None for row in given):
        raise UnreadableImport(
            f"it has no column {found.get(absent[0], absent[0])}; there are {_some(seen)}. Say which one it is: "
            f"--column {absent[0]}=NAME on the command line, or under Columns on the page Import"
        )
    pairs = PairsOfRows(path, format=kind if known is None or known.format in TABLES else known.format)
    # Objects in one file may write their names differently.
    heads = lru_cache(maxsize=256)(lambda names: resolved(columns, names))
    large_files = large_files_folder(path.absolute()) if kind is Format.JSONL else None
    numbers = 0

    def take(row: dict[str, Any]) -> None:
        if known is None:
            take_plain(row)
            return
        for each in texts.rows(row) if texts else known.rows(row):
            told = {ours: each.get(theirs) for ours, theirs in columns.items() if ours != "label"}
            take_plain(as_plain(each, known, naming.label_values, path) | told)

    def take_plain(row: dict[str, Any]) -> None:
        nonlocal numbers
        named = {name: name for name in row} if known else heads(tuple(row))
        fields = {name: row.get(name) for name in _OURS_ALONE}
        fields |= {name: files_in(row, name, large_files=large_files) for name in _FILES}
        fields |= {name: row.get(named[name]) if name in named else None for name in mappable}
        if is_chosen(named) and fields["label"] is None:
            fields["label"] = "A"
        if naming.label_values and fields["label"] is not None:
            fields["label"] = naming.label_values.get(_word(fields["label"]), fields["label"])
        is_number = _is_number(fields["label"])
        if is_number:
            fields["label"] = None
        records: list[dict[str, Any]] = [{}, {}]
        fields["history"] = None
        if is_ours(row):
            try:
                fields["history"] = history_in(row)
            except UnreadableImport as error:
                pairs.note(f"{error}; the pair comes in without it")
            records = [run_details(row, side, note=pairs.note) for side in "ab"]
            pairs.skills(skill_names_in(row, note=pairs.note))
        _take(fields, pairs, records)
        if problem := row.get("label_problem") if known else "":
            pairs.note(f"{problem}; {_WITHOUT_LABEL}")
        numbers += is_number

    pairs.read(given, take)
    if numbers:
        pairs.note_of_file(_BARE_NUMBERS)
    everything = pairs.found()
    return everything.model_copy(
        update={"left_out": (*(texts.left_out if texts else ()), *everything.left_out)}
    )


def _known(rows: Iterable[dict[str, Any]]) -> KnownSet | None:
    """The set of the first row that is one of a known set or has our own columns."""
    for row in rows:
        known = known_set(row)
        if known is not None or not lacking(resolved({}, tuple(row)), row):
            return known
    return None


def _some(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)[:12])


def _word(value: Any) -> str:
    text = str(value).strip().lower()
    return text.removesuffix(".0")


def _is_number(value: Any) -> bool:
    return value is not None and re.fullmatch(r"[-+]?\d+(?:\.\d+)?", _word(value)) is not None


def _take(row: dict[str, Any], pairs: PairsOfRows, records: Sequence[dict[str, Any]]) -> None:
    """Add a row; `records` are what a line of ours tells of each run besides."""
    prompt, outputs, chats = prompt_and_outputs(row)
    more: dict[str, Any] = {
        "title": _plain(row, "title"),
        "expectations": _list(row["expectations"], "expectations"),
        "tags": _list(row["tags"], "tags"),
        "reference": text_in(row, "reference", required=False),
        "input_files": row["input_files"],
        "reference_files": row["reference_files"],
    }
    task = RowTask(prompt, key=_plain(row, "task_id"), version=_plain(row, "task_version"))
    candidates = [
        _plain(row, "candidate_a") or UNNAMED[0],
        _plain(row, "candidate_b") or UNNAMED[1],
    ]
    runs = [
        record | ({"text_name": NAME} if chat else {}) | _of_run(row, side)
        for record, chat, side in zip(records, chats, "ab", strict=True)
    ]
    first, second = (
        pairs.run(task, candidate=name, output=output, **more, **run)
        for name, output, run in zip(candidates, outputs, runs, strict=True)
    )
    blinded = not (row["candidate_a"] or row["candidate_b"])
    pairs.pair(
        first,
        second,
        comparison=_comparison(row) if blinded else "",
        history=None if blinded else row["history"],
    )
    _take_others(row, pairs, first, second)
    try:
        _take_label(row, pairs, first, second)
    except UnreadableImport as error:
        pairs.note(f"{error}; {_WITHOUT_LABEL}")


def _take_label(row: dict[str, Any], pairs: PairsOfRows, first: str, second: str) -> None:
    """The row's own label. Raises Unreadable."""
    winner = _winner(_plain(row, "label"))
    if winner is None:
        return
    blind = _plain(row, "label_blind").lower()
    pairs.label(
        FoundLabel(
            first=first,
            second=second,
            winner=winner,
            kind=_kind(row),
            author=_plain(row, "label_author") or "label of the table",
            blind=blind in ("true", "1", "yes") if blind else None,
            comparison=_comparison(row),
        )
    )


def _comparison(row: dict[str, Any]) -> str:
    """The id of the comparison of ours that a line tells of; empty for anybody else's."""
    return row["comparison"] if isinstance(row["comparison"], str) else ""


def _take_others(row: dict[str, Any], pairs: PairsOfRows, first: str, second: str) -> None:
    """The labels that came with the comparison when it was imported; one that cannot be used is told."""
    given = row["other_labels"]
    for each in given if isinstance(given, list) else ():
        try:
            if not isinstance(each, dict):
                raise UnreadableImport(f"it is {kind_of(each)}, not an object")
            about = {name: each.get(name) for name in ("winner", "author", "kind")}
            winner = _winner(_plain(about, "winner"))
            kind = _kind({"label_kind": about["kind"], "label_author": about["author"]})
            author = _plain(about, "author") or "label of the table"
            require_room(each.get("value"), "value")
        except UnreadableImport as error:
            pairs.note(f"one of its other_labels: {error}")
            continue
        if kind is LabelSource.GRADER and (row["grading_a"] or row["grading_b"]):
            # It is derived from what was graded, which the line holds itself.
            continue
        blind, value = each.get("blind"), each.get("value")
        sides = (first, second)
        if isinstance(value, dict) and value.get("first") == "B":
            # What the label came from had the other output first.
            sides = (second, first)
            winner = _TURNED.get(winner, winner) if winner else None
        pairs.label(
            FoundLabel(
                first=sides[0],
                second=sides[1],
                winner=winner,
                kind=kind,
                author=author,
                value=value,
                blind=blind if isinstance(blind, bool) else None,
            )
        )


def _of_run(row: dict[str, Any], side: str) -> dict[str, Any]:
    """What a row tells of one run. Raises Unreadable."""
    words = {name: _plain(row, f"{name}_{side}") or None for name in RUN_COLUMNS}
    times, file, void = words.pop("repetition"), words.pop("file"), words.pop("void")
    seconds = number_in(row, f"seconds_{side}")
    numbers: dict[str, Any] = {name: count_in(row, f"{name}_{side}") for name in RUN_NUMBERS[:3]}
    numbers |= {"seconds": seconds if seconds is not None and seconds >= 0 else None}
    if times is not None and not _REPETITION.fullmatch(times):
        raise UnreadableImport(f"its repetition_{side} is {times[:40]}, not a number from 1")
    also = {
        "workspace": words.pop("workspace"),
        "text_name": file,
        "void": void,
        "repetition": int(float(times)) if times else None,
    }
    known = {name: value for name, value in also.items() if value}
    attached = {name: row[f"{name}_files_{side}"] for name in _ATTACHED}
    return words | numbers | known | attached | {"files": row[f"files_{side}"]}


def _plain(row: dict[str, Any], name: str) -> str:
    """A word or number as text; empty where there is none. Raises Unreadable for anything else."""
    value = row[name]
    if value is None or value != value:
        return ""
    if not isinstance(value, (str, int, float)):
        raise UnreadableImport(f"its {name} is {kind_of(value)}, not text")
    return str(value).strip()


def _list(value: Any, name: str) -> tuple[str, ...]:
    """A list, a JSON list, or one entry a line; an entry may be an object with its wording, as `{"text": …}`."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = parse_json(value)
        except UnreadableImport:
            value = value.splitlines()
    if value is None:
        return ()
    if isinstance(value, str):
        value = value.splitlines()
    if isinstance(value, list) and value and all(isinstance(entry, dict) for entry in value):
        if any(unread({"expectations": value})):
            raise UnreadableImport(f"its {name} have an entry without a text")
        return texts_of({"expectations": value})
    if not isinstance(value, list) or not all(isinstance(entry, (str, int, float)) for entry in value):
        raise UnreadableImport(
            f"its {name} are neither a list nor lines of text: {json.dumps(value, default=str)[:80]}"
        )
    return tuple(text for entry in value if (text := str(entry).strip()))


def _kind(row: dict[str, Any]) -> LabelSource:
    """Whose label it is: as the row says, else a person's where it names an author."""
    text = _plain(row, "label_kind").lower()
    if not text:
        return LabelSource.HUMAN if _plain(row, "label_author") else LabelSource.GOLD
    try:
        return LabelSource(text)
    except ValueError as error:
        raise UnreadableImport(f"its label_kind {text[:40]!r} is none of {', '.join(LabelSource)}") from error


def _winner(text: str) -> Side | None:
    label = text.lower()
    if label in NONE:
        return None
    if label in WORDS:
        return _SIDES[WORDS[label].lower()]
    raise UnreadableImport(f"its label {label[:40]!r} is none of {HAS_WORDS}")
