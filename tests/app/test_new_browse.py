"""The page New: folders of this machine can be looked through for input files too."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.app.conftest import open_page


def test_input_files_are_picked_one_per_line_from_the_folders_of_this_machine(
    app: AppTest, tmp_path: Path
) -> None:
    folder = tmp_path / "given"
    folder.mkdir()
    for name in ("one.csv", "two.csv"):
        (folder / name).write_text("a,b\n1,2\n", encoding="utf-8")
    open_page(app, "new")
    app.text_area(key="new_inputs_path").set_value(str(tmp_path)).run()

    for picked in ("given/", "one.csv", "two.csv"):
        app.selectbox(key="new_inputs_path_browse").set_value(picked).run()

    assert app.text_area(key="new_inputs_path").value == f"{folder / 'one.csv'}\n{folder / 'two.csv'}"
    recent = app.selectbox(key="new_reference_path_browse").options
    assert [str(folder / name) in recent for name in ("one.csv", "two.csv")] == [True, True]
