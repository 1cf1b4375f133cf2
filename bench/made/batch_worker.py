"""One worker that works until nothing is left, and tells the CPU and memory it took after all was imported."""

from __future__ import annotations

import asyncio
import json
import resource
import time

import anthropic
import dbos  # noqa: F401 - the worker loads it once it begins

from comparator.bootstrap import load_settings, open_services
from comparator.jobs.worker import Worker


def main() -> None:
    """Print one JSON object: CPU in seconds, peak memory in MB."""
    services = open_services(load_settings())
    worker = Worker(services, idle_seconds=0)
    began = time.process_time()
    asyncio.run(worker.run())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu": time.process_time() - began, "memory": peak, "sdk": anthropic.__version__}))


if __name__ == "__main__":
    main()
