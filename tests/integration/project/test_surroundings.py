"""The fixtures that other tests rely on."""

import os
import subprocess
from pathlib import Path

import psycopg
import pytest


def test_postgres_is_real_and_empty(postgres_url: str) -> None:
    plain = postgres_url.replace("postgresql+psycopg://", "postgresql://")

    with psycopg.connect(plain) as connection:
        version = connection.execute("SELECT version()").fetchone()
        tables = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
        connection.execute("CREATE TABLE left_over (n integer)")

    assert version is not None
    assert version[0].startswith("PostgreSQL")
    assert tables == (0,)


@pytest.mark.parametrize("again", [1, 2])
def test_each_test_gets_its_own_database(postgres_url: str, again: int) -> None:
    with psycopg.connect(postgres_url.replace("+psycopg", "")) as connection:
        connection.execute("CREATE TABLE the_same_name (n integer)")


def test_chromium_renders_a_page(chromium_path: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        "<p id=x></p><script>document.getElementById('x').textContent = 6 * 7</script>", encoding="utf-8"
    )

    done = subprocess.run(
        [chromium_path, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
         "--disable-background-networking", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", page.as_uri()],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip

    assert '<p id="x">42</p>' in done.stdout


def test_no_setting_of_the_developers_machine_is_seen() -> None:
    assert not [name for name in os.environ if name.startswith(("ANTHROPIC_", "COMPARATOR_", "AWS_"))]
    assert Path.home() == Path.cwd()
    assert not (Path.cwd() / ".env").exists()
