"""The page New: folders of this machine can be looked through for input files too."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from comparator.ui.frame.inputs.folders import END, shown_ends
from tests.app.conftest import open_page


def test_input_files_are_picked_one_per_line_from_the_folders_of_this_machine(
    app: AppTest, tmp_path: Path
) -> None:
    folder = tmp_path / "given"
    folder.mkdir()
    for name in ("one.csv", "two.csv"):
        (folder / name).write_text("a,b\n1,2\n", encoding="utf-8")
    open_page(app, "new")
    for slot in ("inputs", "reference"):
        app.segmented_control(key=f"new_{slot}_way").set_value("path")
    app.run()
    app.text_area(key="new_inputs_path").set_value(str(tmp_path)).run()

    for picked in ("given/", "one.csv", "two.csv"):
        app.selectbox(key="new_inputs_path_browse").set_value(picked).run()

    assert app.text_area(key="new_inputs_path").value == f"{folder / 'one.csv'}\n{folder / 'two.csv'}"
    recent = app.selectbox(key="new_reference_path_browse").options
    ends = shown_ends([str(folder / name) for name in ("one.csv", "two.csv")])
    assert [each in recent for each in ends.values()] == [True, True]
    assert all(
        end.endswith(f"given/{name}") for end, name in zip(ends.values(), ("one.csv", "two.csv"), strict=True)
    )
    assert max(map(len, ends.values())) <= END + 1


def test_two_recent_places_that_end_alike_are_shown_whole() -> None:
    places = [f"/mnt/{side}/{'b' * 60}/outputs" for side in ("with", "without")]

    assert list(shown_ends(places).values()) == places
