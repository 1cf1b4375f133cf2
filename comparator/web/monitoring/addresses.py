"""The addresses that machines ask, which the gate and the start token leave open."""

HEALTH = "/health"
READY = "/ready"
METRICS = "/metrics"
MONITORING = frozenset({HEALTH, READY, METRICS})
