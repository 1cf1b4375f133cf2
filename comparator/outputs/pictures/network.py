"""Cuts this process, and all that it starts, off every network where the system lets it."""

from __future__ import annotations

import contextlib
import ctypes
import os
from pathlib import Path

_NEW_USER, _NEW_NET = 0x10000000, 0x40000000


def cut_off() -> bool:
    """Move into a network of our own that has no way out, not even to this machine's loopback; whether it worked.

    Linux only; root needs the right to do so, others need user namespaces.
    """
    try:
        unshare = ctypes.CDLL(None, use_errno=True).unshare
    except (OSError, AttributeError):
        return False
    if os.geteuid() == 0:
        return bool(unshare(_NEW_NET) == 0)
    user, group = os.geteuid(), os.getegid()
    if unshare(_NEW_USER | _NEW_NET) != 0:
        return False
    with contextlib.suppress(OSError):
        Path("/proc/self/setgroups").write_text("deny")
    with contextlib.suppress(OSError):
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    return True
