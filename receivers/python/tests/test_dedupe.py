"""Every store keeps the same promises."""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis.asyncio

from posthorn_receiver import (
    DatabaseStore,
    DedupeStore,
    MemoryStore,
    PayloadError,
    Processed,
    RedisStore,
    StoreError,
    UsageError,
)

# The run passes these addresses if it has the servers.
POSTGRES = os.environ.get("POSTHORN_TEST_POSTGRES_URL", "")
REDIS = os.environ.get("POSTHORN_TEST_REDIS_SOCKET", "")

Open = Callable[[], DedupeStore]


def open_memory(_: Path) -> Open:
    store = MemoryStore()
    return lambda: store


def open_sqlite(folder: Path) -> Open:
    def connect() -> sqlite3.Connection:
        return sqlite3.connect(folder / "dedupe.db", timeout=30)

    with closing(connect()) as connection:
        connection.execute(DatabaseStore.create_table())
    return lambda: DatabaseStore(connect)


def open_postgres(_: Path) -> Open:
    table = f"dedupe_{secrets.token_hex(8)}"
    with psycopg.connect(POSTGRES) as connection:
        connection.execute(DatabaseStore.create_table(table))
    return lambda: DatabaseStore(lambda: psycopg.connect(POSTGRES), table=table)


def open_redis(decode_responses: bool) -> Callable[[Path], Open]:
    def opened(_: Path) -> Open:
        prefix = f"{secrets.token_hex(8)}:"
        client = redis.Redis(unix_socket_path=REDIS, decode_responses=decode_responses)
        return lambda: RedisStore(client, prefix=prefix)

    return opened


without_postgres = pytest.mark.skipif(not POSTGRES, reason="no PostgreSQL")
without_redis = pytest.mark.skipif(not REDIS, reason="no Redis")


@pytest.fixture(
    params=[
        pytest.param(open_memory, id="memory"),
        pytest.param(open_sqlite, id="SQLite"),
        pytest.param(open_postgres, id="PostgreSQL", marks=without_postgres),
        pytest.param(open_redis(False), id="Redis", marks=without_redis),
        pytest.param(open_redis(True), id="Redis that decodes", marks=without_redis),
    ]
)
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """Each call opens the same store again."""
    opened: Open = request.param(tmp_path)
    return opened


@pytest.fixture
def store(open_store: Open) -> DedupeStore:
    return open_store()


def ran_twice() -> None:
    raise AssertionError("ran twice")


def test_an_event_is_processed_once(store: DedupeStore) -> None:
    assert store.process_once("evt_1", lambda: "done") == Processed("processed", "done", recorded=True)
    assert store.process_once("evt_1", ran_twice) == Processed("duplicate")
    assert store.process_once("evt_2", lambda: "also").value == "also"


def test_an_event_that_is_being_processed_waits(store: DedupeStore) -> None:
    inner = store.process_once("evt_1", lambda: store.process_once("evt_1", ran_twice))
    assert inner.value == Processed("in_progress")


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_event_that_failed_runs_again(store: DedupeStore, failure: type[BaseException]) -> None:
    def fail() -> None:
        raise failure

    with pytest.raises(failure):
        store.process_once("evt_1", fail)
    assert store.process_once("evt_1", lambda: "now").value == "now"


def test_a_claim_of_a_dead_process_expires(store: DedupeStore) -> None:
    assert store.claim("evt_1", 60_000, None) == "claimed"
    assert store.claim("evt_1", 60_000, None) == "in_progress"
    assert store.claim("evt_2", 1, None) == "claimed"
    until(lambda: store.claim("evt_2", 60_000, None) == "claimed")
    assert store.claim("evt_2", 60_000, None) == "in_progress"


def test_a_done_id_is_forgotten_after_its_time(store: DedupeStore) -> None:
    store.complete("evt_1", 60_000, None)
    assert store.claim("evt_1", 60_000, None) == "done"
    store.complete("evt_2", 1, None)
    until(lambda: store.claim("evt_2", 60_000, None) == "claimed")


def test_release_keeps_what_is_done(store: DedupeStore) -> None:
    store.complete("evt_1", 60_000, None)
    store.release("evt_1")
    assert store.claim("evt_1", 60_000, None) == "done"


def test_a_claim_that_expired_is_not_released(store: DedupeStore) -> None:
    store.lease_seconds = 0.002

    def outlive_the_lease() -> None:
        until(lambda: store.claim("evt_1", 60_000, None) == "claimed")
        raise ValueError

    with pytest.raises(ValueError):
        store.process_once("evt_1", outlive_the_lease)
    assert store.claim("evt_1", 60_000, None) == "in_progress"


def test_another_body_with_the_same_id_causes_a_warning(store: DedupeStore) -> None:
    warnings: list[PayloadError] = []
    for body in (b"a", b"a", b"b"):
        store.process_once("evt_1", lambda: None, body=body, on_warning=warnings.append)
    assert [(warning.code, warning.detail) for warning in warnings] == [("event_changed", "evt_1")]


def test_an_id_without_a_body_causes_no_warning(store: DedupeStore) -> None:
    store.process_once("evt_1", lambda: None)
    store.process_once("evt_1", lambda: None, body=b"any", on_warning=pytest.fail)
    assert store.digest_of("evt_1") is None
    assert store.digest_of("evt_2") is None
    store.process_once("evt_2", lambda: None, body=b"any")
    assert store.digest_of("evt_2") == hashlib.sha256(b"any").hexdigest()


def test_of_parallel_deliveries_one_runs(open_store: Open) -> None:
    stores, runs = [open_store(), open_store()], []
    with ThreadPoolExecutor(8) as pool:
        outcomes = list(
            pool.map(lambda i: stores[i % 2].process_once("evt_1", lambda: runs.append(i)), range(24))
        )
    assert len(runs) == 1
    assert sum(outcome.status == "processed" for outcome in outcomes) == 1
    assert open_store().process_once("evt_1", ran_twice).status == "duplicate"


def test_ids_with_odd_characters_do_not_collide(store: DedupeStore) -> None:
    for event_id in ("it's", "a:b", "ü 🐘", "%", "%s", "?", "x" * 255):
        assert store.claim(event_id, 60_000, None) == "claimed"


def test_with_asyncio_an_event_is_processed_once(store: DedupeStore) -> None:
    async def deliver(value: Any) -> Any:
        if isinstance(value, BaseException):
            raise value
        return (
            await store.process_once_async("evt_1", lambda: deliver("inner")) if value == "outer" else value
        )

    async def deliveries() -> None:
        with pytest.raises(ValueError):
            await store.process_once_async("evt_1", lambda: deliver(ValueError()))
        outer = await store.process_once_async("evt_1", lambda: deliver("outer"))
        assert outer == Processed("processed", Processed("in_progress"))
        assert await store.process_once_async("evt_1", lambda: deliver("again")) == Processed("duplicate")

    asyncio.run(deliveries())


def test_a_cancelled_task_releases_its_id(store: DedupeStore) -> None:
    async def deliveries() -> None:
        started = asyncio.Event()

        async def hang() -> None:
            started.set()
            await asyncio.Event().wait()

        task = asyncio.create_task(store.process_once_async("evt_1", hang))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(deliveries())
    assert store.process_once("evt_1", lambda: "now").value == "now"


def test_an_async_function_without_asyncio_is_explained(store: DedupeStore) -> None:
    async def process() -> None: ...

    with pytest.raises(UsageError, match="use process_once_async"):
        store.process_once("evt_1", process)
    assert store.process_once("evt_1", lambda: "now").value == "now"


def test_a_store_that_fails_is_explained() -> None:
    store = DatabaseStore(lambda: sqlite3.connect(":memory:"))
    with pytest.raises(StoreError) as error:
        store.process_once("evt_1", ran_twice)
    assert (error.value.code, error.value.status) == ("store_unavailable", 503)
    assert isinstance(error.value.__cause__, sqlite3.OperationalError)


def test_a_store_that_fails_afterwards_does_not_undo_the_work() -> None:
    class Failing(MemoryStore):
        def complete(self, event_id: str, ttl_ms: int, digest: str | None) -> None:
            raise OSError

        def release(self, event_id: str) -> None:
            raise OSError

        def digest_of(self, event_id: str) -> str | None:
            raise OSError

    store = Failing()
    assert store.process_once("evt_1", lambda: "done") == Processed("processed", "done", recorded=False)
    assert store.process_once("evt_1", ran_twice, body=b"any") == Processed("in_progress")
    with pytest.raises(ZeroDivisionError):
        store.process_once("evt_2", lambda: 1 / 0)


def test_a_redis_client_for_asyncio_is_explained() -> None:
    async def create() -> None:
        RedisStore(redis.asyncio.Redis())

    with pytest.raises(UsageError, match="the store runs it in threads"):
        asyncio.run(create())


def test_a_connection_is_closed_after_use(tmp_path: Path) -> None:
    opened: list[sqlite3.Connection] = []

    def connect() -> sqlite3.Connection:
        opened.append(sqlite3.connect(tmp_path / "dedupe.db"))
        return opened[-1]

    with pytest.raises(StoreError):
        DatabaseStore(connect).process_once("evt_1", ran_twice)
    connect().execute(DatabaseStore.create_table()).connection.close()
    assert DatabaseStore(connect).process_once("evt_1", lambda: "done").recorded
    for connection in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.cursor()


def test_a_pool_of_connections_gets_each_one_back() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute(DatabaseStore.create_table())
    held = threading.Lock()

    class Pooled:
        def __enter__(self) -> sqlite3.Connection:
            assert held.acquire(blocking=False)
            return connection

        def __exit__(self, *_: object) -> None:
            held.release()

    with closing(connection):
        assert DatabaseStore(Pooled).process_once("evt_1", held.locked).value is False
        assert DatabaseStore(Pooled).process_once("evt_1", ran_twice).status == "duplicate"
        assert not held.locked()


@pytest.mark.parametrize("table", ["a; drop table b", "A", "a b", "a\n", "a.b.c", ""])
def test_a_table_name_that_needs_quotes_is_refused(table: str) -> None:
    for use in (DatabaseStore.create_table, lambda name: DatabaseStore(pytest.fail, table=name)):
        with pytest.raises(UsageError) as error:
            use(table)
        assert error.value.code == "option_invalid"


def test_memory_forgets_the_oldest_first_and_keeps_work_in_progress() -> None:
    store = MemoryStore(ids_max=2)
    store.claim("0", 60_000, None)
    for event_id in ("1", "2", "3"):
        store.complete(event_id, 60_000, None)
    assert store.claim("3", 60_000, None) == "done"
    assert store.claim("0", 60_000, None) == "in_progress"
    assert store.claim("1", 60_000, None) == "claimed"


def test_memory_forgets_every_expired_claim() -> None:
    now = [0]
    store = MemoryStore(ids_max=1, now=lambda: now[0])
    for event_id in ("1", "2", "3"):
        store.claim(event_id, 1000, "digest")
    now[0] = 2
    store.claim("4", 1000, None)
    assert [store.digest_of(event_id) for event_id in ("1", "2", "3")] == [None, None, None]


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline


@pytest.mark.parametrize("seconds", [0, -1, 0.0001, float("nan"), float("inf"), "60", None])
@pytest.mark.parametrize("name", ["ttl_seconds", "lease_seconds"])
def test_times_that_would_remember_nothing_are_refused(name: str, seconds: object) -> None:
    with pytest.raises(UsageError, match=name):
        MemoryStore(**{name: seconds})
