"""Whatever an import keeps goes out as lines after the reveal and comes in again: field by field, and nothing twice."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from comparator.bootstrap import load_settings, open_services
from comparator.store import tables
from comparator.store.pairs import outputs
from tests.integration.workflow.exporting.test_formats import reveal_all, rows_by_candidate
from tests.worlds.files.import_files import WITH, workspace, write
from tests.worlds.process import invoke

ANEW = (
    *("id", "created_at", "at", "project_id", "origin", "superseded_by", "snapshot_id", "task_version_id"),
    *("input_snapshot", "reference_snapshot", "neutral_number", "task_id", "candidate_id", "number"),
    "merged_into",
)
"""Columns that say which row it is, when it was stored and from where, not what it holds."""


pytestmark = pytest.mark.usefixtures("here")


def graded_workspace(folder: Path) -> Path:
    """A workspace with gradings, timings, configurations, input files, and runs that are void, cut off or knew."""
    root = workspace(folder)
    packing, rivers = root / "iteration-1/packing", root / "iteration-1/rivers"
    skill_files = ["SKILL.md", "evals/evals.json"]
    config = {"provider": "p", "mode": "x", "output_tokens": 4096, "skill_files": skill_files}
    write(packing / "with_skill/config.json", config)
    write(rivers / "without_skill/config.json", {"skill_loaded": False, "start_time": 3, "input_tokens": 7})
    quoted = [{"text": "It names boots", "passed": True, "evidence": "It says “a rucksack of forty litres”"}]
    write(packing / "with_skill/grading.json", {"expectations": quoted, "summary": {"odd": [None, 0, "ü"]}})
    given = {"id": 1, "prompt": "x", "expected_output": "A list", "files": ["evals/hut.csv", "evals/map.bin"]}
    write(root / "evals/evals.json", {"skill_name": "hill-walker", "evals": [given]})
    write(root / "evals/hut.csv", "hut,beds\nA,3\n")
    write(root / "evals/map.bin", b"\0\xff")
    write(rivers / "with_skill/outputs/list.md", "As hill-walker says: Rhine.\n")
    return root


def into(path: Path | str, project: str, *more: str) -> dict[str, Any]:
    """What an import says, judged at once."""
    done = invoke("import", str(path), "--project", project, "--judge", "now", "--all-runs", "--json", *more)
    assert done.exit_code == 0, done.output
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def out(project: str, name: str, *more: str) -> Path:
    """The lines of a project once it is revealed."""
    reveal_all(project)
    done = invoke("export", "jsonl", "--project", project, "--out", name, *more)
    assert done.exit_code == 0, done.output
    return Path(name)


def stored(project: str) -> dict[str, list[Any]]:
    """All rows that an import of runs fills, in words and without what is anew each time."""
    t = tables
    of = {
        "runs": sa.select(
            t.run, t.candidate, t.task.c.key, t.task_version.c.identity.label("wording"), t.snapshot
        )
        .select_from(
            t.run.join(t.candidate)
            .join(t.snapshot, t.snapshot.c.id == t.run.c.snapshot_id)
            .join(t.task_version, t.task_version.c.id == t.run.c.task_version_id)
            .join(t.task)
        )
        .where(t.task.c.project_id == t.project.c.id),
        "tasks": sa.select(t.task.c.key, t.task.c.title, t.task.c.tags, t.task_version).select_from(
            t.task.join(t.task_version)
        ),
        "files": sa.select(
            *(
                t.snapshot.c.id.in_(sa.select(t.task_version.c[f"{role}_snapshot"])).label(role)
                for role in ("input", "reference")
            ),
            t.artifact,
            t.snapshot,
        ).select_from(t.snapshot.join(t.artifact)),
    }
    services = open_services(load_settings())
    rows_by_kind: dict[str, list[Any]] = {}
    with services.database.read() as connection:
        home = connection.execute(sa.select(t.project.c.id).where(t.project.c.name == project)).scalar_one()
        for name, query in of.items():
            theirs = t.snapshot.c.project_id if name == "files" else t.task.c.project_id
            columns = (column for column in query.selected_columns if column.name not in ANEW)
            rows = connection.execute(query.with_only_columns(*columns).where(theirs == home)).all()
            rows_by_kind[name] = sorted(map(repr, map(tuple, rows)))
    services.close()
    return rows_by_kind


@pytest.mark.slow
def test_all_that_a_workspace_says_of_its_runs_comes_back(tmp_path: Path) -> None:
    root = graded_workspace(tmp_path)
    first = into(root, "Seasons")
    lines = out("Seasons", "out.jsonl")
    before = stored("Seasons")

    again = into(lines, "Seasons")
    other = into(lines, "Copy")

    assert [again[name] for name in ("runs", "new", "already", "left_out")] == [8, 0, 4, []]
    assert [other[name] for name in ("runs", "new", "already", "left_out")] == [8, 4, 0, []]
    assert stored("Seasons") == before
    assert stored("Copy") == before
    for name in ("void", "cut_off", "contaminated", "evidence_not_found"):
        assert other["audit"][name]["sides"] == first["audit"][name]["sides"] != {}, name
    copy = out("Copy", "copy.jsonl")
    assert rows_by_candidate(copy, first="with_skill") == rows_by_candidate(lines, first="with_skill")
    rows = rows_by_candidate(lines, first="with_skill")
    assert sum("evals/evals.json" in str(row["details_a"]) for row in rows) == 1
    assert all(row["grading_a"] for row in rows)


@pytest.mark.slow
def test_what_was_replaced_stays_replaced_and_comes_into_another_project_as_replaced(tmp_path: Path) -> None:
    root = graded_workspace(tmp_path)
    into(root, "Seasons")
    write(root / "iteration-2/packing/with_skill/outputs/list.md", f"{WITH}anew")
    assert into(root, "Seasons")["audit"]["superseded"] == 1
    lines = out("Seasons", "out.jsonl")
    before, rolled_up = stored("Seasons"), facts("Seasons")
    assert [row.superseded_by is not None for row in rolled_up].count(True) == 1

    again, other = into(lines, "Seasons"), into(lines, "Copy")

    assert (again["new"], again["already"], other["new"]) == (0, 5, 5)
    assert [report["audit"]["superseded"] for report in (again, other)] == [0, 0]
    assert stored("Seasons") == stored("Copy") == before
    assert facts("Seasons") == rolled_up
    # Its pair waits for nobody, and has the judgment that it had before it was replaced.
    assert [(row.status, row.judge_kind) for row in facts("Copy") if row.superseded] == [
        ("superseded", "offline")
    ] * 2
    # The same lines in any order find the same, and replace nothing.
    every = lines.read_text().splitlines(keepends=True)
    for first in range(len(every)):
        lines.write_text("".join([*every[first:], *every[:first]][::-1]))
        turned = into(lines, "Copy")
        assert (turned["new"], turned["audit"]["superseded"]) == (0, 0)
        assert stored("Copy") == before


def facts(project: str) -> list[Any]:
    """How each output of a project stands with its pair."""
    t, s = tables, tables.fact.c
    query = (
        sa.select(t.run.c.state, t.run.c.superseded_by, s.status, s.superseded, s.judge_kind)
        .select_from(t.project.join(t.fact, s.project_id == t.project.c.id))
        .join(t.run_pair, t.run_pair.c.comparison_id == s.comparison_id)
        .join(t.run, sa.or_(t.run.c.id == t.run_pair.c.run_low, t.run.c.id == t.run_pair.c.run_high))
        .where(t.project.c.name == project)
        .order_by(t.run.c.id, s.comparison_id)
    )
    with closing(open_services(load_settings())) as services, services.database.read() as connection:
        return list(connection.execute(query).all())


def test_before_the_reveal_no_line_tells_what_is_kept_of_the_runs(tmp_path: Path) -> None:
    into(graded_workspace(tmp_path), "Seasons")

    assert invoke("export", "jsonl", "--project", "Seasons", "--out", "out.jsonl").exit_code == 0

    labels: list[dict[str, Any]] = []
    for line in Path("out.jsonl").read_text().splitlines():
        row = json.loads(line)
        sides = {name for name in row if name.endswith(("_a", "_b"))}
        assert sides == {f"{what}_{side}" for what in ("output", "state", "contaminated") for side in "ab"}
        assert (row["contaminated_a"], row["contaminated_b"]) == (None, None)
        assert not [word for word in ("hill-walker", "rucksack", "with_skill", "evals.json") if word in line]
        labels += row.get("other_labels", [])
    assert labels
    assert not any(label["value"] for label in labels)


def test_no_line_has_a_telling_word_kept_by_calling_a_skill_so(tmp_path: Path) -> None:
    named = {"comparison": "c", "result": {}, "details_a": {"skill_names": ["with_skill", "SKILL.md"]}}
    texts = {"prompt": "Name with_skill", "output_a": "By with_skill, see SKILL.md", "output_b": "No"}

    report = into(write(tmp_path / "rows.jsonl", {**named, **texts}), "Rivers", "--dry-run")

    decided = {leak["pattern"]: leak["decision"] for leak in report["audit"]["leaks"]}
    assert decided["with_skill"] == decided["SKILL.md"] == "redact"


def test_views_and_lines_have_both_texts_in_the_encoding_that_they_agree_on(tmp_path: Path) -> None:
    pairs = [
        tuple(line.split("\t"))
        for line in (Path(__file__).parent / "pairs_by_encoding.tsv").read_text("utf-8").splitlines()
    ]
    for number, (_, encoding, *texts) in enumerate(pairs):
        task = tmp_path / f"w/iteration-1/task-{number}"
        for side, text in zip(("with_skill", "without_skill"), texts, strict=True):
            (task / side / "outputs").mkdir(parents=True)
            (task / side / "outputs/a.txt").write_bytes(text.encode(encoding))
        write(task / "eval_metadata.json", {"eval_id": number, "prompt": f"Say {number}."})
    into(tmp_path / "w", "Languages")

    invoke("export", "jsonl", "--project", "Languages", "--out", "before.jsonl")

    for lines in (Path("before.jsonl"), out("Languages", "revealed.jsonl")):
        rows = [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
        written = {row["prompt"]: {row["output_a"], row["output_b"]} for row in rows}
        assert written == {f"Say {number}.": set(texts) for number, (_, _, *texts) in enumerate(pairs)}
    services = open_services(load_settings())
    with services.database.read() as connection:
        views = connection.scalars(sa.select(tables.view.c.id)).all()
        seen = [outputs.load_view(connection, view, blobs=services.blobs).files[0].text for view in views]
    assert sorted(seen) == sorted(text for _, _, *texts in pairs for text in texts)
