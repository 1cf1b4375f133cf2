"""Settings come from the environment and .env, and a wrong one is one clear line."""

from __future__ import annotations

import os
from decimal import Decimal
from pathlib import Path

import pytest

from comparator.bootstrap import load_settings
from comparator.domain.errors import SettingsError
from comparator.outputs.pictures.finder import Machine, find_chromium
from comparator.settings import Settings

NO_FILE = Path("there-is-no-such.env")


def test_by_default_everything_lies_in_the_home_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path))
    settings = load_settings(NO_FILE)
    assert settings.database == f"sqlite:///{tmp_path}/comparator.db"
    assert settings.blobs == f"file://{tmp_path}/blobs"
    assert settings.judge == "auto"


def test_the_file_gives_what_the_environment_does_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COMPARATOR_MODEL", "from-environment")
    monkeypatch.setenv("COMPARATOR_BUDGET", "placeholder")
    monkeypatch.delenv("COMPARATOR_BUDGET")
    file = tmp_path / "my.env"
    file.write_text("COMPARATOR_MODEL=from-file\nCOMPARATOR_BUDGET=2.50\n")
    settings = load_settings(file)
    assert settings.model == "from-environment"
    assert settings.budget == Decimal("2.50")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("COMPARATOR_JUDGE", "oracle"),
        ("COMPARATOR_SLOTS", "0"),
        ("COMPARATOR_SLOTS", "many"),
        ("COMPARATOR_BUDGET", "-1"),
        ("COMPARATOR_DATABASE_URL", "mysql://somewhere"),
        ("COMPARATOR_JUGDE", "offline"),
    ],
)
def test_a_wrong_setting_is_one_line_that_names_it(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=name) as caught:
        load_settings(NO_FILE)
    assert "\n" not in str(caught.value)


def test_a_value_that_may_be_a_secret_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPARATOR_DATABASE_URL", "mysql://me:hunter2@host/db")
    with pytest.raises(SettingsError) as caught:
        load_settings(NO_FILE)
    assert "hunter2" not in str(caught.value)


def test_a_plain_postgresql_address_gets_the_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPARATOR_DATABASE_URL", "postgresql://host/db")
    assert load_settings(NO_FILE).database == "postgresql+psycopg://host/db"


def test_a_file_in_a_judged_folder_cannot_send_the_key_elsewhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-mine")
    file = tmp_path / ".env"
    file.write_text("ANTHROPIC_BASE_URL=http://127.0.0.1:9\n")

    with pytest.raises(SettingsError, match="ANTHROPIC_BASE_URL"):
        load_settings(file)

    assert "ANTHROPIC_BASE_URL" not in os.environ


def test_a_file_sets_nothing_but_ours_and_the_providers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("HTTPS_PROXY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, "placeholder")
        monkeypatch.delenv(name)
    file = tmp_path / ".env"
    file.write_text("HTTPS_PROXY=http://127.0.0.1:9\nANTHROPIC_API_KEY=sk-from-file\n")

    load_settings(file)

    assert "HTTPS_PROXY" not in os.environ
    assert os.environ["ANTHROPIC_API_KEY"] == "sk-from-file"


@pytest.mark.parametrize(
    ("file", "kept"),
    [
        ("ANTHROPIC_BASE_URL=http://127.0.0.1:9\nANTHROPIC_API_KEY=junk\n", "ANTHROPIC_API_KEY"),
        ("ANTHROPIC_BASE_URL=http://127.0.0.1:9\nANTHROPIC_AUTH_TOKEN=junk\n", "ANTHROPIC_API_KEY"),
        (
            "ANTHROPIC_FOUNDRY_RESOURCE=theirs\nANTHROPIC_FOUNDRY_API_KEY=junk\n",
            "ANTHROPIC_FOUNDRY_API_KEY",
        ),
        ("AWS_ENDPOINT_URL=http://127.0.0.1:9\nAWS_SECRET_ACCESS_KEY=junk\n", "AWS_SECRET_ACCESS_KEY"),
    ],
)
def test_a_file_with_a_key_of_its_own_cannot_send_the_environments_key_elsewhere(
    file: str, kept: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(kept, "sk-mine")
    (tmp_path / ".env").write_text(file)

    with pytest.raises(SettingsError, match="names another server"):
        load_settings(tmp_path / ".env")

    assert not {"ANTHROPIC_BASE_URL", "ANTHROPIC_FOUNDRY_RESOURCE", "AWS_ENDPOINT_URL"} & os.environ.keys()


def test_a_file_may_name_a_server_with_its_key_and_is_read_again_in_the_same_process(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, "placeholder")
        monkeypatch.delenv(name)
    file = tmp_path / ".env"
    file.write_text("ANTHROPIC_BASE_URL=http://127.0.0.1:9\nANTHROPIC_API_KEY=sk-from-file\n")

    load_settings(file)
    load_settings(file)

    assert os.environ["ANTHROPIC_BASE_URL"] == "http://127.0.0.1:9"


@pytest.mark.parametrize("name", ["COMPARATOR_CHROMIUM", "comparator_chromium"])
def test_a_file_in_a_judged_folder_starts_no_program(name: str, tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text(f"{name}=./out/chrome.sh\n")

    with pytest.raises(SettingsError, match="names a program"):
        load_settings(file)

    assert name not in os.environ


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("AWS_CONFIG_FILE", "aws"),
        ("AWS_SHARED_CREDENTIALS_FILE", "aws"),
        ("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1:9"),
        ("GOOGLE_APPLICATION_CREDENTIALS", "google.json"),
        ("GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES", "1"),
        ("ANTHROPIC_VERTEX_BASE_URL", "http://127.0.0.1:9"),
        ("ANTHROPIC_BEDROCK_BASE_URL", "http://127.0.0.1:9"),
        ("AZURE_AUTHORITY_HOST", "http://127.0.0.1:9"),
        ("CLOUD_ML_REGION", "elsewhere.example/x"),
    ],
)
def test_a_file_names_no_credentials_and_no_server_of_a_cloud(
    name: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "placeholder")
    monkeypatch.delenv(name)
    (tmp_path / ".env").write_text(f"{name}={value}\n")

    load_settings(tmp_path / ".env")

    assert name not in os.environ


def test_where_outputs_are_judged_a_file_sets_no_sign_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPARATOR_OIDC_ADMINS", "placeholder")
    monkeypatch.delenv("COMPARATOR_OIDC_ADMINS")
    (tmp_path / ".env").write_text("COMPARATOR_OIDC_ADMINS=@example.org\n")

    assert not load_settings(tmp_path / ".env", sign_in=False).entry.lets_somebody_in
    assert "COMPARATOR_OIDC_ADMINS" not in os.environ


def test_a_browser_that_is_tried_gets_no_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-mine")
    program = tmp_path / "chrome"
    program.write_text(f"#!/bin/sh\nenv > {tmp_path}/seen\n")
    program.chmod(0o755)

    assert find_chromium(str(program), Machine.of(os.environ)) == str(program)

    seen = (tmp_path / "seen").read_text().splitlines()
    assert f"HOME={os.environ['HOME']}" in seen
    assert not [line for line in seen if "sk-mine" in line]


def test_settings_are_read_from_the_environment_that_is_handed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPARATOR_SLOTS", "5")

    settings = Settings.load({"comparator_slots": "3", "COMPARATOR_START_TOKEN": "true"}, NO_FILE)

    assert (settings.slots, settings.start_token) == (3, True)


def test_a_subject_in_an_allow_list_has_to_be_named_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPARATOR_PUBLIC_URL", "https://compare.example.org")
    monkeypatch.setenv("COMPARATOR_OIDC_METADATA_URL", "https://idp.example.org/openid-configuration")
    monkeypatch.setenv("COMPARATOR_OIDC_CLIENT_ID", "x")
    monkeypatch.setenv("COMPARATOR_OIDC_CLIENT_SECRET", "x")
    monkeypatch.setenv("COMPARATOR_OIDC_COOKIE_SECRET", "s" * 40)
    monkeypatch.setenv("COMPARATOR_OIDC_ADMINS", "olga")
    with pytest.raises(SettingsError, match="sub:olga"):
        load_settings()

    monkeypatch.setenv("COMPARATOR_OIDC_ADMINS", "sub:olga")
    assert load_settings().entry.lets_somebody_in
