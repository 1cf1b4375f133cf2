"""One module reads the environment for all others."""

import re
from pathlib import Path


def test_one_module_reads_the_environment_for_all_others(repository: Path) -> None:
    package = repository / "comparator"
    reading = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if re.search(r"\bos\.(environ|getenv)\b|from os import .*(environ|getenv)", path.read_text("utf-8"))
    }

    assert reading == {"bootstrap.py"}
