"""A dedupe store in a database."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any, Union

from .dedupe import Claim, DedupeStore
from .errors import UsageError

_Value = Union[str, int, None]


class DatabaseStore(DedupeStore):
    """Remembers events in PostgreSQL or SQLite 3.24 or newer, through any DB-API driver.

    It uses the clock of this process, so the clocks of several machines must agree to within the lease.

    >>> store = DatabaseStore(lambda: sqlite3.connect("dedupe.db"))
    >>> store = DatabaseStore(psycopg_pool.ConnectionPool(url).connection)

    :param connect: returns a connection, which is closed after use, or a context manager of one; the store commits
    :param table: the name of the table; `create_table` returns the statement that creates it
    :raises UsageError: if the name of the table needs quotes
    """

    def __init__(
        self,
        connect: Callable[[], Any],
        *,
        table: str = "posthorn_dedupe",
        ttl_seconds: float = 30 * 86_400,
        lease_seconds: float = 60,
    ) -> None:
        super().__init__(ttl_seconds=ttl_seconds, lease_seconds=lease_seconds)
        self._connect = connect
        self._table = _checked(table)

    @staticmethod
    def create_table(table: str = "posthorn_dedupe") -> str:
        """The statement that creates the table. Add it to your migrations.

        Expired rows do no harm. To remove them, delete those whose `expires_at_ms` is less than the current time in
        milliseconds.
        """
        return f"""create table if not exists {_checked(table)} (
  id varchar(255) primary key,
  done smallint not null,
  digest char(64),
  expires_at_ms bigint not null
)"""

    def claim(self, event_id: str, lease_ms: int, digest: str | None) -> Claim:
        now_ms = _now_ms()
        # A single statement is atomic: of two concurrent claims, the second sees the row of the first.
        changed, _ = self._run(
            f"""insert into {self._table} as held (id, done, expires_at_ms, digest) values (?, 0, ?, ?)
            on conflict (id) do update
              set done = 0, expires_at_ms = excluded.expires_at_ms, digest = excluded.digest
              where held.expires_at_ms <= ?""",
            [event_id, now_ms + lease_ms, digest, now_ms],
        )
        if changed > 0:
            return "claimed"
        _, row = self._run(f"select done from {self._table} where id = ?", [event_id])
        return "done" if row is not None and row[0] == 1 else "in_progress"

    def complete(self, event_id: str, ttl_ms: int, digest: str | None) -> None:
        self._run(
            f"""insert into {self._table} (id, done, expires_at_ms, digest) values (?, 1, ?, ?)
            on conflict (id) do update
              set done = 1, expires_at_ms = excluded.expires_at_ms, digest = excluded.digest""",
            [event_id, _now_ms() + ttl_ms, digest],
        )

    def release(self, event_id: str) -> None:
        self._run(f"delete from {self._table} where id = ? and done = 0", [event_id])

    def digest_of(self, event_id: str) -> str | None:
        _, row = self._run(f"select digest from {self._table} where id = ?", [event_id])
        return None if row is None or row[0] is None else str(row[0])

    def _run(self, sql: str, values: Sequence[_Value]) -> tuple[int, Sequence[Any] | None]:
        """Runs one statement in its own transaction. Returns the number of changed rows and the first row."""
        opened = self._connect()
        with closing(opened) if hasattr(opened, "cursor") else opened as connection:
            with closing(connection.cursor()) as cursor:
                cursor.execute(sql.replace("?", _placeholder(connection)), values)
                row = cursor.fetchone() if cursor.description else None
                changed = cursor.rowcount
            connection.commit()
        return changed, row


def _placeholder(connection: object) -> str:
    # DB-API puts the style into the module of the driver. Wrappers, such as Django's connection, use %s.
    driver = sys.modules.get(type(connection).__module__.partition(".")[0])
    return "?" if getattr(driver, "paramstyle", None) == "qmark" else "%s"


def _checked(table: str) -> str:
    """Accepts only names that need no quotes, because a table name cannot be a parameter."""
    if not re.fullmatch(r"[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?", table):
        raise UsageError("option_invalid", "a table name may have only lower-case letters, digits and _")
    return table


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
