"""A dedupe store in memory."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from .dedupe import Claim, DedupeStore


class MemoryStore(DedupeStore):
    """Remembers events in the memory of this process: for tests, and for servers with a single process.

    :param ids_max: how many ids to remember
    :param now: the clock in Unix seconds
    """

    def __init__(
        self,
        *,
        ids_max: int = 10_000,
        now: Callable[[], float] = time.time,
        ttl_seconds: float = 30 * 86_400,
        lease_seconds: float = 60,
    ) -> None:
        super().__init__(ttl_seconds=ttl_seconds, lease_seconds=lease_seconds)
        self._ids_max = ids_max
        self._now = now
        # Ordered by the last change.
        self._entries: dict[str, _Entry] = {}
        self._lock = threading.Lock()

    def claim(self, event_id: str, lease_ms: int, digest: str | None) -> Claim:
        with self._lock:
            entry = self._entries.get(event_id)
            if entry is not None and entry.ends_at > self._now():
                return "done" if entry.done else "in_progress"
            self._put(event_id, done=False, for_ms=lease_ms, digest=digest)
            return "claimed"

    def complete(self, event_id: str, ttl_ms: int, digest: str | None) -> None:
        with self._lock:
            self._put(event_id, done=True, for_ms=ttl_ms, digest=digest)

    def release(self, event_id: str) -> None:
        with self._lock:
            entry = self._entries.get(event_id)
            if entry is not None and not entry.done:
                del self._entries[event_id]

    def digest_of(self, event_id: str) -> str | None:
        with self._lock:
            entry = self._entries.get(event_id)
            return None if entry is None else entry.digest

    def _put(self, event_id: str, *, done: bool, for_ms: int, digest: str | None) -> None:
        now = self._now()
        self._entries.pop(event_id, None)
        self._entries[event_id] = _Entry(done, now + for_ms / 1000, digest)
        while len(self._entries) > self._ids_max:
            # Keep work in progress, even if the store then exceeds `ids_max`.
            forgettable = (one for one, entry in self._entries.items() if entry.done or entry.ends_at <= now)
            oldest = next(forgettable, None)
            if oldest is None:
                return
            del self._entries[oldest]


class _Entry(NamedTuple):
    done: bool
    ends_at: float
    digest: str | None
