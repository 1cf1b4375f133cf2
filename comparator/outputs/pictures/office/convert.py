"""Runs LibreOffice where it sees programs, fonts and its own folder only, and reaches no network."""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
from pathlib import Path

from comparator.outputs.isolated.messages import Unreadable
from comparator.outputs.isolated.process import cut_off, die_with_parent

_NOT_ALONE = 77
"""Exit code: the system lets no process have files and a network of its own."""
WORK = "/work"
_MOUNTS_AND_PROCESSES = 0x20000 | 0x8000000 | 0x20000000  # CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWPID
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


def converted(
    data: bytes, kind: str, to: str, program: str, profile: str, alone: bool, most: int
) -> bytes | None:
    """A document of this kind in the format `to`; None where the system does not let the program be shut off.

    Raises Unreadable.
    """
    home = Path.cwd()
    for folder in ("profile/user", "in", "out"):
        (home / folder).mkdir(parents=True)
    (home / "profile/user/registrymodifications.xcu").write_text(profile, "utf-8")
    (home / f"in/document.{kind}").write_bytes(data)
    if os.geteuid() == 0:
        for path in (home, *home.rglob("*")):
            os.chown(path, _NOBODY, _NOBODY)
    place = WORK if alone else str(home)
    command = [
        program,
        "--headless",
        "--norestore",
        "--nologo",
        "--nodefault",
        "--nofirststartwizard",
        "--nolockcheck",
        f"-env:UserInstallation=file://{place}/profile",
        "--convert-to",
        to,
        "--outdir",
        f"{place}/out",
        f"{place}/in/document.{kind}",
    ]
    pid = os.fork()
    if pid == 0:
        code = _NOT_ALONE
        with contextlib.suppress(OSError):
            die_with_parent()
            if alone:
                code = _shut_off(command, _environment(place), home)
            else:
                cut_off()
                code = _run(command, _environment(place))
        os._exit(code)
    if _ended(pid) == _NOT_ALONE:
        return None
    return _result(home / f"out/document.{to.partition(':')[0]}", most)


def _shut_off(command: list[str], environment: dict[str, str], home: Path) -> int:
    if not cut_off(also=_MOUNTS_AND_PROCESSES):
        return _NOT_ALONE
    pid = os.fork()
    if pid == 0:
        # The first process of the new process space: when it ends, all others in there end with it.
        code = _NOT_ALONE
        with contextlib.suppress(OSError):
            _enter(home, command[0])
            code = _run(command, environment)
        os._exit(code)
    return _ended(pid)


def _result(path: Path, most: int) -> bytes:
    """What the converter wrote, and not where a link in its place leads. Raises Unreadable."""
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            about = os.fstat(file.fileno())
            if stat.S_ISREG(about.st_mode) and 0 < about.st_size <= most:
                return file.read()
    raise Unreadable("LibreOffice made no pages of it.")


def _environment(place: str) -> dict[str, str]:
    return {
        "HOME": f"{place}/profile",
        "TMPDIR": f"{place}/out",
        "LANG": "en_US.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PATH": "/usr/bin:/bin",
        "SAL_USE_VCLPLUGIN": "svp",
        "SAL_DISABLE_OPENCL": "1",
        "SAL_DISABLE_SYNCHRONOUS_PRINTER_DETECTION": "1",
    }


def _run(command: list[str], environment: dict[str, str]) -> int:
    """Run the command, once more where it asks for that; its exit code."""
    code = _AGAIN
    for _ in range(2):
        pid = os.fork()
        if pid == 0:
            with contextlib.suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                _drop()
                os.execve(command[0], command, environment)  # noqa: S606 - no shell is wanted
            os._exit(_NOT_ALONE)
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
