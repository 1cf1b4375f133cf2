"""Measures what judging adds to the model's own time."""

import statistics
import time

from comparator.domain.errors import JudgeError
from comparator.domain.labels import Order
from comparator.judges.model.judge import AnthropicJudge
from comparator.judges.model.sender import AnthropicOptions
from comparator.judges.protocol import PassReply, judge_pair
from tests.loopback.pairs import pair, rubric
from tests.loopback.server import BEGINS

WORDS = "The river runs past the town and under the bridge to the sea. " * 20


async def measure(*, base_url: str, pairs: int, latency: float, size: int) -> dict[str, float]:
    """Seconds of each comparison of two outputs of `size` characters beyond the model's own `latency`; CPU too."""
    judge = AnthropicJudge(AnthropicOptions(base_url=base_url), environment={})
    text = (WORDS * (size // len(WORDS) + 1))[:size]
    both = rubric()
    expectations = tuple(f"It names the thing number {n}" for n in range(5))
    took: list[float] = []

    async def stored(_order: Order, _repetition: int, outcome: PassReply | JudgeError) -> None:
        assert isinstance(outcome, PassReply), outcome

    started_cpu = 0.0
    for number in range(pairs + 1):
        one = pair(
            {"a.md": f"# {number}\n{text}"}, {"b.md": f"# {number}\n{text[::-1]}"}, expectations=expectations
        )
        started = time.perf_counter()
        await judge_pair(judge, one, both, have=(), repetitions=1, on_done=stored)
        if number:
            # The second order starts when the first begins to answer.
            took.append(time.perf_counter() - started - latency * (1 + BEGINS))
        else:
            # The first one opens connections and loads the certificates.
            started_cpu = time.process_time()
    cpu = (time.process_time() - started_cpu) / pairs
    await judge.close()
    took.sort()
    return {
        "median_ms": statistics.median(took) * 1000,
        "p95_ms": took[int(len(took) * 0.95) - 1] * 1000,
        "cpu_ms": cpu * 1000,
    }
