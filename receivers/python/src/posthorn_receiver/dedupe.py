"""Processes each event once, even if it is delivered several times."""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import logging
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from .errors import PayloadError, StoreError, UsageError

T = TypeVar("T")
Claim = Literal["claimed", "in_progress", "done"]

_log = logging.getLogger("posthorn_receiver")


@dataclass(frozen=True)
class Processed(Generic[T]):
    """The result of `process_once`."""

    status: Literal["processed", "duplicate", "in_progress"]
    #: What your function returned, if it ran.
    value: T | None = None
    #: False if the store failed after your function succeeded. Then the event may run again.
    recorded: bool = True


class DedupeStore(ABC):
    """Remembers which events were processed: `RedisStore`, `DatabaseStore`, `MemoryStore`, or your own subclass.

    >>> store.process_once(event.id, lambda: update_contact(event))

    :param ttl_seconds: how long to remember an id; 30 days cover all retries and replays
    :param lease_seconds: when a claim expires if its process dies; must be longer than your code takes
    :raises UsageError: if a time is shorter than a millisecond, or endless
    """

    def __init__(self, *, ttl_seconds: float = 30 * 86_400, lease_seconds: float = 60) -> None:
        for name, seconds in (("ttl_seconds", ttl_seconds), ("lease_seconds", lease_seconds)):
            if not isinstance(seconds, (int, float)) or not 0.001 <= seconds < math.inf:
                raise UsageError("option_invalid", f"{name} must be a number of seconds above 0")
        self.ttl_seconds = ttl_seconds
        self.lease_seconds = lease_seconds

    @abstractmethod
    def claim(self, event_id: str, lease_ms: int, digest: str | None) -> Claim:
        """Claims the id unless it is claimed or done, and stores the digest. Must be atomic."""

    @abstractmethod
    def complete(self, event_id: str, ttl_ms: int, digest: str | None) -> None:
        """Marks the id as done."""

    @abstractmethod
    def release(self, event_id: str) -> None:
        """Releases the id unless it is done."""

    @abstractmethod
    def digest_of(self, event_id: str) -> str | None:
        """The digest of an id that is claimed or done."""

    def process_once(
        self,
        event_id: str,
        fn: Callable[[], T],
        *,
        body: bytes | None = None,
        on_warning: Callable[[PayloadError], object] | None = None,
    ) -> Processed[T]:
        """Runs `fn` unless it already succeeded for this id.

        If `fn` raises or its process dies, the next delivery runs it again. Only the id decides; a different body with the
        same id, which Posthorn never sends, causes a warning.

        :param body: the verified body; its digest is stored
        :param on_warning: called with `event_changed`; the default writes a log record
        :raises StoreError: if the store cannot say whether the event was processed
        """
        attempt = _Attempt(self, event_id, body, on_warning)
        refused = attempt.claim()
        if refused:
            return Processed(refused)
        try:
            value = fn()
            if inspect.iscoroutine(value):
                value.close()
                raise UsageError("option_invalid", "the function is async: use process_once_async")
        except BaseException:
            attempt.release()
            raise
        return Processed("processed", value, attempt.complete())

    async def process_once_async(
        self,
        event_id: str,
        fn: Callable[[], Awaitable[T]],
        *,
        body: bytes | None = None,
        on_warning: Callable[[PayloadError], object] | None = None,
    ) -> Processed[T]:
        """Like `process_once`, for asyncio. The store runs in threads."""
        attempt = _Attempt(self, event_id, body, on_warning)
        refused = await asyncio.to_thread(attempt.claim)
        if refused:
            return Processed(refused)
        try:
            value = await fn()
        except BaseException:
            # Shielded, because a client that disconnects may cancel this task.
            await asyncio.shield(asyncio.to_thread(attempt.release))
            raise
        return Processed("processed", value, await asyncio.shield(asyncio.to_thread(attempt.complete)))


class _Attempt:
    """What one delivery asks of the store, before and after the function runs."""

    def __init__(
        self,
        store: DedupeStore,
        event_id: str,
        body: bytes | None,
        on_warning: Callable[[PayloadError], object] | None,
    ) -> None:
        self._store = store
        self._event_id = event_id
        self._digest = None if body is None else hashlib.sha256(body).hexdigest()
        self._on_warning = on_warning or _log.warning
        # Stores count in milliseconds, so a claim may end one earlier.
        self._lease_end = time.monotonic() + store.lease_seconds - 0.001

    def claim(self) -> Literal["duplicate", "in_progress"] | None:
        try:
            claim = self._store.claim(self._event_id, round(self._store.lease_seconds * 1000), self._digest)
        except Exception as error:
            raise StoreError("store_unavailable") from error
        if claim == "claimed":
            return None
        self._warn_of_another_body()
        return "duplicate" if claim == "done" else "in_progress"

    def release(self) -> None:
        # After the lease, another process may have claimed the id, so do not release it.
        if time.monotonic() < self._lease_end:
            try:
                self._store.release(self._event_id)
            except Exception:
                _log.warning("could not release %s", self._event_id, exc_info=True)

    def complete(self) -> bool:
        try:
            self._store.complete(self._event_id, round(self._store.ttl_seconds * 1000), self._digest)
        except Exception:
            _log.warning("could not record %s", self._event_id, exc_info=True)
            return False
        return True

    def _warn_of_another_body(self) -> None:
        if self._digest is None:
            return
        try:
            known = self._store.digest_of(self._event_id)
        except Exception:
            # The result does not depend on the digest.
            return
        if known is not None and known != self._digest:
            self._on_warning(PayloadError("event_changed", self._event_id))
