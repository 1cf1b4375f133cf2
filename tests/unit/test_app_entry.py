"""app.py is page config and navigation, and a page is composed of components: what import contracts cannot see.

Both are scripts that Streamlit runs, so import-linter cannot take them as a root.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

APP_IMPORTS = ("streamlit", "comparator.ui")
APP_CALLS = frozenset({"set_page_config", "Page", "navigation"})
APP_STATEMENTS = (ast.Import, ast.ImportFrom, ast.Expr, ast.Assign, ast.AnnAssign)
NOT_IN_PAGES = (
    "alembic",
    "anthropic",
    "psycopg",
    "sqlalchemy",
    "sqlite3",
    "comparator.judges",
    "comparator.store",
)
PAGE_LINES = 140


def _imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def _below(name: str, *, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def app_violations(source: str) -> list[str]:
    """What app.py does beyond page config and navigation."""
    tree = ast.parse(source)
    found = [
        f"line {line} imports {name}"
        for line, name in _imports(tree)
        if not _below(name, packages=APP_IMPORTS)
    ]
    found += [
        f"line {statement.lineno} is a {type(statement).__name__}; put it into comparator.ui"
        for statement in tree.body
        if not isinstance(statement, APP_STATEMENTS)
    ]
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="st"), attr=name) if name not in APP_CALLS:
                found.append(f"line {node.lineno} uses st.{name}")
            case (
                ast.Lambda()
                | ast.ListComp()
                | ast.DictComp()
                | ast.SetComp()
                | ast.GeneratorExp()
                | ast.IfExp()
            ):
                found.append(f"line {node.lineno} computes something; put it into comparator.ui")
    return found


def page_violations(source: str) -> list[str]:
    """What a page does that belongs elsewhere."""
    found = [
        f"line {line} imports {name}"
        for line, name in _imports(ast.parse(source))
        if _below(name, packages=NOT_IN_PAGES)
    ]
    if (lines := len(source.splitlines())) > PAGE_LINES:
        found.append(f"{lines} lines; a page is composed of components and has at most {PAGE_LINES}")
    return found


def test_app_is_page_config_and_navigation(repository: Path) -> None:
    assert app_violations((repository / "app.py").read_text(encoding="utf-8")) == []


def test_no_page_reaches_past_the_use_cases(repository: Path) -> None:
    pages = sorted(repository.glob("pages/*.py"))
    assert pages

    found = {path.name: page_violations(path.read_text(encoding="utf-8")) for path in pages}

    assert not {name: lines for name, lines in found.items() if lines}


@pytest.mark.parametrize(
    "planted",
    [
        "import sqlite3",
        "from comparator.store import tables",
        "import comparator.uic",
        "def helper(): ...",
        "if True:\n    pass",
        "import streamlit as st\nst.error('x')",
        "import streamlit as st\npages = [st.Page(path) for path in ('a', 'b')]",
    ],
)
def test_anything_else_in_app_is_found(planted: str) -> None:
    assert app_violations(planted)


def test_navigation_alone_is_allowed_in_app() -> None:
    source = (
        '"""Start here."""\n'
        "import streamlit as st\n"
        "from comparator.ui.frame import session\n"
        "st.set_page_config(page_title='Blind Comparator')\n"
        "session.start()\n"
        "page = st.navigation([st.Page('pages/new.py', title='New')])\n"
        "page.run()\n"
    )
    assert app_violations(source) == []


@pytest.mark.parametrize(
    "planted",
    [
        "import anthropic",
        "from comparator.store import repositories",
        "from comparator import store",
        "\n" * 141,
    ],
)
def test_anything_else_in_a_page_is_found(planted: str) -> None:
    assert page_violations(planted)
