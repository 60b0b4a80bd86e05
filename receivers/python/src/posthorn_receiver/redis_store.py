"""A dedupe store in Redis."""

from __future__ import annotations

import inspect
from typing import Any

from .dedupe import Claim, DedupeStore
from .errors import UsageError

# Checks and deletes in one step, because another process could complete the id in between.
_RELEASE = """local held = redis.call('get', KEYS[1])
if held and string.sub(held, 1, 7) == 'claimed' then return redis.call('del', KEYS[1]) end
return 0"""


class RedisStore(DedupeStore):
    """Remembers events in Redis, which removes them when they expire.

    >>> store = RedisStore(redis.Redis.from_url("redis://localhost"))

    :param client: a `redis.Redis`
    :param prefix: the beginning of every key
    :raises UsageError: if the client is for asyncio
    """

    def __init__(
        self,
        client: Any,
        *,
        prefix: str = "posthorn:",
        ttl_seconds: float = 30 * 86_400,
        lease_seconds: float = 60,
    ) -> None:
        if inspect.iscoroutinefunction(getattr(client, "execute_command", None)):
            # Its answers are coroutines, so every claim would look successful.
            raise UsageError(
                "option_invalid", "pass a redis.Redis; with asyncio, the store runs it in threads"
            )
        super().__init__(ttl_seconds=ttl_seconds, lease_seconds=lease_seconds)
        self._client = client
        self._prefix = prefix

    def claim(self, event_id: str, lease_ms: int, digest: str | None) -> Claim:
        if self._client.set(self._prefix + event_id, _value_of("claimed", digest), nx=True, px=lease_ms):
            return "claimed"
        return "done" if self._value(event_id).startswith("done") else "in_progress"

    def complete(self, event_id: str, ttl_ms: int, digest: str | None) -> None:
        self._client.set(self._prefix + event_id, _value_of("done", digest), px=ttl_ms)

    def release(self, event_id: str) -> None:
        self._client.eval(_RELEASE, 1, self._prefix + event_id)

    def digest_of(self, event_id: str) -> str | None:
        return self._value(event_id).partition(":")[2] or None

    def _value(self, event_id: str) -> str:
        value = self._client.get(self._prefix + event_id) or ""
        # With `decode_responses`, the client returns text.
        return value.decode() if isinstance(value, bytes) else str(value)


def _value_of(state: str, digest: str | None) -> str:
    """For example `done`, or `done:` with the digest."""
    return state if digest is None else f"{state}:{digest}"
