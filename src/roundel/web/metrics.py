"""What an operator wants to see of a server, for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)


class Metrics:
    """Each server has its own registry: two of them in one process do not mix."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.sockets = Gauge("roundel_sockets", "Open sockets", registry=registry)
        self.tables = Gauge("roundel_tables", "Matches in memory", registry=registry)
        self.events = Counter(
            "roundel_events", "Events stored and told", ["kind"], registry=registry
        )
        self._event_counts: dict[type, int] = {}
        self.refused = Counter("roundel_refused", "Refusals", ["code"], registry=registry)
        self.dropped = Counter("roundel_dropped", "Slow clients dropped", registry=registry)
        self.errors = Counter("roundel_errors", "Mistakes of the server", registry=registry)
        self.restarts = Counter(
            "roundel_restarts", "Parts of the server begun anew", ["part"], registry=registry
        )
        self.requests = Counter("roundel_requests", "HTTP answers", ["status"], registry=registry)
        self.commits = Histogram(
            "roundel_commit_seconds",
            "Time to write a group of changes",
            buckets=SECONDS,
            registry=registry,
        )
        self.grouped = Counter(
            "roundel_changes", "Changes written, in all groups", registry=registry
        )
        self.thinking = Histogram(
            "roundel_thinking_seconds",
            "Time for an action of the computer",
            ["level"],
            buckets=SECONDS,
            registry=registry,
        )

    def count_event(self, kind: type) -> None:
        """Thousands of times a second, so they are only counted until somebody looks."""
        self._event_counts[kind] = self._event_counts.get(kind, 0) + 1

    def commit(self, changes: int, seconds: float) -> None:
        self.commits.observe(seconds)
        self.grouped.inc(changes)

    def text(self) -> bytes:
        for kind, count in self._event_counts.items():
            self.events.labels(kind.__name__).inc(count)
        self._event_counts.clear()
        return generate_latest(self.registry)
