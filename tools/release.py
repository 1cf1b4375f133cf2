"""Builds the wheel and the source distribution, and tries the wheel in a clean environment, as its users would."""

import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
START_SECONDS = 120
NAMES = ("PATH", "LANG", "LC_ALL", "PIP_CERT", "PIP_CACHE_DIR", "UV_CACHE_DIR", "SSL_CERT_FILE")
"""What the tried commands may know of this environment."""
JUDGE = ("judge", "--a", "a", "--b", "b", "--prompt", "Report the total.", "--json")
IMPORT = ("import", "pairs.jsonl", "--judge", "now", "--json")


def run(*command: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    """What the command prints. Raises CalledProcessError where it fails."""
    print("  " + " ".join(Path(part).name if isinstance(part, Path) else part for part in command))
    return subprocess.run(
        list(map(str, command)), cwd=cwd, env=env, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def build() -> Path:
    """Both distributions in dist/; the wheel."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "hatchling", "build", "-d", DIST)
    (wheel,) = DIST.glob("*.whl")
    return wheel


def installed(wheel: Path, folder: Path) -> Path:
    """The command `comparator` in a new environment that holds the wheel and what the lock names."""
    venv.create(folder, with_pip=True)
    pip = (folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, "--require-hashes", "-r", ROOT / "requirements" / "run.txt")
    run(*pip, "--no-deps", wheel)
    return folder / "bin" / "comparator"


def environment(home: Path) -> dict[str, str]:
    """What a command is tried with: a home of its own and no account."""
    known = {name: os.environ[name] for name in NAMES if name in os.environ}
    return known | {"HOME": str(home), "COMPARATOR_HOME": str(home / "home"), "COMPARATOR_JUDGE": "offline"}


def try_out(comparator: Path, folder: Path) -> None:
    """Judge a pair, import an experiment, open the app. Raises where something does not do what it should."""
    env = environment(folder)
    for name, text in (("a", "# Report\n\nThe total is 420 kg.\n"), ("b", "about 400\n")):
        (folder / name).mkdir()
        (folder / name / "report.md").write_text(text, encoding="utf-8")
    run(comparator, "--version", cwd=folder, env=env)
    judged = run(comparator, *JUDGE, cwd=folder, env=env)
    assert json.loads(judged)["winner"] in ("A", "B", "TIE"), judged
    (folder / "pairs.jsonl").write_text(
        json.dumps({"prompt": "Add 2 and 2.", "output_a": "4", "output_b": "5"}) + "\n", encoding="utf-8"
    )
    imported = json.loads(run(comparator, *IMPORT, cwd=folder, env=env))
    assert imported["new"] == 1, imported
    serve(comparator, folder, env)


def serve(comparator: Path, folder: Path, env: dict[str, str]) -> None:
    """Start the app, wait until it answers, and end it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    print(f"  comparator serve --port {port}")
    with subprocess.Popen(
        [comparator, "serve", "--no-browser", "--port", str(port)], cwd=folder, env=env
    ) as server:
        try:
            deadline = time.monotonic() + START_SECONDS
            while True:
                try:
                    with urllib.request.urlopen(
                        f"http://127.0.0.1:{port}/_stcore/health", timeout=5
                    ):  # our own address
                        return
                except (urllib.error.URLError, ConnectionError, TimeoutError):
                    if server.poll() is not None or time.monotonic() > deadline:
                        raise
                    time.sleep(0.2)
        finally:
            server.terminate()


def try_uvx(wheel: Path, place: Path) -> None:
    """Judge a pair with the wheel as uvx runs it, where uv is installed."""
    uv = shutil.which("uv")
    if uv is None:
        print("uvx: not tried, uv is not installed")
        return
    print("Try it with uvx")
    env = environment(place / "uvx")
    judged = run(uv, "tool", "run", "--from", wheel, "comparator", *JUDGE, cwd=place / "work", env=env)
    assert json.loads(judged)["winner"] in ("A", "B", "TIE"), judged


def main() -> int:
    """Returns 0; whatever fails raises."""
    print("Build")
    wheel = build()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        print("Install into a clean environment")
        comparator = installed(wheel, place / "venv")
        print("Write the bill of materials")
        bill = DIST / f"{wheel.name.removesuffix('.whl')}.cdx.json"
        cyclonedx = Path(sys.executable).with_name("cyclonedx-py")
        run(cyclonedx, "environment", place / "venv", "--pyproject", "pyproject.toml", "-o", bill)
        print("Try it")
        (place / "work").mkdir()
        try_out(comparator, place / "work")
        try_uvx(wheel, place)
    for file in sorted(DIST.iterdir()):
        print(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
