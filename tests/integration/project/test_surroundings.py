"""The fixtures that other tests rely on."""

import os
from pathlib import Path


def test_no_setting_of_the_developers_machine_is_seen() -> None:
    assert not [name for name in os.environ if name.startswith(("ANTHROPIC_", "COMPARATOR_", "AWS_"))]
    assert Path.home() == Path.cwd()
    assert not (Path.cwd() / ".env").exists()
