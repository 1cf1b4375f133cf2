"""Judges by name come from a file that tells nothing secret, and each key goes to its own server only."""

import re
from pathlib import Path

import pytest

from comparator.domain.errors import SettingsError
from comparator.domain.scoring.judgment import Tools
from comparator.judges.choose import NamedJudge, read_judges

GOOD = """
[judges.strong]
model = "claude-opus-5-5"
repetitions = 3

[judges."on site"]
model = "qwen"
server = "http://10.0.0.5:8080"
key = "SITE_KEY"
tools = "never"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "judges.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_judges_are_read_by_name(tmp_path: Path) -> None:
    found = read_judges(written(tmp_path, GOOD))

    assert list(found) == ["strong", "on site"]
    assert (found["strong"].repetitions, found["strong"].server) == (3, None)
    assert (found["on site"].tools, found["on site"].options().base_url) == (
        Tools.NEVER,
        "http://10.0.0.5:8080",
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "one table"),
        ("[judges]", "one table"),
        ('[judges.x]\nmodel = ""', "x.model is wrong"),
        ('[judges.x]\nmodel = "m"\ncolour = "red"', "x.colour is wrong"),
        ('[judges.x]\nmodel = "m"\nkey = "sk-ant-12345678"', "x.key is wrong"),
        ('[judges.x]\nmodel = "m"\nserver = "file:///etc"', "x.server is wrong"),
        ('[judges.x]\nmodel = "m"\nrepetitions = 0', "x.repetitions"),
        ("[judges.x", "cannot be read"),
        ('[judges."../x"]\nmodel = "m"', "../x.[key] is wrong"),
        ('name = "x"\n[judges.x]\nmodel = "m"', "nothing else"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(told)):
        read_judges(written(tmp_path, text))


def test_a_key_goes_to_its_own_server_only() -> None:
    given = {
        "ANTHROPIC_API_KEY": "the-usual",
        "ANTHROPIC_AUTH_TOKEN": "t",
        "SITE_KEY": "of-the-site",
        "HOME": "/h",
    }
    plain = NamedJudge(model="m")
    site = NamedJudge(model="m", server="http://10.0.0.5", key="SITE_KEY")
    open_ = NamedJudge(model="m", server="http://10.0.0.5")

    assert plain.environment(given) == given
    assert site.environment(given)["ANTHROPIC_API_KEY"] == "of-the-site"
    assert "ANTHROPIC_AUTH_TOKEN" not in site.environment(given)
    assert not {"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"} & open_.environment(given).keys()
    with pytest.raises(SettingsError, match="SITE_KEY, which is not set"):
        site.environment({"ANTHROPIC_API_KEY": "the-usual"})
