"""The image's steps, run in a bare Debian root made from packages, up to two processes on PostgreSQL behind the proxy.

Base images are not fetched here: the root has Debian's Python, PostgreSQL and Caddy in place of the images'. It takes
minutes, the rights of root, debootstrap and the package sources of this machine.
"""

import json
import os
import platform
import re
import shutil
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.browser.servers.serving import free_port
from tests.worlds.process import wait_until

pytestmark = [pytest.mark.soak, pytest.mark.timeout(900)]
PYTHON = "/opt/python"
OWN_CERTIFICATE = ssl._create_unverified_context()  # the proxy's own, made a moment ago
SEARCHED = f"{PYTHON}/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"


def steps(dockerfile: Path) -> tuple[tuple[str, str], ...]:
    """The instructions of the file with their arguments, long lines joined."""
    text = re.sub(r"^#.*\n", "", dockerfile.read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    parts = (line.split(maxsplit=1) for line in text.splitlines() if line.strip())
    return tuple((name, rest) for name, rest in parts)


def output_of(*command: str, timeout: int = 1200) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-4000:]}"
    return done.stdout


class Root:
    """A folder that is the root of what runs in it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def make(self) -> None:
        """Debian's smallest system with Python, by the machine's own package sources."""
        source = output_of("apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME)").splitlines()[0]
        uri, codename = source.split()
        packages = "python3,python3-venv,ca-certificates,postgresql,caddy"
        output_of("debootstrap", "--variant=minbase", f"--include={packages}", codename, str(self.path), uri)
        for name in ("etc/resolv.conf", "etc/hosts"):
            shutil.copy(f"/{name}", self.path / name)
        self.run(f"python3 -m venv {PYTHON}")

    def command(
        self, text: str, *, user: str = "root", folder: str = "/", read_only: bool = False
    ) -> tuple[str, ...]:
        """What runs a line of shell in here; read-only but for /data and /tmp, as the compose file has it."""
        inside = f"cd {folder} && {text}"
        mounts = (
            "mount --bind $0 $0; mount --bind $0/data $0/data; mount -t tmpfs tmpfs $0/tmp; "
            "mount -t proc proc $0/proc; mount -o remount,bind,ro $0"
        )
        own = ("unshare", "--mount", "sh", "-ec", f'{mounts}; exec "$@"', str(self.path)) if read_only else ()
        return (*own, "chroot", f"--userspec={user}", str(self.path), "env", "-i", f"PATH={SEARCHED}", "HOME=/data",
                "PIP_NO_INDEX=1", "PIP_FIND_LINKS=/wheels", "LANG=C.UTF-8", "sh", "-c", inside)  # fmt: skip

    def run(self, text: str, *, folder: str = "/") -> str:
        return output_of(*self.command(text, folder=folder))


def lacks() -> str:
    """What this machine does not have for such a root and no package would bring; empty where it has all."""
    if os.geteuid() != 0:
        return "chroot needs the rights of root"
    if platform.freedesktop_os_release()["ID"] != "debian":
        return "the root is made from Debian's package sources, and this is no Debian"
    if subprocess.run(("unshare", "--mount", "true"), capture_output=True, check=False).returncode != 0:
        return "this machine lets nobody mount anything"
    return ""


@pytest.fixture
def root(tmp_path: Path, repository: Path) -> Iterator[Root]:
    if lacking := lacks():
        pytest.skip(lacking)
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
        pin for pin in locked if not pin.marker or pin.marker.evaluate({"python_full_version": version})
    ]
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--dest", str(root.path / "wheels"))
    output_of(*pip, "--no-deps", *(f"{pin.name}{pin.specifier}" for pin in wanted))
    output_of(*pip, *(f"s3fs{pin.specifier}" for pin in wanted if pin.name == "fsspec"))


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
    for name in output_of("git", "-C", str(repository), "ls-files").splitlines():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(repository / name, place / name)


def test_the_images_steps_lead_to_two_processes_behind_the_proxy(root: Root, repository: Path) -> None:
    user, folder = build(root, repository)
    site, database = free_port(), free_port()
    (root.path / "etc/hosts").write_text("127.0.0.1 localhost\n127.0.7.1 app\n127.0.7.2 app\n")
    settings = (
        f"COMPARATOR_DATABASE_URL=postgresql+psycopg://comparator:secret@127.0.0.1:{database}/comparator "
    )
    settings += "COMPARATOR_BLOB_URL=file:///data/blobs COMPARATOR_PROXIES=1 COMPARATOR_JUDGE=offline"

    def ours(command: str, *, home: str = "cli") -> tuple[str, ...]:
        line = f"COMPARATOR_HOME=/data/{home} {settings} exec comparator {command}"
        return root.command(line, user=user, folder=folder, read_only=True)

    with ExitStack() as services:
        services.enter_context(postgresql(root, database))
        output_of(*ours("db upgrade"))
        pair = "/app/examples/incident-report"
        output_of(*ours(f"judge --a {pair}/a --b {pair}/b --prompt 'Report on the outage.' --out -"))
        servers = [
            services.enter_context(
                running(*ours(f"serve --host {host} --allow-network --no-examples", home=host))
            )
            for host in ("127.0.7.1", "127.0.7.2")
        ]
        for host in ("127.0.7.1", "127.0.7.2"):
            wait_until(partial(ready, f"http://{host}:8501/ready"))
        proxy = f"SITE=https://localhost:{site} exec caddy run --config /app/deploy/Caddyfile"
        services.enter_context(running(*root.command(proxy)))
        wait_until(lambda: ready(f"https://localhost:{site}/ready"))
        browsers = {cookie(f"https://localhost:{site}/ready") for _ in range(20)}
        kept = {cookie(f"https://localhost:{site}/ready", sent=own) for own in browsers for _ in range(3)}
        status = [Path(f"/proc/{server.pid}/status").read_text() for server in servers]
        mounts = [Path(f"/proc/{server.pid}/mounts").read_text() for server in servers]
        listed = output_of(*ours("list --json"))

    assert user != "root"
    assert all("Uid:\t1000\t1000\t1000\t1000" in text for text in status)
    assert all(re.search(r"^\S+ / \S+ ro[, ]", table, re.MULTILINE) for table in mounts), (
        "the root is read-only"
    )
    assert [server.returncode in (0, -15) for server in servers] == [True, True]
    assert len(browsers) == 2, "the proxy shares new browsers out over both processes"
    assert kept == {""}, "a browser with its cookie stays where it is"
    assert json.loads(listed)["total"] == 1


@contextmanager
def running(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that is told to end, and waited for, at the end of the context."""
    process = subprocess.Popen(command)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(timeout=40)


@contextmanager
def postgresql(root: Root, port: int) -> Iterator[None]:
    """Debian's PostgreSQL, with a database for us."""
    (version,) = (root.path / "etc/postgresql").iterdir()
    conf = f"/etc/postgresql/{version.name}/main/postgresql.conf"
    server = f"exec /usr/lib/postgresql/{version.name}/bin/postgres -p {port} -c config_file={conf}"
    with running(*root.command(server, user="postgres")):
        ask = root.command(f"pg_isready -q -p {port}", user="postgres")
        wait_until(lambda: subprocess.run(ask, check=False).returncode == 0)
        psql = f"psql -q -p {port} -c"
        output_of(
            *root.command(f"""{psql} "CREATE ROLE comparator LOGIN PASSWORD 'secret'" """, user="postgres")
        )
        output_of(*root.command(f"createdb -p {port} -O comparator comparator", user="postgres"))
        yield


def cookie(url: str, *, sent: str = "") -> str:
    """By which the proxy knows a browser's process; empty where it sets none."""
    request = urllib.request.Request(url, headers={"cookie": sent} if sent else {})
    with urllib.request.urlopen(request, timeout=5, context=OWN_CERTIFICATE) as answer:
        return str(answer.headers.get("set-cookie", "")).partition(";")[0]


def ready(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5, context=OWN_CERTIFICATE) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
