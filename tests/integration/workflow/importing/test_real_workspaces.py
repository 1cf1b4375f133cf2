"""Pairs as people really have them are judged one by one from the command line, by both judges."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from comparator.cli import app
from comparator.domain.labels import PerOutput
from comparator.domain.scoring.result import ComparisonResult
from comparator.settings import Settings
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.judging import judgments
from tests.loopback import players
from tests.loopback.server import LoopbackServer
from tests.worlds.judging.model_judge import judge_at
from tests.worlds.workbench import Workbench

SIDES = ("with_skill", "without_skill")


def pairs_of_folders(shared_data: Path) -> Iterator[tuple[Path, Path]]:
    """Each pair of output folders below the sample workspaces."""
    for first in sorted(shared_data.glob("workspaces/*/workspace/iteration-*/*/with_skill/outputs")):
        second = first.parents[1] / "without_skill" / "outputs"
        if second.is_dir():
            yield first, second


def pairs_of_files(shared_data: Path) -> Iterator[tuple[Path, Path]]:
    """Each pair of files of the flat layout."""
    for first in sorted(shared_data.glob("workspaces/*/workspace/iteration-*/with_skill/eval-*-output.md")):
        second = first.parents[1] / "without_skill" / first.name
        if second.is_file():
            yield first, second


@pytest.mark.slow
@pytest.mark.parametrize("judge", ["offline", "anthropic"])
def test_every_pair_of_the_sample_workspaces_gets_a_result(
    shared_data: Path, judge: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    pairs = [*pairs_of_folders(shared_data), *pairs_of_files(shared_data)]
    assert len(pairs) == 10
    with LoopbackServer() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.base_url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-of-a-test")
        for number, (first, second) in enumerate(pairs):
            folder = tmp_path / str(number)
            arguments = ["--a", str(first), "--b", str(second), "--prompt", f"Answer question {number}."]
            done = CliRunner().invoke(app, ["judge", *arguments, "--judge", judge, "--out", f"{folder}/"])

            assert done.exit_code == 0, done.output
            result = ComparisonResult.from_json((folder / "comparison.json").read_text())
            assert result.rubric.A.overall_score > 0
            provenance = json.loads((folder / "comparison.provenance.json").read_text())
            assert provenance["views"]["A"]["files"]
            assert provenance["key"] is None
        assert len(server.messages) == (0 if judge == "offline" else 3 * len(pairs))
        for request in server.messages:
            assert all(side.encode() not in request.raw for side in SIDES)


@pytest.mark.slow
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_what_a_reading_with_tools_takes_on_the_sample_workspaces(
    shared_data: Path, database: Database, blobs: BlobStore, tmp_path: Path
) -> None:
    bench = Workbench(database, blobs, tmp_path, Settings(home=tmp_path / "home", repetitions=1))
    pairs = [*pairs_of_folders(shared_data), *pairs_of_files(shared_data)]
    ids = [bench.submitted(PerOutput[Path](A=first, B=second)) for first, second in pairs]
    took: dict[str, Counter[str]] = {"auto": Counter(), "always": Counter()}

    for tools, sums in took.items():
        with LoopbackServer(player=players.careful) as server:
            for each in ids:
                outcome = bench.judged(each, judge_at(server, tools=tools))
                assert outcome.complete, outcome.problem
        with database.read() as connection:
            newest = [judgments.tries(connection, each, judgments.Attempt)[-2:] for each in ids]
        for reading in (one for both in newest for one in both):
            sums["readings"] += 1
            sums["requests"] += len(reading.calls)
            sums["calls of tools"] += len(reading.looked_at.calls) if reading.looked_at else 0
            sums["tokens sent"] += reading.input_tokens + reading.cached_tokens + reading.cache_written_tokens
            sums["of them from a cache"] += reading.cached_tokens

    for tools, sums in took.items():
        a_reading = {name: round(sums[name] / sums["readings"]) for name in sums if name != "readings"}
        print(f"\ntools {tools}, a reading of {len(ids)} pairs: {a_reading}")  # noqa: T201 - it is asked for
    auto, always = took["auto"], took["always"]
    # What fits is read in one request; with tools it is one more, most of which is in the cache.
    assert (auto["requests"], auto["calls of tools"]) == (auto["readings"], 0)
    assert (always["requests"], always["calls of tools"]) == (2 * always["readings"], 3 * always["readings"])
    assert always["of them from a cache"] > auto["of them from a cache"] + auto["tokens sent"] / 2
