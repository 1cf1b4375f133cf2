"""The examples on disk are complete, reproducible, blind, and differ in the way that their README says."""

import csv
import json
import math
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pypdfium2
import pytest

EXAMPLES = Path(__file__).parents[4] / "examples"
TASKS = sorted(EXAMPLES.glob("*/task.json"))
SIDES = ("a", "b")
FIELDS = {
    "key", "title", "prompt", "expectations", "tags", "inputs", "reference", "candidates", "outputs",
}  # fmt: skip
KILOBYTE = 1000

each_task = pytest.mark.parametrize("task_file", TASKS, ids=lambda path: path.parent.name)


def task_of(task_file: Path) -> dict[str, Any]:
    task: dict[str, Any] = json.loads(task_file.read_text(encoding="utf-8"))
    return task


def files_in(folder: Path) -> list[Path]:
    """All files below a folder, except what Python leaves behind when someone runs the code example there."""
    return sorted(p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts)


def names_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in files_in(folder)}


def texts_to_search(path: Path) -> Iterator[str]:
    """The path and all bytes of a file, those inside a zipped document included."""
    yield path.relative_to(EXAMPLES).as_posix()
    yield path.read_bytes().decode("latin-1")
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                yield name
                yield archive.read(name).decode("latin-1")


def pdf_text(path: Path) -> str:
    with pypdfium2.PdfDocument(path) as document:
        document.init_forms()
        page = document[0]
        page.flatten()
        text: str = document[0].get_textpage().get_text_range()
        return text


# Every task ------------------------------------------------------------------------------------------------------


def test_there_are_six_examples_and_the_readme_lists_each() -> None:
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")

    listed = re.findall(r"^\| \[([a-z-]+)\]\(\1\) \|", readme, flags=re.MULTILINE)

    assert len(TASKS) == 6
    assert sorted(listed) == [task_file.parent.name for task_file in TASKS]


@each_task
def test_a_task_is_complete(task_file: Path) -> None:
    task = task_of(task_file)

    assert set(task) == FIELDS
    assert task["key"] == task_file.parent.name
    assert task["title"].strip()
    assert len(task["prompt"]) > 100
    assert 3 <= len(task["expectations"]) <= 6
    assert len(set(task["expectations"])) == len(task["expectations"])
    assert task["tags"]
    assert set(task["candidates"]) == set(task["outputs"]) == set(SIDES)
    assert task["candidates"]["a"] != task["candidates"]["b"]


@each_task
def test_a_task_names_every_file_that_lies_in_its_folder(task_file: Path) -> None:
    folder, task = task_file.parent, task_of(task_file)

    named = {folder / path for path in task["inputs"]}
    if task["reference"] is not None:
        named.add(folder / task["reference"])
    outputs = {side: files_in(folder / task["outputs"][side]) for side in SIDES}

    assert all(path.is_file() and path.is_relative_to(folder) for path in named)
    assert all(outputs.values())
    judgment = [path for path in (folder / "judgment.json",) if path.is_file()]
    assert set(files_in(folder)) == {task_file, *judgment, *named, *outputs["a"], *outputs["b"]}


@each_task
def test_the_files_of_an_example_are_small_and_not_empty(task_file: Path) -> None:
    sizes = {path.name: path.stat().st_size for path in files_in(task_file.parent)}

    assert all(0 < size < 60 * KILOBYTE for size in sizes.values()), sizes


@each_task
def test_the_two_outputs_of_an_example_differ(task_file: Path) -> None:
    a, b = (
        {path.read_bytes() for path in files_in(task_file.parent / side)} for side in SIDES
    )  # fmt: skip

    assert a - b
    assert b - a


@each_task
def test_nothing_that_a_reviewer_sees_names_a_candidate(task_file: Path) -> None:
    task = task_of(task_file)
    words = {word for name in task["candidates"].values() for word in (name, *name.split("-"))}

    shown = [
        text for path in files_in(task_file.parent) if path != task_file for text in texts_to_search(path)
    ]
    shown += [task["key"], task["title"], task["prompt"], *task["expectations"], *task["tags"]]

    assert {word for word in words for text in shown if word in text.casefold()} == set()


def test_no_side_belongs_to_one_candidate() -> None:
    on_side_a = [task_of(task_file)["candidates"]["a"] for task_file in TASKS]

    assert {name: on_side_a.count(name) for name in set(on_side_a)} == {
        "concise-prompt": 3,
        "detailed-prompt": 3,
    }


# The generated files ---------------------------------------------------------------------------------------------


def test_generating_the_binary_files_again_gives_the_same_bytes(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}

    subprocess.run(
        [sys.executable, str(EXAMPLES / "make_binaries.py"), str(tmp_path)], check=True, env=environment
    )

    committed = {name for name in names_in(EXAMPLES) if name.endswith((".pdf", ".xlsx"))}
    assert names_in(tmp_path) == committed
    assert len(committed) == 5
    for name in committed:
        assert (tmp_path / name).read_bytes() == (EXAMPLES / name).read_bytes(), name


@pytest.mark.parametrize("side", SIDES)
def test_the_stored_values_of_a_workbook_are_what_its_formulas_give(side: str) -> None:
    path = EXAMPLES / "workshop-budget" / side / "budget.xlsx"
    formulas, stored = openpyxl.load_workbook(path), openpyxl.load_workbook(path, data_only=True)

    def value(sheet: str, cell: str) -> Any:
        content = formulas[sheet][cell].value
        return calculated(sheet, content) if isinstance(content, str) and content[0] == "=" else content

    def calculated(sheet: str, formula: str) -> float:
        def operand(match: re.Match[str]) -> str:
            there, first, last = match["sheet"] or sheet, match["first"], match["last"]
            if last is None:
                return repr(value(there, first.replace("$", "")))
            return repr(
                [value(there, cell.coordinate) for row in formulas[there][f"{first}:{last}"] for cell in row]
            )

        reference = r"(?:(?P<sheet>\w+)!)?(?P<first>\$?[A-Z]\$?\d+)(?::(?P<last>\$?[A-Z]\$?\d+))?"
        functions = {"SUM": sum, "ROUNDUP": lambda number, digits: math.ceil(number)}
        return float(eval(re.sub(reference, operand, formula[1:]), {"__builtins__": {}}, functions))

    cells = [
        (sheet.title, cell.coordinate)
        for sheet in formulas
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    ]

    assert len(cells) >= 10
    for sheet, cell in cells:
        assert stored[sheet][cell].value == pytest.approx(value(sheet, cell)), (sheet, cell)


def test_only_one_budget_follows_its_assumptions_and_reaches_the_right_result() -> None:
    folder = EXAMPLES / "workshop-budget"
    results, from_assumptions, formats = {}, {}, {}
    for side in SIDES:
        formulas = openpyxl.load_workbook(folder / side / "budget.xlsx")
        stored = openpyxl.load_workbook(folder / side / "budget.xlsx", data_only=True)
        results[side] = [
            row[1].value for row in stored["Summary"].iter_rows() if str(row[0].value).startswith("Result")
        ]
        from_assumptions[side] = any(
            "Assumptions!" in str(cell.value) for row in formulas["Workshops"].iter_rows() for cell in row
        )
        formats[side] = formulas["Workshops"]["C4"].number_format

    assert results == {"a": [402], "b": [162]}
    assert from_assumptions == {"a": False, "b": True}
    assert formats == {"a": "#,##0.00", "b": "General"}


@pytest.mark.parametrize(
    ("side", "date", "other_date"), [("a", "04/03/2027", "03/04/2027"), ("b", "03/04/2027", "04/03/2027")]
)
def test_a_filled_form_shows_its_date_its_times_and_three_ticks(
    side: str, date: str, other_date: str
) -> None:
    text = pdf_text(EXAMPLES / "booking-form" / side / "booking-form.pdf")

    assert date in text
    assert other_date not in text
    assert "18:30 21:00" in text
    assert len(re.findall(r"\bX\b", text)) == 3


def test_the_blank_form_has_the_labels_and_no_entries() -> None:
    text = pdf_text(EXAMPLES / "booking-form" / "inputs" / "blank-form.pdf")

    assert "Notes for the house" in text
    assert "18:30" not in text
    assert not re.findall(r"\bX\b", text)


# The differences that the README promises -------------------------------------------------------------------------


def test_one_invoice_loses_the_credit_and_the_other_stores_amounts_as_text() -> None:
    folder = EXAMPLES / "invoice-extraction"
    rows, sums, net = {}, {}, {}
    for side in SIDES:
        with (folder / side / "items.csv").open(encoding="utf-8", newline="") as lines:
            items = list(csv.DictReader(lines))
        rows[side] = len(items)
        sums[side] = sum(Decimal(item["amount"]) for item in items)
        net[side] = json.loads((folder / side / "invoice.json").read_text(encoding="utf-8"))["net_total"]
    reference = json.loads((folder / "reference" / "invoice.json").read_text(encoding="utf-8"))

    assert rows == {"a": 7, "b": 6}
    assert sums == {"a": Decimal("571.00"), "b": Decimal("588.40")}
    assert net == {"a": "571.00", "b": 588.4}
    assert reference["net_total"] == 571
    assert reference["net_total"] + sum(vat["amount"] for vat in reference["vat"]) == reference["gross_total"]


def test_one_invoice_comes_with_a_notes_file() -> None:
    folder = EXAMPLES / "invoice-extraction"

    assert names_in(folder / "b") - names_in(folder / "a") == {"notes.md"}
    assert names_in(folder / "a") <= names_in(folder / "b")


def test_the_report_has_another_file_name_on_each_side_and_one_has_a_wrong_duration() -> None:
    folder = EXAMPLES / "incident-report"

    assert names_in(folder / "a") == {"incident-report.md"}
    assert names_in(folder / "b") == {"report.md"}
    a, b = ((folder / name).read_text(encoding="utf-8") for name in ("a/incident-report.md", "b/report.md"))
    assert re.findall(r"\d+ minutes", a)[:1] == ["47 minutes"]
    assert re.findall(r"\d+ minutes", b)[:1] == ["74 minutes"]
    assert max(len(a.split()), len(b.split())) <= 350
    assert (a.count("\n## "), b.count("\n## ")) == (5, 0)


@pytest.mark.parametrize("side", SIDES)
def test_a_web_page_loads_nothing_and_draws_inline(side: str) -> None:
    page = (EXAMPLES / "repair-cafe-page" / side / "index.html").read_text(encoding="utf-8")

    assert "<svg" in page
    assert "prefers-color-scheme: dark" in page
    assert not re.search(r"<script|<link|<img|<iframe|url\(|@import|https?:|\bsrc=", page)


def test_each_web_page_lacks_one_thing_that_the_other_has() -> None:
    folder = EXAMPLES / "repair-cafe-page"
    pages = {side: (folder / side / "index.html").read_text(encoding="utf-8") for side in SIDES}
    dates = ("9 January", "23 January", "6 February")

    assert {side: sum(date in page for date in dates) for side, page in pages.items()} == {"a": 1, "b": 3}
    assert {side: 'role="img"' in page for side, page in pages.items()} == {"a": True, "b": False}


@pytest.mark.parametrize("side", SIDES)
def test_the_tests_of_the_code_example_pass(side: str, tmp_path: Path) -> None:
    # A copy, because running code leaves compiled files behind.
    shutil.copytree(EXAMPLES / "duration-package" / side, tmp_path / "copy")

    run = subprocess.run(
        [sys.executable, "-m", "unittest", "discover", "tests"],
        cwd=tmp_path / "copy", capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert run.returncode == 0, run.stderr
    assert re.search(r"Ran [1-9]\d* tests", run.stderr)


def test_only_one_package_refuses_what_is_not_a_duration(tmp_path: Path) -> None:
    ask = "from durations import parse; print(parse('5m banana'))"
    answers = {}
    for side in SIDES:
        shutil.copytree(EXAMPLES / "duration-package" / side, tmp_path / side)
        run = subprocess.run(
            [sys.executable, "-c", ask], cwd=tmp_path / side, capture_output=True, text=True, check=False
        )
        answers[side] = run.stdout.strip() or run.stderr.strip().splitlines()[-1].split(":")[0]

    assert answers == {"a": "300", "b": "durations.errors.DurationError"}


def test_the_packages_are_nested_and_share_the_given_file() -> None:
    folder = EXAMPLES / "duration-package"
    given = (folder / "inputs" / "errors.py").read_bytes()

    same = {
        name
        for name in names_in(folder / "a") & names_in(folder / "b")
        if (folder / "a" / name).read_bytes() == (folder / "b" / name).read_bytes()
    }

    assert same == {"durations/errors.py"}
    assert (folder / "a" / "durations" / "errors.py").read_bytes() == given
    assert "README.md" in names_in(folder / "a")
    assert "README.md" not in names_in(folder / "b")
