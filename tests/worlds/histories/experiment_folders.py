"""The planted experiment as skill-creator leaves one in folders, and the model that scores as the outputs say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from comparator.domain.labels import Winner
from tests.loopback.brain import Shown, outputs_of
from tests.worlds.files.import_files import write
from tests.worlds.histories.experiment import (
    BROKE,
    DECIDES,
    EXPECTATIONS,
    OTHER,
    PATHS,
    RECURS,
    RUBRIC,
    WITH,
    WITHOUT,
    Planted,
    model_of,
    prompt_of,
    title_of,
)

SKILL = "pager"
_MARKS = re.compile(r"^Marks: (\d) (\d) (\d) (\d)\. Met: ([yn]{4})\.$", re.MULTILINE)


def workspace(root: Path, pairs: Sequence[Planted]) -> Path:
    """Write all iterations; the folder that holds them."""
    home = root / f"{SKILL}-workspace"
    iterations = max(each.iteration for each in pairs)
    for iteration in range(1, iterations + 1):
        metadata = {"skill_name": SKILL, "executor_model": model_of(iteration, iterations=iterations)}
        write(home / f"iteration-{iteration}/benchmark.json", {"metadata": metadata})
    for each in pairs:
        _eval(home / f"iteration-{each.iteration}/eval-{each.task}", each)
    return home


def place_of(outputs: Path) -> tuple[int, int]:
    """Iteration and task of a folder of outputs.

    >>> place_of(Path("pager-workspace/iteration-3/eval-12/with_skill/outputs"))
    (3, 12)
    """
    iteration, task = outputs.parts[-4:-2]
    return int(iteration.removeprefix("iteration-")), int(task.removeprefix("eval-"))


def _eval(home: Path, pair: Planted) -> None:
    about = {"eval_id": pair.task, "eval_name": title_of(pair.task), "prompt": prompt_of(pair.task)}
    write(home / "eval_metadata.json", {**about, "assertions": EXPECTATIONS})
    for name, scores, met, lines in zip(
        (WITH, WITHOUT), pair.scores, zip(*pair.met, strict=True), pair.lengths, strict=True
    ):
        marks = " ".join(str(scores[path]) for path in PATHS)
        checks = "".join("y" if each else "n" for each in met)
        text = f"# Report\n\nRun {pair.iteration}.{pair.task}.\n\nMarks: {marks}. Met: {checks}.\n\n"
        write(home / name / "outputs/report.md", text + BROKE * lines)
        taken = {"total_tokens": 1000 + 10 * lines, "total_duration_seconds": 20 + pair.iteration}
        write(home / name / "timing.json", taken)
    if not pair.valid:
        write(home / WITH / "config.json", {"error": "timed out"})


def answer(body: dict[str, Any]) -> dict[str, Any] | None:
    """What the model says: the rubric of the experiment, and of two outputs what stands in them; None about themes."""
    if "content" in body["output_config"]["format"]["schema"]["properties"]:
        return {dimension: list(_lines(dimension)) for dimension in ("content", "structure")}
    shown = outputs_of(body)
    return _judgment(shown) if shown else None


def _lines(dimension: str) -> Iterable[dict[str, str]]:
    for line in getattr(RUBRIC, dimension):
        yield {
            "key": line.key,
            "name": line.name,
            "description": f"How good is the {line.name.lower()}?",
            **line.anchors.model_dump(),
        }


def _judgment(shown: tuple[Shown, ...]) -> dict[str, Any]:
    found = {each.label: _read(each) for each in shown}
    total = {label: sum(scores) for label, (_, scores, _) in found.items()}
    better = "TIE" if total["A"] == total["B"] else max(total, key=total.__getitem__)

    def mark(label: str, at: int) -> dict[str, Any]:
        quotes, scores, _ = found[label]
        ahead = scores[at] - found[OTHER[Winner(label)]][1][at]
        return {"rationale": _rationale(PATHS[at], ahead), "quotes": [quotes], "score": scores[at]}

    marks = {path: {label: mark(label, at) for label in "AB"} for at, path in enumerate(PATHS)}
    return {
        "criteria": {
            dimension: {
                path.partition(".")[2]: both for path, both in marks.items() if path.startswith(dimension)
            }
            for dimension in ("content", "structure")
        },
        "expectations": [
            {"number": at + 1, **{label: {"evidence": "", "passed": found[label][2][at]} for label in "AB"}}
            for at in range(len(EXPECTATIONS))
        ],
        "notes": {
            label: {
                "strengths": [f"cites the {RECURS}"] * (label == better),
                "weaknesses": ["guesses"] * (label == OTHER[Winner(better)]),
            }
            for label in "AB"
        },
        "addressed_judge": [],
        "reasoning": "One names the cause.",
        "better": better,
        "stated_confidence": 80,
    }


def _rationale(path: str, ahead: int) -> str:
    """One sentence on an output that is ahead of the other by so many points; what decides is what recurs."""
    if not ahead:
        return "Both are alike."
    if path == DECIDES:
        return f"It cites the {RECURS}." if ahead > 0 else "It guesses."
    return f"Its {path.partition('.')[2]} is {'better' if ahead > 0 else 'worse'}."


def _read(output: Shown) -> tuple[dict[str, str], list[int], list[bool]]:
    """The line with its marks as a quote, the scores, and which expectations are met."""
    ((file, text),) = output.files
    line = _MARKS.search(text)
    assert line is not None, text
    *scores, met = line.groups()
    return {"file": file, "text": line[0]}, [int(score) for score in scores], [each == "y" for each in met]
