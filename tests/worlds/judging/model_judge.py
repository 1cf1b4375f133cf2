"""A judge of the loopback server that loses no time."""

from comparator.judges.model.direct import Patience
from comparator.judges.model.judge import AnthropicJudge
from comparator.judges.model.sender import AnthropicOptions
from tests.loopback.server import LoopbackServer


async def _at_once(_seconds: float) -> None:
    pass


def judge_at(server: LoopbackServer, **options: object) -> AnthropicJudge:
    """The Anthropic judge, which asks this server and waits nowhere between two tries."""
    settings = AnthropicOptions.model_validate(
        {"base_url": server.base_url, "retries": 2, "timeout": 30, **options}
    )
    return AnthropicJudge(
        settings,
        environment={"ANTHROPIC_API_KEY": "sk-ant-planted-key-0123456789"},
        patience=Patience(sleep=_at_once),
    )
