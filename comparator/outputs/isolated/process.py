"""Isolated processes: the app starts, feeds and ends them with all their descendants; they cut themselves off."""

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

from comparator.domain.errors import LimitExceeded, OutputRefused
from comparator.outputs.isolated.messages import Malformed, Message, TooLarge, check_type, pack, read_message
from comparator.outputs.limits import Limits
from comparator.outputs.member_names import in_words

_MAIN = Path(__file__).with_name("main.py")
T = TypeVar("T")
_LOOKS = 0.2
"""Seconds after which its memory is looked at again."""

_SECONDS_TO_BEGIN = 30
"""How long a new process may take to start and to import a task's code. The task's time begins after that."""

_BUSY = 4
"""Times as long as its limit that a reader may take on a busy machine. The limit itself holds for processor time."""

_LEFT_OVER = 64 * 1024
"""Bytes below its limit at which a reader can allocate nothing more of use."""
_DAMAGED = "It is damaged and cannot be read."
Wanted = Callable[[], bool]
"""Whether somebody still waits for an answer; asked all the time."""


class Stopped(Exception):
    """A task was ended since nobody wants its answer any more."""


def always() -> bool:
    """Whatever is begun is wanted until it is through."""
    return True


class Bounds(NamedTuple):
    """What a process may use, in bytes, and how its work is called when that is too much."""

    memory: int
    answer: int
    doing: str = "Reading it"
    programs: bool = False
    """Whether it starts programs: then the memory of all of them counts, and it has a folder of its own."""


class Isolated:
    """A process for tasks, one at a time; started when first needed, replaced after a failure, ended by `close`.

    Without `bounds` it reads documents.
    """

    def __init__(self, *, limits: Limits | None = None, bounds: Bounds | None = None) -> None:
        self._limits = limits or Limits()
        self._bounds = bounds or Bounds(self._limits.memory_per_document, self._limits.answer_bytes)
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._loaded: set[str] = set()
        """Tasks whose code this process has imported."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process with all that it has started."""
        if self._process is not None:
            if self._process.poll() is None:
                end_all(self._process.pid)
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                with contextlib.suppress(OSError):
                    assert pipe is not None
                    pipe.close()
            self._process = None
            self._loaded.clear()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def call(
        self,
        task: str,
        returns: type[T],
        *,
        seconds: float | None = None,
        wanted: Wanted = always,
        **payload: Any,
    ) -> T:
        """What a task makes of the payload, within `seconds` (or the limit for a document).

        Raises OutputRefused or LimitExceeded with a plain sentence, Stopped once it is not `wanted`, and TypeError
        for a payload that the task does not take.
        """
        (answer,) = self.stream(task, returns, seconds=seconds, wanted=wanted, **payload)
        return answer

    def stream(
        self,
        task: str,
        item: type[T],
        *,
        seconds: float | None = None,
        wanted: Wanted = always,
        **payload: Any,
    ) -> Iterator[T]:
        """The items that a task gives one by one. Raises as `call`."""
        seconds = seconds or self._limits.seconds_per_document
        request = pack(task, {"seconds": seconds, "limits": self._limits, "payload": payload})
        finished = False
        try:
            for kind, value, _ in self._exchanged(task, request, seconds, wanted):
                self._loaded.add(task)
                match kind:
                    case "item":
                        yield check_type(value, item)
                    case "done":
                        finished = True
                        return
                    case "memory":
                        raise self._too_much_memory()
                    case "misuse":
                        finished = True
                        raise TypeError(f"{task}: {value}")
                    case "limit":
                        finished = True
                        raise LimitExceeded(str(value))
                    case _:
                        finished = True
                        raise OutputRefused(str(value))
        except Malformed as error:
            raise OutputRefused(_DAMAGED) from error
        finally:
            if not finished:
                self.close()

    def _exchanged(self, task: str, request: bytes, seconds: float, wanted: Wanted) -> Iterator[Message]:
        """Write the request and read messages as they come, until the caller stops asking.

        The process has `_SECONDS_TO_BEGIN` until it says that it has begun, and `seconds` from then on, of its
        processor time where it starts no programs. Beside it somebody watches, who ends it.
        """
        process = self._process = self._process or self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        doing = self._bounds.doing
        too_long = LimitExceeded(f"{doing} took longer than {seconds:g} seconds and was ended.")
        to_begin = seconds if task in self._loaded else _SECONDS_TO_BEGIN
        late = LimitExceeded(f"{doing} did not begin within {to_begin:g} seconds.")
        deadline, left = time.monotonic() + to_begin, self._bounds.answer
        ended: list[Exception] = []
        answered = threading.Event()

        def watch() -> None:
            while not ended and not answered.wait(min(max(deadline - time.monotonic(), 0), _LOOKS)):
                if time.monotonic() >= deadline:
                    ended.append(late)
                elif self._is_full(process.pid):
                    ended.append(self._too_much_memory())
                elif not wanted():
                    ended.append(Stopped())
            if ended:
                end_all(process.pid)

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            # Where it is gone, the end of its answers says so.
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(request)
                process.stdin.flush()
            # What it says while it is ended is no answer.
            while (message := read_message(process.stdout, most=left)) is not None and not ended:
                left -= message.size
                if message.kind != "begun":
                    yield message
                elif late is not too_long:
                    # Only once: a child that a document took over could say so again and again.
                    times = 1 if self._bounds.programs else _BUSY
                    deadline, late = time.monotonic() + seconds * times, too_long
        except TooLarge as error:
            raise LimitExceeded(
                f"It holds more than {in_words(self._bounds.answer)} once it is unpacked."
            ) from error
        finally:
            answered.set()
            watcher.join()
            if ended:
                self.close()
        if ended:
            raise ended[0]
        with contextlib.suppress(subprocess.TimeoutExpired):
            if process.wait(timeout=1) == -signal.SIGXCPU:
                raise too_long
        reason = "" if self._bounds.programs else ": it is damaged or too large to be read"
        raise OutputRefused(f"{doing} ended unexpectedly{reason}.")

    def _started(self) -> subprocess.Popen[bytes]:
        bounds = self._bounds
        # No key or token of ours is in reach of a parser or program. Pillow keeps two blocks of 16 MB from one picture
        # to the next: fresh memory costs more than scaling a picture into it.
        environment = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PILLOW_BLOCKS_MAX": "2"}
        if bounds.programs:
            self._folder = tempfile.TemporaryDirectory(
                prefix="comparator-isolated-", ignore_cleanup_errors=True
            )
            home = self._folder.name
            environment |= {
                "HOME": home,
                "TMPDIR": home,
                "XDG_CONFIG_HOME": f"{home}/config",
                "XDG_CACHE_HOME": f"{home}/cache",
                "PATH": "/usr/local/bin:/usr/bin:/bin",
            }
        return subprocess.Popen(
            [sys.executable, "-I", str(_MAIN), json.dumps([bounds.memory, bounds.answer, bounds.programs])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=self._folder.name if self._folder else "/",
            close_fds=True,
            start_new_session=True,
        )

    def _too_much_memory(self) -> LimitExceeded:
        most = in_words(self._bounds.memory)
        return LimitExceeded(f"{self._bounds.doing} took more than {most} of memory and was ended.")

    def _is_full(self, pid: int) -> bool:
        """Whether all memory is used up; False where the system does not tell.

        Python before 3.14 can go round for ever while it unwinds a MemoryError for which no memory is left
        (python/cpython#132508), so that a reader never gets to say it itself.
        """
        if self._bounds.programs:
            return memory_of(pid) > self._bounds.memory
        try:
            pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[0]
        except (OSError, IndexError):
            return False
        return int(pages) * os.sysconf("SC_PAGE_SIZE") > self._bounds.memory - _LEFT_OVER


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
    for process_id in (pid, *descendants(pid)):
        with contextlib.suppress(OSError, ValueError):
            for line in (_PROC / str(process_id) / "status").read_text("utf-8", "replace").splitlines():
                if line.startswith(("RssAnon:", "RssShmem:")):
                    total += int(line.split()[1]) * 1024
    return total


def end_all(pid: int) -> None:
    """Kill the process and everything below it, whatever groups they have put themselves into."""
    deadline = time.monotonic() + 5
    # The parent stays until last: it inherits what its children leave behind, so that nothing gets lost.
    while (below := descendants(pid)) and time.monotonic() < deadline:
        for child in below:
            _kill(child)
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
    try:
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    except OSError:
        return False
    return True
