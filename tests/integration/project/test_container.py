"""The image's steps, run in a bare Debian root made from packages, up to the answering app.

Base images are not fetched here: the root has Debian's Python in place of the image's. It takes minutes, the rights of
root, debootstrap and the package sources of this machine.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.app.conftest import wait_until
from tests.browser.serving import free_port

pytestmark = pytest.mark.soak
PYTHON = "/opt/python"
SEARCHED = f"{PYTHON}/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"


def steps(dockerfile: Path) -> tuple[tuple[str, str], ...]:
    """The instructions of the file with their arguments, long lines joined."""
    text = re.sub(r"^#.*\n", "", dockerfile.read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    parts = (line.split(maxsplit=1) for line in text.splitlines() if line.strip())
    return tuple((name, rest) for name, rest in parts)


def told(*command: str, timeout: int = 1200) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-4000:]}"
    return done.stdout


class Root:
    """A folder that is the root of what runs in it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def make(self) -> None:
        """Debian's smallest system with Python, by the machine's own package sources."""
        source = told("apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME)").splitlines()[0]
        uri, codename = source.split()
        told("debootstrap", "--variant=minbase", "--include=python3,python3-venv,ca-certificates", codename,
             str(self.path), uri)  # fmt: skip
        for name in ("etc/resolv.conf", "etc/hosts"):
            shutil.copy(f"/{name}", self.path / name)
        self.run(f"python3 -m venv {PYTHON}")

    def command(self, text: str, *, user: str = "root", folder: str = "/") -> tuple[str, ...]:
        """What runs a line of shell in here."""
        inside = f"cd {folder} && {text}"
        return ("chroot", f"--userspec={user}", str(self.path), "env", "-i", f"PATH={SEARCHED}", "HOME=/data",
                "PIP_NO_INDEX=1", "PIP_FIND_LINKS=/wheels", "LANG=C.UTF-8", "sh", "-c", inside)  # fmt: skip

    def run(self, text: str, *, folder: str = "/") -> str:
        """What the line prints."""
        return told(*self.command(text, folder=folder))


@pytest.fixture
def root(tmp_path: Path, repository: Path) -> Iterator[Root]:
    assert os.geteuid() == 0, "This test needs the rights of root, for chroot."
    assert shutil.which("debootstrap"), "Install debootstrap (Debian: apt-get install debootstrap)."
    root = Root(tmp_path / "root")
    root.make()
    fetch(root, repository / "requirements" / "run.txt")
    yield root
    shutil.rmtree(root.path, ignore_errors=True)


def fetch(root: Root, lock: Path) -> None:
    """What the steps install, by this machine's own pip: the root has no network configuration of its own.

    Which of the locked packages these are depends on the root's Python. Their hashes are checked by the step itself.
    """
    version = root.run("python3 -c 'import platform; print(platform.python_version())'").strip()
    lines = re.sub(r"\\\n|--hash=\S+", " ", lock.read_text()).splitlines()
    locked = [Requirement(line) for line in lines if line.strip() and not line.startswith("#")]
    wanted = [
        each for each in locked if not each.marker or each.marker.evaluate({"python_full_version": version})
    ]
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--dest", str(root.path / "wheels"))
    told(*pip, "--no-deps", *(f"{each.name}{each.specifier}" for each in wanted))
    told(*pip, *(f"s3fs{each.specifier}" for each in wanted if each.name == "fsspec"))


def build(root: Root, repository: Path) -> tuple[str, str]:
    """Carry the Dockerfile's steps out; the user and the folder that its program runs with."""
    user, folder = "root", "/"
    for name, rest in steps(repository / "deploy" / "Dockerfile"):
        if name == "RUN":
            root.run(rest, folder=folder)
        elif name == "WORKDIR":
            folder = rest
            (root.path / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif name == "COPY":
            copy(repository, root.path / folder.lstrip("/"), rest)
        elif name == "USER":
            user = rest
        else:
            assert name in ("FROM", "VOLUME", "EXPOSE"), f"{name} is not carried out"
    return user, folder


def copy(repository: Path, place: Path, rest: str) -> None:
    source, target = rest.split()
    if source != ".":
        (place / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(repository / source, place / target)
        return
    for name in told("git", "-C", str(repository), "ls-files").splitlines():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(repository / name, place / name)


def test_the_images_steps_lead_to_an_app_that_answers_as_a_user_without_rights(
    root: Root, repository: Path
) -> None:
    user, folder = build(root, repository)
    port = free_port()

    serve = f"COMPARATOR_HOME=/data exec comparator serve --no-examples --port {port}"
    server = subprocess.Popen(root.command(serve, user=user, folder=folder))
    try:
        wait_until(lambda: ready(f"http://127.0.0.1:{port}/ready"))
        status = Path(f"/proc/{server.pid}/status").read_text()
    finally:
        server.terminate()
        code = server.wait(timeout=40)

    assert user != "root"
    assert "Uid:\t1000\t1000\t1000\t1000" in status
    assert code in (0, -15)
    written = {path.relative_to(root.path).parts[0] for path in root.path.rglob("*") if owned(path)}
    assert written <= {"data", "tmp"}, "nothing else is written, so the root may be read-only"


def owned(path: Path) -> bool:
    return not path.is_symlink() and path.lstat().st_uid == 1000


def ready(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
