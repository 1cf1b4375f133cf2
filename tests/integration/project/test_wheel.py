"""Installed as a wheel, the project has all that it needs."""

import os
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.servers.serving import Process, free_port
from tests.worlds.process import run


@pytest.fixture(scope="module")
def wheel(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    done = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=repository)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_carries_all_that_the_app_needs(repository: Path, wheel: Path) -> None:
    tracked = run("git", "ls-files", "comparator", "pages", "examples", cwd=repository).stdout.splitlines()
    if not tracked:  # an unpacked source distribution has no history
        tracked = [
            path.relative_to(repository).as_posix()
            for folder in ("comparator", "pages", "examples")
            for path in (repository / folder).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        ]
    wanted = {name if name.startswith("comparator/") else f"comparator/_app/{name}" for name in tracked}
    wanted |= {f"comparator/_app/docs/{page.name}" for page in (repository / "docs").glob("*.md")}
    wanted |= {"comparator/_app/app.py", "comparator/_app/.streamlit/config.toml"}

    with zipfile.ZipFile(wheel) as archive:
        shipped = set(archive.namelist())

    assert wanted <= shipped
    ours = ("tests/", "tools/", "pages/")
    assert not [name for name in shipped if name.startswith(ours) or "__pycache__" in name]


OF_THE_REPOSITORY = (".github", ".devcontainer", ".dockerignore", ".editorconfig", ".pre-commit-config.yaml")


def test_the_source_distribution_carries_what_others_need(repository: Path, tmp_path: Path) -> None:
    tracked = run("git", "ls-files", cwd=repository).stdout.splitlines()
    if not tracked:
        pytest.skip("an unpacked source distribution has no history")

    done = run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", tmp_path, cwd=repository)

    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(built) as archive:
        shipped = {name.partition("/")[2] for name in archive.getnames()}
    assert {name for name in tracked if not name.startswith(OF_THE_REPOSITORY)} <= shipped
    assert not [name for name in shipped if name.startswith(OF_THE_REPOSITORY)]


@pytest.fixture
def served(wheel: Path, tmp_path: Path) -> Iterator[str]:
    """The address of `comparator serve`, run from the unpacked wheel in a folder that is no repository."""
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    environment = os.environ | {"PYTHONPATH": str(site), "COMPARATOR_HOME": str(tmp_path / "home")}
    code = "import comparator; print(comparator.__file__)"
    where = run(sys.executable, "-c", code, cwd=tmp_path, env=environment)
    assert where.stdout.strip() == os.fspath(site / "comparator/__init__.py")
    start = "import sys; from comparator.cli import main; sys.exit(main())"
    port = free_port()
    command = ("-c", start, "serve", "--no-browser", "--port", str(port))
    with Process(*command, port=port, log=tmp_path / "log", environment=environment) as server:
        yield server.url


@pytest.mark.slow
def test_the_app_opens_from_the_wheel_in_another_place(served: str, chromium_path: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(served)

        expect(page.get_by_role("link", name="History")).to_be_visible(timeout=60_000)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        browser.close()
