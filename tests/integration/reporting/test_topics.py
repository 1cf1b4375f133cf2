"""Tasks without tags are compared by topic: groups by the words of their titles and prompts."""

from comparator.domain.pair.task import TaskText
from comparator.reporting.results.result import result
from comparator.reporting.scope import By, Verdicts
from comparator.reporting.why.slices import slices
from comparator.store.pairs import tasks
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import World

ASKED = {
    "invoice": "Read the invoice and list its {n} totals",
    "network": "Why does the network drop packet {n}?",
}


def asked_for(history: History, kind: str, number: int) -> None:
    """A task whose title says nothing, and whose prompt is of this kind."""
    world = history.world
    with world.write() as unit:
        task = tasks.ensure_task(
            unit, history.project, key=f"eval-{kind}-{number}", title=f"Eval {number}", tags=()
        )
        wording = TaskText(prompt=ASKED[kind].format(n=number), expectations=("has a date", "has a total"))
        world.version = tasks.ensure_version(unit, task.id, wording)


def two_kinds(world: World) -> History:
    """Six tasks of each kind: of invoices the new one wins all, of networks the old one."""
    history = History(world)
    for number in range(6):
        for kind in ASKED:
            asked_for(history, kind, number)
            history.pair(*((5, 3) if kind == "invoice" else (3, 5)))
    history.reveal()
    return history


def test_tasks_whose_prompts_share_words_are_one_topic(world: World) -> None:
    history = two_kinds(world)
    asked = history.asked(Verdicts.JUDGE)

    found = slices(world.database, asked, By.TOPIC)

    parts = {each.name: (each.won, each.tied, each.lost) for each in found.parts}
    assert sorted(parts.values()) == [(0, 0, 6), (6, 0, 0)]
    assert all("invoice" in name for name, (won, _, _) in parts.items() if won)
    for each in found.parts:
        narrowed = result(world.database, asked.model_copy(update={"within": (each.part,)}))
        assert (narrowed.won, narrowed.tied, narrowed.lost) == (each.won, each.tied, each.lost)
