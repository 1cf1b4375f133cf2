"""A process with all its descendants: what they use, how they are ended, and how they are cut off every network."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import time
from collections import defaultdict
from pathlib import Path

_PROC = Path("/proc")
_PARENT_DEATH, _SUBREAPER = 1, 36  # PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER
_NEW_USER, _NEW_NET = 0x10000000, 0x40000000


def die_with_parent() -> None:
    """In a child: die with the parent, and stay the parent of what our own children leave behind (Linux)."""
    with contextlib.suppress(OSError, AttributeError):
        prctl = ctypes.CDLL(None).prctl
        prctl(_PARENT_DEATH, signal.SIGKILL)
        prctl(_SUBREAPER, 1, 0, 0, 0)


def descendants(pid: int) -> list[int]:
    """All processes below this one; none where the system does not tell."""
    children = defaultdict(list)
    for entry in _PROC.glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name in parentheses may hold anything, so that fields are counted from its end.
            fields = entry.read_text("utf-8", "replace").rpartition(")")[2].split()
            children[int(fields[1])].append(int(entry.parent.name))
    pids, waiting = [], [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        pids += below
        waiting += below
    return pids


def memory_of(pid: int) -> int:
    """Bytes that the process and its descendants hold themselves; shared code is not counted. 0 if unknown."""
    total = 0
    for each in (pid, *descendants(pid)):
        with contextlib.suppress(OSError, ValueError):
            for line in (_PROC / str(each) / "status").read_text("utf-8", "replace").splitlines():
                if line.startswith(("RssAnon:", "RssShmem:")):
                    total += int(line.split()[1]) * 1024
    return total


def end_all(pid: int, *, seconds: float = 5.0) -> None:
    """Kill the process and everything below it, whatever groups they have put themselves into."""
    deadline = time.monotonic() + seconds
    # The parent stays until last: it inherits what its children leave behind, so that nothing gets lost.
    while (below := descendants(pid)) and time.monotonic() < deadline:
        for each in below:
            _kill(each)
        if _all_dead(below):
            break
        time.sleep(0.01)
    _kill(pid)


def _all_dead(pids: list[int]) -> bool:
    for pid in pids:
        with contextlib.suppress(OSError, IndexError):
            state = (_PROC / str(pid) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0]
            if state not in ("Z", "X"):
                return False
    return True


def _kill(pid: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)


def cut_off(*, also: int = 0) -> bool:
    """Move into a network of our own that has no way out, not even to this machine's loopback; whether it worked.

    `also` are flags of further namespaces. Linux only; root needs the right to do so, others need user namespaces.
    """
    try:
        unshare = ctypes.CDLL(None, use_errno=True).unshare
    except (OSError, AttributeError):
        return False
    if os.geteuid() == 0:
        return bool(unshare(_NEW_NET | also) == 0)
    user, group = os.geteuid(), os.getegid()
    if unshare(_NEW_USER | _NEW_NET | also) != 0:
        return False
    with contextlib.suppress(OSError):
        Path("/proc/self/setgroups").write_text("deny")
    try:
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    except OSError:
        return False
    return True
