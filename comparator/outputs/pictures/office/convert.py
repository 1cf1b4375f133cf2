"""Runs LibreOffice where it sees programs, fonts and its own folder only, and reaches no network."""

import contextlib
import ctypes
import os
import stat
import struct
import subprocess
from pathlib import Path

from comparator.outputs.isolated.messages import Unreadable
from comparator.outputs.isolated.process import cut_off, die_with_parent

_NO_NEW_PRIVILEGES = 38
_NOBODY = 65534
_READ_FROM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/fonts", "/etc/libreoffice",
    "/etc/alternatives", "/etc/ld.so.cache", "/var/cache/fontconfig", "/dev/zero", "/dev/random", "/dev/urandom",
    # Where Debian's packages keep what LibreOffice wrote once when it was started by root: it reads that or aborts.
    "/var/lib/libreoffice", "/var/spool/libreoffice",
)  # fmt: skip
_CREATE_RULES, _ADD_RULE, _KEEP_RULES = 444, 445, 446
"""System calls of Landlock (Linux 5.13 and later), by which a process gives up files that it does not need."""
_READ, _OF_FILES = 0b1101, 1 << 14 | 0b111
"""Rights to execute, read and list, and those that a single file has."""
_SOCKETS = 1 << 9 | 1 << 5
"""To make and remove the socket by which LibreOffice knows that it runs once; it lies in /tmp whatever it is told."""
_AGAIN = 81
"""LibreOffice asks to be started again once it has set up a new profile."""

_libc = ctypes.CDLL(None, use_errno=True)


def convert(
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
    command = [
        program,
        "--headless",
        "--norestore",
        "--nologo",
        "--nodefault",
        "--nofirststartwizard",
        "--nolockcheck",
        f"-env:UserInstallation=file://{home}/profile",
        "--convert-to",
        to,
        "--outdir",
        f"{home}/out",
        f"{home}/in/document.{kind}",
    ]
    is_cut_off, is_root = cut_off(), os.geteuid() == 0
    if hasattr(_libc, "prctl"):
        _libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if alone and not (is_cut_off and _sees_only(home, program)):
        return None
    try:
        for _ in range(2):
            ended = subprocess.run(
                command,
                env=_environment(home),
                stdin=subprocess.DEVNULL,
                check=False,
                user=_NOBODY if is_root else None,
                group=_NOBODY if is_root else None,
                extra_groups=() if is_root else None,
                preexec_fn=die_with_parent,
            )
            if ended.returncode != _AGAIN:
                break
    except (OSError, subprocess.SubprocessError):
        return None
    return _result(home / f"out/document.{to.partition(':')[0]}", most)


def _result(path: Path, most: int) -> bytes:
    """What the converter wrote, and not where a link in its place leads. Raises Unreadable."""
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            about = os.fstat(file.fileno())
            if stat.S_ISREG(about.st_mode) and 0 < about.st_size <= most:
                return file.read()
    raise Unreadable("LibreOffice made no pages of it.")


def _environment(home: Path) -> dict[str, str]:
    return {
        "HOME": f"{home}/profile",
        "TMPDIR": f"{home}/out",
        "LANG": "en_US.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PATH": "/usr/bin:/bin",
        "SAL_USE_VCLPLUGIN": "svp",
        "SAL_DISABLE_OPENCL": "1",
        "SAL_DISABLE_SYNCHRONOUS_PRINTER_DETECTION": "1",
    }


def _sees_only(home: Path, program: str) -> bool:
    """Keep this process from all files but programs, fonts and its own folder; whether the system can."""
    version = _libc.syscall(_CREATE_RULES, None, 0, 1)
    if version < 1:
        return False
    every_right = (1 << {1: 13, 2: 14}.get(version, 15)) - 1
    # From version 6 on neither signals nor sockets without a file lead to processes outside.
    handled = struct.pack("3Q", every_right, 0, 3)[: 24 if version >= 6 else 8]
    rules = _libc.syscall(_CREATE_RULES, handled, len(handled), 0)
    installed = str(Path(program).resolve().parent.parent)
    rights = dict.fromkeys((*_READ_FROM, installed), _READ) | {
        "/dev/null": 0b110, "/tmp": _SOCKETS, str(home): every_right,  # noqa: S108
    }  # fmt: skip
    for place, allowed in rights.items():
        with contextlib.suppress(FileNotFoundError):
            opened = os.open(place, os.O_PATH | os.O_CLOEXEC)
            own = allowed if stat.S_ISDIR(os.fstat(opened).st_mode) else allowed & _OF_FILES
            _libc.syscall(_ADD_RULE, rules, 1, struct.pack("=Qi", own, opened), 0)
            os.close(opened)
    return bool(_libc.syscall(_KEEP_RULES, rules, 0) == 0)
