"""How much one search may do, and with what luck."""

from dataclasses import dataclass

MATCHES_KEPT = 16  # matches whose search one searcher remembers, if they have room


@dataclass(frozen=True)
class SearchOptions:
    nodes: int | None = None  # no limit without a number
    threads: int = 1
    seed: int = 0
