"""What graders made of the outputs comes in as labels of a kind of its own, with pass rates."""

from pathlib import Path

from comparator.domain.labels import LabelKind
from comparator.store.pairs import keys, labels, runs
from comparator.store.pairs.labels import ForeignLabel
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.run import import_path
from comparator.workflow.services import Services
from tests.worlds.files.import_files import folder_eval, write

SIDES = {"with_skill": {"list.md": "# Boots"}, "without_skill": {"list.md": "Some boots, perhaps"}}


def only_label(services: Services, path: Path) -> tuple[ForeignLabel, str]:
    """The one label of the one pair, and which output was made with the skill."""
    done = import_path(services, ImportRequest(path=path, project="Hills"), on_step=lambda _: None)
    with services.database.read() as connection:
        comparison_id = done.comparisons[0]
        (label,) = labels.of_comparison(connection, comparison_id)
        origin = str(runs.get(connection, keys.read(connection, comparison_id).run_a).origin)
    return label, "A" if "with_skill" in Path(origin).parts else "B"


def test_gradings_of_both_sides_become_one_label_with_pass_rates(services: Services, tmp_path: Path) -> None:
    home = tmp_path / "hill-walker-workspace/iteration-1"
    folder_eval(home, "packing", id=1, outputs=SIDES)
    for side, passed in (("with_skill", 3), ("without_skill", 1)):
        marks = [{"text": f"Line {n}", "passed": n < passed} for n in range(4)]
        write(
            home / "packing" / side / "grading.json",
            {"expectations": marks, "summary": {"passed": passed, "failed": 4 - passed, "total": 4}},
        )

    label, made_with = only_label(services, home.parent)

    assert (label.kind, label.author, label.winner) == (LabelKind.GRADER, "grading.json", made_with)
    assert label.value[made_with] == {"pass_rate": 0.75, "passed": 3, "total": 4}
    assert {value["pass_rate"] for value in label.value.values()} == {0.75, 0.25}
    assert label.blind is None
