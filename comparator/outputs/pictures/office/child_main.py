"""Starts the converter where it sees programs, fonts and its own folder only, and reaches no network."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    # Started by path with -I, which keeps the environment and the current folder out of the import path.
    sys.path.insert(0, str(Path(__file__).resolve().parents[4]))

from comparator.outputs.pictures.network import cut_off
from comparator.outputs.pictures.processes import keep_descendants

NOT_ALONE = 77
"""Exit code: the system lets no process have files and a network of its own."""
WORK = "/work"
_NEW_NS, _NEW_IPC, _NEW_USER, _NEW_PID, _NEW_NET = 0x20000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
_READ_ONLY, _NO_SUID, _NO_DEV, _NO_EXEC, _REMOUNT, _BIND, _ALL, _PRIVATE = (
    1,
    2,
    4,
    8,
    32,
    4096,
    16384,
    1 << 18,
)
_NO_NEW_PRIVILEGES = 38
_NOBODY = 65534
_FOLDERS = ("usr", "etc/fonts", "etc/libreoffice", "etc/alternatives", "var/cache/fontconfig")
_LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_DEVICES = ("null", "zero", "random", "urandom")
_AGAIN = 81
"""LibreOffice asks to be started again once it has set up a new profile."""

_libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Run the command of the plan; exit with its code, or with `NOT_ALONE`."""
    plan = json.loads(sys.argv[1])
    keep_descendants()
    for what, value in ((resource.RLIMIT_FSIZE, plan["answer"]), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (value, value))
    home = Path(plan["home"])
    if not plan["alone"]:
        cut_off()
        os.chdir(home)
        sys.exit(_run(plan))
    if not _leave():
        sys.exit(NOT_ALONE)
    pid = os.fork()
    if pid == 0:
        # The first process of the new process space: when it ends, all others in there end with it.
        code = NOT_ALONE
        with contextlib.suppress(OSError):
            _enter(home, str(plan["program"]))
            code = _run(plan)
        os._exit(code)
    sys.exit(_ended(pid))


def _leave() -> bool:
    """Move into mounts, processes and a network of our own."""
    flags = _NEW_NS | _NEW_IPC | _NEW_NET | _NEW_PID
    user, group = os.geteuid(), os.getegid()
    try:
        if user == 0:
            return bool(_libc.unshare(flags) == 0)
        if _libc.unshare(flags | _NEW_USER) != 0:
            return False
        with contextlib.suppress(OSError):
            Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    except (OSError, AttributeError):
        return False
    return True


def _run(plan: dict[str, Any]) -> int:
    """Run the command, once more where it asks for that; its exit code."""
    code = _AGAIN
    for _ in range(2):
        pid = os.fork()
        if pid == 0:
            with contextlib.suppress(OSError):
                _drop()
                arguments = [plan["program"], *plan["arguments"]]
                os.execve(plan["program"], arguments, plan["environment"])  # noqa: S606 - no shell is wanted
            os._exit(NOT_ALONE)
        if (code := _ended(pid)) != _AGAIN:
            break
    return code


def _ended(pid: int) -> int:
    """The exit code of a process of ours; what else ends meanwhile was left behind by it."""
    while True:
        found, status = os.wait()
        if found == pid:
            return os.waitstatus_to_exitcode(status) % 256


def _enter(home: Path, program: str) -> None:
    """Make a root of programs, fonts and the work folder, and stay in it. Raises OSError."""
    _mount(None, "/", None, _PRIVATE | _ALL)
    root = Path("/tmp") if Path("/tmp").is_dir() else home  # noqa: S108 - a mount of our own covers it
    # Opened before the folder that it lies in is covered.
    work = os.open(home, os.O_PATH | os.O_DIRECTORY)
    _mount("tmpfs", str(root), "tmpfs", _NO_SUID | _NO_DEV, "size=16m,mode=755")
    for name in ("work", "tmp", "dev", "proc", "etc"):
        (root / name).mkdir()
    _mount("tmpfs", str(root / "tmp"), "tmpfs", _NO_SUID | _NO_DEV | _NO_EXEC, "size=16m,mode=1777")
    _mount(f"/proc/self/fd/{work}", str(root / "work"), None, _BIND)
    os.close(work)
    installed = Path(program).resolve().parent.parent
    extra = () if installed.is_relative_to("/usr") else (str(installed).lstrip("/"),)
    for name in (*_FOLDERS, *extra):
        if Path("/", name).is_dir():
            (root / name).mkdir(parents=True, exist_ok=True)
            _bind(f"/{name}", root / name)
    for name in _LINKS:
        source = Path("/", name)
        if source.is_symlink():
            (root / name).symlink_to(source.readlink())
        elif source.is_dir():
            (root / name).mkdir()
            _bind(str(source), root / name)
    with contextlib.suppress(FileNotFoundError):
        (root / "etc/ld.so.cache").write_bytes(Path("/etc/ld.so.cache").read_bytes())
    for name in _DEVICES:
        (root / "dev" / name).touch()
        _mount(f"/dev/{name}", str(root / "dev" / name), None, _BIND)
    # Of a process space of our own, so that it shows no other process.
    _mount("proc", str(root / "proc"), "proc", _NO_SUID | _NO_DEV | _NO_EXEC)
    _mount(None, str(root), None, _REMOUNT | _READ_ONLY | _NO_SUID | _NO_DEV)
    os.chroot(root)
    os.chdir(WORK)


def _bind(source: str, target: Path) -> None:
    _mount(source, str(target), None, _BIND | _ALL)
    # Without rights the files cannot be changed anyway, and the flags of a foreign mount may be locked.
    with contextlib.suppress(PermissionError):
        _mount(None, str(target), None, _BIND | _REMOUNT | _READ_ONLY | _NO_SUID | _NO_DEV)


def _drop() -> None:
    """Give every right away."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(_NOBODY)
        os.setuid(_NOBODY)
    _libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    _libc.prctl(1, 9, 0, 0, 0)  # PR_SET_PDEATHSIG, SIGKILL: changing the user has reset it.


def _mount(source: str | None, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    encoded = [None if text is None else os.fsencode(text) for text in (source, target, kind, options)]
    if _libc.mount(encoded[0], encoded[1], encoded[2], ctypes.c_ulong(flags), encoded[3]) != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), target)


if __name__ == "__main__":
    main()
