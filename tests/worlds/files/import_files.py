"""Small experiments as people have them, written for these tests."""

import json
from pathlib import Path
from typing import Any

PROMPTS = {
    1: "Write a packing list for a weekend in the hills.",
    2: "Name three rivers and their lengths.",
    3: "Describe a lake.",
}
SKILLS = {"poems": "Write a poem about rain.", "invoices": "Write an invoice for 12 pears."}
WITH = "# Packing list\n\n- boots\n- rain jacket\n- map of the hills\n"
WITHOUT = "Take boots and a jacket.\n"


def write(path: Path, content: Any) -> Path:
    """The file, with its folders; what is not text or bytes is written as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def folder_eval(
    home: Path,
    name: str,
    *,
    id: int,
    outputs: dict[str, dict[str, str]],
) -> None:
    """One eval in the layout with a folder for each side, metadata and gradings."""
    metadata = {"eval_id": id, "eval_name": name, "prompt": PROMPTS[id], "assertions": []}
    write(home / name / "eval_metadata.json", metadata)
    for side, files in outputs.items():
        for file, text in files.items():
            write(home / name / side / "outputs" / file, text)
        graded = {"text": "It names boots", "passed": True, "evidence": ""}
        write(home / name / side / "grading.json", {"expectations": [graded]})
        write(home / name / side / "timing.json", {"total_tokens": 900, "duration_ms": 1500})


def workspace(root: Path) -> Path:
    """Two iterations of two evals with and without a skill; 8 runs, 4 sibling pairs."""
    for number in (1, 2):
        home = root / f"hill-walker-workspace/iteration-{number}"
        sides = {
            "with_skill": {"list.md": f"{WITH}{number}"},
            "without_skill": {"list.md": f"{WITHOUT}{number}"},
        }
        folder_eval(home, "packing", id=1, outputs=sides)
        folder_eval(home, "rivers", id=2, outputs=sides)
        write(home / "benchmark.json", {"metadata": {"skill_name": "hill-walker", "executor_model": "m-1"}})
        write(home / "plan.md", "A plan that is no output.")
    return root / "hill-walker-workspace"


def flat_run(home: Path, id: int, *, output: str | None = WITH, **config: Any) -> None:
    """One run of the flat layout."""
    write(home / f"eval-{id}-config.json", {"eval_id": id, "prompt": PROMPTS[id], **config})
    write(
        home / f"eval-{id}-grading.json",
        {
            "assertions": [
                {
                    "expectation": "It is useful",
                    "passed": True,
                    "reason": "It says “map of the hills” plainly",
                }
            ]
        },
    )
    if output is not None:
        write(home / f"eval-{id}-output.md", output)


def skill(root: Path, name: str) -> None:
    """A skill with evals of its own and a workspace with one iteration, as a repository has several."""
    listed = [
        {"id": n, "prompt": f"{SKILLS[name]} Take {n}.", "expectations": [f"It is one of the {name}"]}
        for n in range(3)
    ]
    write(root / f"skills/{name}/evals/evals.json", {"skill_name": name, "evals": listed})
    for number in range(3):
        for side in ("with_skill", "without_skill"):
            home = root / f"skills/{name}-workspace/iteration-1/eval-{number}/{side}"
            write(home / "outputs/answer.md", f"{name}, {side}, number {number}")


def monorepo(root: Path) -> Path:
    """A repository with two skills, each with a workspace of 3 evals: 6 pairs."""
    for name in SKILLS:
        skill(root, name)
    return root
