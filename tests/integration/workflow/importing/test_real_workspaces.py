"""Pairs as people really have them are judged one by one from the command line, by both judges."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from comparator.cli import app
from comparator.domain.scoring.result import ComparisonResult
from tests.loopback.server import LoopbackServer

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
    shared_data: Path, judge: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: LoopbackServer
) -> None:
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    pairs = [*pairs_of_folders(shared_data), *pairs_of_files(shared_data)]
    assert len(pairs) == 10
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
    assert len(model.messages) == (0 if judge == "offline" else 3 * len(pairs))
    for request in model.messages:
        assert all(side.encode() not in request.raw for side in SIDES)
