<?php

declare(strict_types=1);

namespace Posthorn\Receiver\Dedupe;

use Posthorn\Receiver\ErrorCode;
use Posthorn\Receiver\UsageException;

/**
 * Remembers events in a database: PostgreSQL, SQLite 3.24 or newer, MySQL or MariaDB. It uses the clock of the PHP process,
 * so the clocks of several machines must agree to within the lease.
 */
final class PdoStore implements DedupeStore
{
    private readonly bool $isMysql;

    /** @throws UsageException if the name of the table needs quotes */
    public function __construct(private readonly \PDO $pdo, private readonly string $table = 'posthorn_dedupe')
    {
        self::checkTable($table);
        $this->isMysql = $pdo->getAttribute(\PDO::ATTR_DRIVER_NAME) === 'mysql';
    }

    /**
     * The table. Add it to your migrations. Expired rows do no harm; to remove them, delete those whose `expires_at_ms` is
     * less than the current time in milliseconds.
     */
    public static function createTable(string $table = 'posthorn_dedupe'): string
    {
        self::checkTable($table);

        return "create table if not exists $table (
  id varchar(255) primary key,
  done smallint not null,
  digest char(64),
  expires_at_ms bigint not null
)";
    }

    public function claim(string $id, int $leaseMs, ?string $digest = null): Claim
    {
        if ($this->insert($id, 0, $leaseMs, $digest)) {
            return Claim::Claimed;
        }
        $nowMs = self::nowMs();
        // A single statement takes over an expired row, so of two concurrent claims the second finds it taken.
        $taken = $this->run(
            "update {$this->table} set done = 0, expires_at_ms = ?, digest = ? where id = ? and expires_at_ms <= ?",
            [$nowMs + $leaseMs, $digest, $id, $nowMs],
        );
        if ($taken->rowCount() > 0) {
            return Claim::Claimed;
        }
        $done = $this->run("select done from {$this->table} where id = ?", [$id])->fetchColumn();

        return (int) $done === 1 ? Claim::Done : Claim::InProgress;
    }

    public function complete(string $id, int $ttlMs, ?string $digest = null): void
    {
        $changed = $this->run(
            "update {$this->table} set done = 1, expires_at_ms = ?, digest = ? where id = ?",
            [self::nowMs() + $ttlMs, $digest, $id],
        );
        if ($changed->rowCount() === 0) {
            $this->insert($id, 1, $ttlMs, $digest);
        }
    }

    public function release(string $id): void
    {
        $this->run("delete from {$this->table} where id = ? and done = 0", [$id]);
    }

    public function digestOf(string $id): ?string
    {
        $digest = $this->run("select digest from {$this->table} where id = ?", [$id])->fetchColumn();

        return is_string($digest) ? $digest : null;
    }

    private function insert(string $id, int $done, int $forMs, ?string $digest): bool
    {
        // Never fails on a conflict, because that would abort a transaction of PostgreSQL.
        [$insert, $conflict] = $this->isMysql ? ['insert ignore', ''] : ['insert', ' on conflict (id) do nothing'];

        return $this->run(
            "$insert into {$this->table} (id, done, expires_at_ms, digest) values (?, ?, ?, ?)$conflict",
            [$id, $done, self::nowMs() + $forMs, $digest],
        )->rowCount() > 0;
    }

    /** @param list<int|string|null> $values */
    private function run(string $sql, array $values): \PDOStatement
    {
        $statement = $this->pdo->prepare($sql);
        // With PDO::ERRMODE_SILENT, failures are return values.
        if ($statement === false || !$statement->execute($values)) {
            throw new \RuntimeException('the database refused a statement');
        }

        return $statement;
    }

    private static function checkTable(string $table): void
    {
        if (preg_match('/\A[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?\z/', $table) !== 1) {
            throw new UsageException(
                ErrorCode::OptionInvalid,
                'a table name may have only lower-case letters, digits and _',
            );
        }
    }

    private static function nowMs(): int
    {
        return (int) (microtime(true) * 1000);
    }
}
