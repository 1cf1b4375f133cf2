"""The linter finds what is banned: a violation planted for each ban that matters."""

import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.worlds.process import run


def _lint(source: str, *, module: str, repository: Path) -> CompletedProcess[str]:
    options = ("--no-cache", "--output-format=concise", "--stdin-filename", module)
    return run(sys.executable, "-m", "ruff", "check", *options, "-", cwd=repository, stdin=source)


@pytest.mark.parametrize(
    ("module", "line", "rule"),
    [
        ("comparator/ui/planted.py", "st.markdown('x')", "TID251"),
        ("comparator/ui/planted.py", "st.write('x')", "TID251"),
        ("comparator/ui/planted.py", "st.html('x')", "TID251"),
        ("comparator/ui/planted.py", "st.components.v1.html('x')", "TID251"),
        ("pages/planted.py", "st.markdown('x')", "TID251"),
        ("app.py", "st.write('x')", "TID251"),
        ("comparator/ui/planted.py", "from streamlit import markdown", "ICN003"),
        ("comparator/ui/planted.py", "import streamlit as other", "ICN001"),
        ("comparator/outputs/planted.py", "import xml.etree.ElementTree", "TID251"),
        ("comparator/store/planted.py", "import pickle", "TID251"),
        ("comparator/store/planted.py", "print('x')", "T201"),
        ("comparator/workflow/planted.py", "import datetime\nnow = datetime.datetime.now()", "DTZ005"),
        ("comparator/workflow/planted.py", "try:\n    pass\nexcept Exception:\n    pass", "BLE001"),
        ("comparator/workflow/planted.py", "from . import sibling", "TID252"),
        ("comparator/workflow/planted.py", "x = 1  # noqa", "PGH004"),
    ],
)
def test_the_linter_finds_what_is_banned(repository: Path, module: str, line: str, rule: str) -> None:
    source = f'"""Planted."""\n\nimport streamlit as st\n\n{line}\n'

    done = _lint(source, module=module, repository=repository)

    assert done.returncode == 1
    assert f": {rule} " in done.stdout
