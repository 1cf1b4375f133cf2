"""What the app shows is escaped, by the rule in markdown_rule.py, and the rule bites."""

from pathlib import Path

from tests.unit.markdown_rule import MARKDOWN_PARAMETERS, SAFE, violations


def test_what_the_app_shows_is_escaped(repository: Path) -> None:
    modules = [
        *repository.glob("comparator/ui/**/*.py"),
        *repository.glob("pages/*.py"),
        repository / "app.py",
    ]
    modules.remove(repository / SAFE)
    assert len(modules) > 50

    lines = [line for path in modules for line in violations(path.read_text("utf-8"), name=path.name)]

    assert not lines, "\n" + "\n".join(lines)


def test_a_planted_raw_text_is_found() -> None:
    for planted in (
        *("st.error(judgment.reasoning)", "st.caption(f'by {name}')"),
        *("st.tabs([file.name for file in files])", "st.tabs(names)", "st.button('Open', help=task.prompt)"),
        *("st.checkbox(label=expectation.text)", "st.radio('Which', candidates)"),
        *("st.radio('Which', candidates, format_func=str)", "st.radio('Which', [1, 2], captions=notes)"),
        *("st.metric('Winner', winner.name)", "st.subheader(str(task))", "st.progress(0.5, text=step)"),
        *("st.warning('Read ' + path)", "st.warning('Read {}'.format(path))"),
        *("st.info('Nothing here', title=project.name)", "st.toast(error.args[0])"),
        "st.write('even a literal')",
        "st.dataframe(rows, column_config={'a': st.column_config.TextColumn(name)})",
        "left, right = st.columns(2)\nleft.caption(output.name)",
        *("with st.container() as box:\n    box.header(title)", "st.columns(2)[0].error(text)"),
        *("box.markdown('even a literal')", "getattr(st, kind)(text)"),
        *("st.markdown(safe.text(name), unsafe_allow_html=True)", "st.error(*messages)", "st.error(**shown)"),
        *("show = st.error\nshow(text)", "st.caption(f'{name:>20}')"),
        *("for text in texts:\n    st.caption(text)", "label = 'x'\nlabel = name\nst.caption(label)"),
        *("def show(label: str):\n    st.caption(label)", "@st.dialog(name)\ndef ask(): pass"),
        *("st.popover(safe_name)", "st.caption(safe.Markdown(name))", "st.caption(safe.cut(name, 20))"),
        "from comparator.ui.frame.safe import cut\nst.caption(cut(name, 20))",
        "st.radio('Which', candidates, format_func=safe.cut)",
        "label = f'{label} (chosen)'\nlabel = name\nst.caption(label)",
    ):
        imports = "import streamlit as st\nfrom comparator.ui.frame import safe"
        assert violations(f"{imports}\n{planted}\n", name="planted.py")


def test_text_that_is_ours_or_escaped_is_allowed() -> None:
    for allowed in (
        *("st.error('Nothing was read.')", "st.error(safe.text(judgment.reasoning))"),
        "st.error(code(error))",
        "st.caption(f'by {safe.text(name)}, {safe.text(score)} of {len(scores)}, {share:.0%}')",
        *("st.caption(EMPTY)", "st.caption(TITLES[kind])"),
        "st.tabs([safe.text(file.name) for file in files])",
        "st.radio('Which', candidates, format_func=safe.text)",
        "st.radio('Which', kinds, format_func=lambda kind: TITLES[kind])",
        *("st.radio('Which', kinds, format_func=TITLES.get)", "st.code(source)", "st.text(source)"),
        *("st.text_input('Name', value=name)", "logger.error(text)", "st.selectbox('Project', names)"),
        "name.title()",
        "label = safe.text(name)\nif chosen:\n    label = f'{label} (chosen)'\nst.caption(label)",
        "def show(label: safe.Markdown):\n    st.caption(label)",
        "def show(label: safe.Markdown | None = None):\n    st.button('Open', help=label)",
        "for title in ('Content', 'Structure'):\n    st.caption(title)",
        "st.caption('A wins' if winner == 'A' else safe.text(reason))",
        "def show(text):\n    from comparator.ui import charts\n    charts.caption(text)",
    ):
        imports = "import logging\nimport streamlit as st\nfrom comparator.ui.frame import safe\n"
        imports += "from comparator.ui.frame.safe import code"
        assert violations(f"{imports}\n{allowed}\n", name="allowed.py") == []


def test_the_rule_knows_the_functions_of_the_installed_streamlit() -> None:
    spoken_of = {"error", "warning", "info", "success", "caption", "expander", "tabs", "header", "subheader", "title",
                 "toast", "button", "checkbox", "radio", "popover", "status", "metric", "spinner", "dialog", "badge",
                 "download_button", "page_link", "form_submit_button", "image", "progress"}  # fmt: skip

    assert spoken_of <= MARKDOWN_PARAMETERS.keys()
    assert MARKDOWN_PARAMETERS["button"]["label"] == 0
    assert not MARKDOWN_PARAMETERS.keys() & {"code", "json"}
