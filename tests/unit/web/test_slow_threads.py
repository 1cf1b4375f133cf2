"""What takes long has threads and a waiting line of its own, and neither grows."""

from __future__ import annotations

import threading

import pytest
from anyio import create_task_group, fail_after, to_thread, wait_all_tasks_blocked

from comparator.web.media.slow_threads import LaneFull, SlowLane


async def test_a_few_run_a_few_wait_and_the_others_are_refused() -> None:
    lane, leave, lock = SlowLane(at_once=2, waiting=3), threading.Event(), threading.Lock()
    running = most = 0

    def stay() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        leave.wait(30)
        with lock:
            running -= 1

    with fail_after(60):
        async with create_task_group() as group:
            for _ in range(5):
                group.start_soon(lane.run, stay)
            # The loop gives each of the five its turn.
            await wait_all_tasks_blocked()
            try:
                with pytest.raises(LaneFull):
                    await lane.run(stay)
                assert running <= 2
                assert to_thread.current_default_thread_limiter().borrowed_tokens == 0
            finally:
                leave.set()
        assert most == 2
        assert await lane.run(lambda: "free again") == "free again"
