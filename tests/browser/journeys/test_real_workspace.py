"""A real workspace from its folder to the dashboards: imported, judged, reviewed, revealed, its reasons in themes."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect
from typer.testing import CliRunner

from comparator.api.opened import opened, project_named
from comparator.cli import app as commands
from comparator.interop.write.analysis import OURS
from comparator.workflow.themes import edit
from tests.browser.servers.real_app import WAIT, App
from tests.loopback.server import LoopbackServer
from tests.worlds.histories.themed import read_reasons

PROJECT = "gke-upgrades"
PAIRS = 86
"""3 evals in each of iterations 1 and 3; 40 evals by two models in iteration 10."""
CORRECTED = 5
"""Every so many pairs the reviewer changes a score."""
TESTED = ("claude_with_skill", "claude_without_skill")
"""The two that are shown at first: those of the newest iteration."""
COMMANDS = CliRunner()


class Side(NamedTuple):
    """What the final result of a pair, and its files, say of one output."""

    won: bool
    scores: dict[str, int]
    """By criterion."""
    overall: float
    met: dict[str, bool]
    """By expectation."""
    graded: float
    """The share of expectations that the imported grader says are met."""
    characters: int


class Said(NamedTuple):
    """A finding: for whom of the two tested it speaks (1: the first, -1: the second, 0: neither), and its themes."""

    pair: str
    way: int
    themes: frozenset[str]


class Walked(NamedTuple):
    """The app, the pairs as `comparator list` tells them, and of the two tested what is known of each pair."""

    app: App
    rows: list[dict[str, Any]]
    tested: list[tuple[Side, Side]]
    themes: dict[str, str]
    """Their names, by id."""

    def won(self, one: str, two: str) -> Counter[str]:
        """How often each of these two won against the other; iterations are not told apart."""
        plain = [{side: name.split(" ")[0] for side, name in row["candidates"].items()} for row in self.rows]
        return Counter(
            made[row["winner"][0]]
            for row, made in zip(self.rows, plain, strict=True)
            if set(made.values()) == {one, two} and not row["winner"].startswith("TIE")
        )


@pytest.fixture(scope="module")
def walked(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walked]:
    """The app, once the whole workspace went through the commands."""
    home = tmp_path_factory.mktemp("walked")
    with pytest.MonkeyPatch.context() as patch, LoopbackServer(remember=False) as model:
        patch.setenv("COMPARATOR_HOME", str(home))
        patch.setenv("ANTHROPIC_BASE_URL", model.base_url)
        patch.setenv("ANTHROPIC_API_KEY", "any-key")
        workspace = shared_data / "workspaces" / "gke-upgrades" / "workspace"
        run("import", str(workspace), "--project", PROJECT, "--judge", "now")
        for number, row in enumerate(listed()):
            review(row["id"], home / "comparison.json", corrected=number % CORRECTED == 0)
        run("reveal", PROJECT)
        with opened(None) as services:
            project_id = project_named(services.database, PROJECT)
            read_reasons(services, project_id)
            themes = {each.id: each.name for each in edit.codebook_of(services, project_id).themes}
        rows = listed()
        tested = [
            (side(row, TESTED[0], workspace), side(row, TESTED[1], workspace))
            for row in rows
            if set(row["candidates"].values()) == set(TESTED)
        ]
        app = App(home)
        app.start()
        yield Walked(app, rows, tested, themes)
        app.kill()


@pytest.fixture(scope="module")
def page(walked: Walked, browser: Browser) -> Page:
    """A window at the dashboards."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(WAIT)
    return page


def run(*words: str) -> str:
    """What a command prints."""
    done = COMMANDS.invoke(commands, list(words))
    assert done.exit_code == 0, (words, done.output)
    return done.stdout


def listed() -> list[dict[str, Any]]:
    """All pairs of the project."""
    rows: list[dict[str, Any]] = json.loads(run("list", "--project", PROJECT, "--limit", "200", "--json"))[
        "comparisons"
    ]
    return rows


def review(comparison_id: str, file: Path, *, corrected: bool) -> None:
    """Take the judge's scores over, and finalise; `corrected` raises one of them, with a reason."""
    result = json.loads(run("show", comparison_id, "--json"))["result"]
    if corrected:
        scores = result["rubric"]["A"]["content"]
        first = next(iter(scores))
        scores[first] = scores[first] + 1 if scores[first] < 5 else 4
    file.write_text(json.dumps(result))
    run("review", "import", comparison_id, str(file), "--reason", "The order of the steps is missing.")
    run("review", "import", comparison_id, str(file), "--finalise")


def side(row: dict[str, Any], candidate: str, workspace: Path) -> Side:
    """The output of this candidate in a pair."""
    result = json.loads(run("show", row["id"], "--json"))["result"]
    label = next(label for label, name in row["candidates"].items() if name == candidate)
    rubric, folder = result["rubric"][label], workspace / "iteration-10" / candidate
    grading = json.loads((folder / f"{row['task']}-grading.json").read_text("utf-8"))
    return Side(
        won=result["winner"] == label,
        scores=rubric["content"] | rubric["structure"],
        overall=fmean(rubric["content"].values()) + fmean(rubric["structure"].values()),
        met={each["text"]: each["passed"] for each in result["expectation_results"][label]["details"]},
        graded=fmean(each["passed"] for each in grading["assertions"]),
        characters=len((folder / f"{row['task']}-output.md").read_text("utf-8")),
    )


def said(walked: Walked) -> list[Said]:
    """What was found in the pairs of the two tested, with its themes."""
    with closing(sqlite3.connect(walked.app.home / "comparator.db")) as connection:
        rows = connection.execute(
            "SELECT comparison_id, speaks_for, themes "
            "FROM theme_mark JOIN finding ON finding.id = finding_id WHERE themes IS NOT NULL"
        ).fetchall()
    made = {row["id"]: row["candidates"] for row in walked.rows}
    return [
        Said(
            pair,
            0 if speaks_for == "TIE" else 1 if made[pair][speaks_for] == TESTED[0] else -1,
            frozenset(walked.themes[each["theme"]] for each in json.loads(themes)),
        )
        for pair, speaks_for, themes in rows
        if set(made[pair].values()) == set(TESTED)
    ]


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_a_real_workspace_of_three_iterations_ends_as_answers_on_the_dashboards(
    walked: Walked, page: Page
) -> None:
    one, two = TESTED
    won = walked.won(*TESTED)
    assert len(walked.rows) == PAIRS
    assert won.total() == 40
    ahead, behind = (one, two) if won[one] >= won[two] else (two, one)

    page.goto(f"{walked.app.url}/dashboards")

    # The first screen: the newest iteration, who wins how often, by whose verdicts.
    expect(
        page.get_by_text(f"{ahead} wins {won[ahead] / 40:.0%} of 40 tasks against {behind}")
    ).to_be_visible()
    expect(page.get_by_text("Counted: 40 reviewed")).to_be_visible()
    # Why: criteria, expectations, graders that came along, and what the reasons have in common.
    expect(
        page.get_by_text(re.compile(r"favours the winner most often: in \d+ of \d+ pairs"))
    ).to_be_visible()
    expect(page.get_by_text("338 expectations, those that separate the two most first.")).to_be_visible()
    expect(
        page.get_by_text(re.compile(r"Imported graders: \w+ meets \d+% of its expectations"))
    ).to_be_visible()
    expect(page.get_by_text(re.compile(r"“Speaks of \w+” recurs most often"))).to_be_visible()
    expect(page.get_by_text(re.compile("None of these: [0-9]+% of"))).to_be_visible()
    # Where: it opens on a property in which the pairs differ.
    tab(page, "Where")
    expect(page.get_by_text(re.compile("parts looked at"))).to_be_visible()
    expect(page.get_by_role("radio", name="Topic")).to_be_checked()
    # What to do next.
    tab(page, "Plan and report")
    page.get_by_role("button", name="Show the analysis").click()
    expect(page.get_by_text(re.compile(r"What \w+ does better"))).to_be_visible()
    with page.expect_download() as told:
        page.get_by_role("button", name="analysis.json", exact=True).click()
    found = json.loads(Path(told.value.path()).read_text("utf-8"))
    assert found["comparison_summary"]["winner"] == ahead
    assert len(found[OURS]["pairs"]) == 40
    assert found["improvement_suggestions"]
    # Over time: the two that met in iterations 1 and 3.
    page.goto(f"{walked.app.url}/dashboards")
    page.get_by_role("combobox", name=re.compile("Candidates")).click()
    page.get_by_role("option", name="3: with_skill and without_skill (3 pairs)").click()
    page.get_by_role("radio", name="All 2").click()
    tab(page, "Over time")
    won_by_skill = {
        (row["task"], iteration): f"(with_skill ({iteration}))" in row["winner"]
        for row in walked.rows
        for iteration in ("1", "3")
        if f"with_skill ({iteration})" in row["candidates"].values()
    }
    turned = Counter(
        won_by_skill[task, "3"] - won_by_skill[task, "1"] for task in ("eval-1", "eval-2", "eval-3")
    )
    expect(
        page.get_by_text(re.compile(rf"Since 1: .*, {turned[-1]} got worse, {turned[1]} got better"))
    ).to_be_visible()
    for eval_id in ("eval-1", "eval-2", "eval-3"):
        expect(page.locator(".js-plotly-plot text", has_text=eval_id).first).to_be_visible()


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_the_figures_of_a_real_workspace_are_those_of_its_results_and_files(
    walked: Walked, page: Page
) -> None:
    one, two = TESTED
    ones, twos = zip(*walked.tested, strict=True)
    every = {
        text: [each.met[text] for each in (*ones, *twos) if text in each.met]
        for text in {text for each in ones for text in each.met}
    }

    page.goto(f"{walked.app.url}/dashboards?part=Why")
    favours = page.get_by_text(re.compile(r"favours the winner most often: in \d+ of \d+ pairs?"))
    found = re.match(r"(.+) \(\w+\) favours .*: in (\d+) of (\d+)", favours.inner_text())
    assert found is not None
    key = found[1].lower().replace(" ", "_")
    leads = [
        (a.scores[key] - b.scores[key]) * (1 if a.won else -1) for a, b in walked.tested if key in a.scores
    ]
    assert [int(found[2]), int(found[3])] == [sum(lead > 0 for lead in leads), sum(map(bool, leads))]
    never_fail, nobody = sum(map(all, every.values())), len(every) - sum(map(any, every.values()))
    expect(
        page.get_by_text(
            re.compile(rf"{len(every)} expectations, .* {never_fail} never fail.* Nobody meets {nobody}:")
        )
    ).to_be_visible()
    graded = [fmean(each.graded for each in sides) for sides in (ones, twos)]
    expect(
        page.get_by_text(
            f"Imported graders: {one} meets {graded[0]:.0%} of its expectations, {two} {graded[1]:.0%}"
        )
    ).to_be_visible()
    findings = said(walked)
    by_theme: dict[str, Counter[str]] = defaultdict(Counter)
    for each in findings:
        for theme in each.themes:
            by_theme[theme][each.pair] += each.way
    first = min(by_theme, key=lambda theme: (-len(by_theme[theme]), theme))
    for_each = {
        one: sum(lead > 0 for lead in by_theme[first].values()),
        two: sum(lead < 0 for lead in by_theme[first].values()),
    }
    more, less = max(for_each, key=for_each.__getitem__), min(for_each.values())
    expect(
        page.get_by_text(
            f"“{first}” recurs most often, as often for {one} as for {two}"
            if for_each[more] == less
            else f"“{first}” recurs most often: for {more} in {for_each[more]} pair"
            f"{'' if for_each[more] == 1 else 's'}, for the other in {less}"
        )
    ).to_be_visible()
    none = fmean(not each.themes for each in findings)
    expect(page.get_by_text(f"None of these: {none:.0%} of {len(findings):,} findings.")).to_be_visible()

    lead = fmean(a.overall - b.overall for a, b in walked.tested)
    title = page.get_by_text(re.compile(rf"^Mean score of {one} minus that of {two}: "))
    told = title.inner_text().rpartition(": ")[2].split(" ")[0]
    assert float(told) == pytest.approx(lead, abs=0.051)

    page.goto(f"{walked.app.url}/dashboards?part=How%20they%20differ")
    middle = [median(each.characters for each in sides) for sides in (ones, twos)]
    apart = median(a.characters - b.characters for a, b in walked.tested)
    expect(
        page.get_by_text(f"Median {apart:,.0f} ({one} {middle[0]:,.0f}, {two} {middle[1]:,.0f}), 40 pairs.")
    ).to_be_visible()

    page.goto(f"{walked.app.url}/dashboards?part=Trust")
    scores, changed = 12 * PAIRS, len(range(0, PAIRS, CORRECTED))
    expect(page.get_by_text(f"named the judge's winner in {PAIRS} of {PAIRS} reviews")).to_be_visible()
    page.goto(f"{walked.app.url}/dashboards?part=Trust&trust=Corrections%20and%20confidence")
    expect(page.get_by_text(f"claude-sonnet-5-5: {changed} of {scores:,} (")).to_be_visible()


def tab(page: Page, name: str) -> None:
    """Open a tab."""
    page.get_by_role("radio", name=name).click()
    expect(page.get_by_role("radio", name=name)).to_be_checked()
