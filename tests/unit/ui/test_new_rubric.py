"""A rubric as a person edits it becomes a rubric, or a sentence that says what is wrong."""

import pytest

from comparator.ui.new.draft import RubricDraft, RubricRow
from comparator.ui.new.rubric import key_of, rubric_of


def row(name: str, **given: str) -> RubricRow:
    return RubricRow(**{"name": name, "poor": "bad", "acceptable": "fair", "excellent": "good"} | given)


def draft(*content: RubricRow, structure: tuple[RubricRow, ...] | None = None) -> RubricDraft:
    structure = structure or (row("Layout"), row("Order"))
    return RubricDraft(reply="{}", content=content, structure=structure)


def test_typed_names_get_keys_of_their_own() -> None:
    rubric = rubric_of(draft(row("Field alignment (PDF)"), row("Data", key="data_placement")))

    assert rubric.paths[:2] == ("content.field_alignment_pdf", "content.data_placement")


def test_names_in_another_script_get_keys_that_differ() -> None:
    rubric = rubric_of(draft(row("正確さ"), row("完全性"), row("精度")))

    assert rubric.paths[:3] == ("content.criterion", "content.criterion_2", "content.criterion_3")


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ((), "Content has 0 criteria; 1 to 5 are allowed"),
        ((row("One"), row("")), "Content, line 2: give it a name"),
        ((row("One"), row("Two", excellent="")), "Content, line 2"),
        ((row("One"), row("one")), "same criterion key twice"),
    ],
)
def test_what_is_wrong_is_a_sentence(rows: tuple[RubricRow, ...], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        rubric_of(draft(*rows))


@pytest.mark.parametrize("name", ["", "!!!", "3 points", "Ünïcode", "x" * 200])
def test_every_name_gives_a_usable_key(name: str) -> None:
    assert key_of(name).isascii()
    assert key_of(name)[0].isalpha()
