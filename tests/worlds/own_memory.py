"""The most memory a process had of its own: what getrusage says begins with that of the process that started it."""

import re
from pathlib import Path


def own_megabytes() -> int:
    """Of this process, since it began to run its program; Linux only."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    assert found is not None
    return int(found[1]) // 1024
