"""The addresses for machines: whether the process lives, whether it can work, and the numbers."""

from __future__ import annotations

import hmac
import logging

from anyio import CapacityLimiter, to_thread
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from comparator.domain.errors import ComparatorError
from comparator.web.monitoring.metrics import Metrics
from comparator.workflow.services import Services

HEALTH = "/health"
READY = "/ready"
METRICS = "/metrics"
MONITORING = frozenset({HEALTH, READY, METRICS})


NO_STORE = {"cache-control": "no-store"}
_TOKEN_WANTED = "Set COMPARATOR_METRICS_TOKEN, and send it as a bearer token."  # noqa: S105  # a sentence
log = logging.getLogger(__name__)


def monitoring_routes(services: Services, metrics: Metrics, *, guarded: bool) -> list[BaseRoute]:
    """The routes; `guarded` says that not everybody who reaches the server may have the numbers."""
    # A lane of its own: whoever asks often keeps nobody else's thread or connection busy.
    lane = CapacityLimiter(1)
    token = services.settings.metrics_token.get_secret_value()

    async def health(_request: Request) -> Response:
        return PlainTextResponse("ok", headers=NO_STORE)

    async def ready(_request: Request) -> Response:
        try:
            await to_thread.run_sync(_try_out, services, limiter=lane)
        except (ComparatorError, OSError) as error:
            # What is wrong is for whoever reads the log: the address is open to everybody.
            log.warning("not ready: %s", error)
            return PlainTextResponse("not ready", 503, headers=NO_STORE)
        return PlainTextResponse("ready", headers=NO_STORE)

    async def numbers(request: Request) -> Response:
        if (token or guarded) and not _is_bearer(request.headers.get("authorization", ""), token):
            return PlainTextResponse(_TOKEN_WANTED, 401, {**NO_STORE, "www-authenticate": "Bearer"})
        text = await to_thread.run_sync(metrics.text, limiter=lane)
        return Response(text, media_type=CONTENT_TYPE_PLAIN_0_0_4, headers=NO_STORE)

    return [
        Route(HEALTH, health, methods=["GET"]),
        Route(READY, ready, methods=["GET"]),
        Route(METRICS, numbers, methods=["GET"]),
    ]


def _try_out(services: Services) -> None:
    """Raise StoreError where the database or the files do not answer, or the schema is another."""
    services.database.check()
    services.blobs.exists("0" * 64)


def _is_bearer(header: str, token: str) -> bool:
    kind, _, given = header.partition(" ")
    return bool(token) and kind.lower() == "bearer" and hmac.compare_digest(given.encode(), token.encode())
