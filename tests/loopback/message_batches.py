"""The Message Batches of the loopback server: kept until they are asked for, answered in another order."""

import json
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from tests.loopback import acts
from tests.loopback.acts import Reply, Status

if TYPE_CHECKING:
    from tests.loopback.server import LoopbackServer, Recorded


@dataclass
class SentBatch:
    """One batch as it was handed in."""

    id: str
    requests: list[dict[str, Any]]
    created_at: datetime
    looks: int = 0
    cancelled: bool = False


@dataclass
class MessageBatchServer:
    """Answers the routes below /v1/messages/batches. A batch ends with the second look at it."""

    server: "LoopbackServer"
    batches: dict[str, SentBatch] = field(default_factory=dict)
    looks_needed: int = 2

    def answer(self, request: "Recorded") -> bytes:
        """The whole reply to a request."""
        from tests.loopback.server import _error, _json

        rest = request.path.partition("/messages/batches")[2].strip("/").split("/")
        if rest == [""]:
            if request.raw:
                return _json(200, self._create(request.body["requests"]))
            newest_first = sorted(self.batches.values(), key=lambda batch: batch.created_at, reverse=True)
            return _json(200, {"data": [self._shown(batch) for batch in newest_first], "has_more": False})
        batch = self.batches.get(rest[0])
        if batch is None:
            return _error(Status(404, "not_found_error", "no such batch"))
        if rest[1:] == ["cancel"]:
            batch.cancelled = True
            return _json(200, self._shown(batch))
        if rest[1:] == ["results"]:
            lines = (line if isinstance(line, str) else json.dumps(line) for line in self._results(batch))
            return _lines("".join(f"{line}\n" for line in lines).encode())
        batch.looks += 1
        return _json(200, self._shown(batch))

    def _create(self, requests: list[dict[str, Any]]) -> dict[str, Any]:
        sent = SentBatch(f"msgbatch_{len(self.batches) + 1}", requests, datetime.now(UTC))
        self.batches[sent.id] = sent
        return self._shown(sent)

    def _shown(self, sent: SentBatch) -> dict[str, Any]:
        ended = sent.looks >= self.looks_needed or sent.cancelled
        counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
        counts["succeeded" if ended else "processing"] = len(sent.requests)
        return {
            "id": sent.id,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": counts,
            "created_at": sent.created_at.isoformat(),
            "expires_at": (sent.created_at + timedelta(days=1)).isoformat(),
            "ended_at": datetime.now(UTC).isoformat() if ended else None,
            "archived_at": None,
            "cancel_initiated_at": None,
            "results_url": f"{self.server.base_url}/v1/messages/batches/{sent.id}/results" if ended else None,
        }

    def _results(self, sent: SentBatch) -> list[dict[str, Any] | str]:
        """One line for each request, the last one first; errors and expiries as the server's faults say."""
        lines: list[dict[str, Any] | str] = []
        for one in reversed(sent.requests):
            act = self.server.next_for_batch()
            result: dict[str, Any]
            if sent.cancelled:
                result = {"type": "canceled"}
            elif isinstance(act, Status):
                inner = {"type": act.kind, "message": act.message}
                result = {"type": "errored", "error": {"type": "error", "error": inner, "request_id": None}}
            elif isinstance(act, acts.Hang):
                result = {"type": "expired"}
            else:
                reply = act if isinstance(act, Reply) else Reply()
                result = {"type": "succeeded", "message": self.server.message_for(one["params"], reply)}
            proper = result["type"] == "succeeded"
            self.server.note(one["params"], came=time.time(), proper=proper)
            lines.append({"custom_id": one["custom_id"], "result": result})
        return lines


def _lines(data: bytes) -> bytes:
    from tests.loopback.server import _headed

    return _headed(200, {"content-type": "application/x-jsonl", "content-length": str(len(data))}, data)
