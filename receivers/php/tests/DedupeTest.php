<?php

declare(strict_types=1);

namespace Posthorn\Receiver\Tests;

use PHPUnit\Framework\TestCase;
use Posthorn\Receiver\Dedupe\Claim;
use Posthorn\Receiver\Dedupe\Deduplicator;
use Posthorn\Receiver\Dedupe\DedupeStore;
use Posthorn\Receiver\Dedupe\MemoryStore;
use Posthorn\Receiver\Dedupe\Outcome;
use Posthorn\Receiver\Dedupe\PdoStore;
use Posthorn\Receiver\Dedupe\RedisStore;
use Posthorn\Receiver\ErrorCode;
use Posthorn\Receiver\StoreException;
use Posthorn\Receiver\UsageException;

/** Every store keeps the same promises. */
final class DedupeTest extends TestCase
{
    /** @dataProvider stores */
    public function testAnEventIsProcessedOnce(\Closure $open): void
    {
        $once = new Deduplicator($open());
        $first = $once->processOnce('evt_1', fn () => 'done');
        $second = $once->processOnce('evt_1', fn () => self::fail('ran twice'));
        $other = $once->processOnce('evt_2', fn () => 'also');

        self::assertSame([Outcome::Processed, 'done', true], [$first->outcome, $first->value, $first->recorded]);
        self::assertSame(Outcome::Duplicate, $second->outcome);
        self::assertSame('also', $other->value);
    }

    /** @dataProvider stores */
    public function testAnEventThatIsBeingProcessedWaits(\Closure $open): void
    {
        $once = new Deduplicator($open());
        $once->processOnce('evt_1', function () use ($once): void {
            $inner = $once->processOnce('evt_1', fn () => self::fail('ran twice'));
            self::assertSame(Outcome::InProgress, $inner->outcome);
        });
    }

    /** @dataProvider stores */
    public function testAnEventThatFailedRunsAgain(\Closure $open): void
    {
        $once = new Deduplicator($open());
        try {
            $once->processOnce('evt_1', fn () => throw new \DomainException('not now'));
            self::fail('nothing was thrown');
        } catch (\DomainException) {
        }
        self::assertSame('now', $once->processOnce('evt_1', fn () => 'now')->value);
    }

    /** @dataProvider stores */
    public function testAClaimOfADeadProcessExpires(\Closure $open): void
    {
        $store = $open();
        self::assertSame(Claim::Claimed, $store->claim('evt_1', 60_000));
        self::assertSame(Claim::InProgress, $store->claim('evt_1', 60_000));
        self::assertSame(Claim::Claimed, $store->claim('evt_2', 1));
        $deadline = hrtime(true) + 10_000_000_000;
        do {
            $again = $store->claim('evt_2', 60_000);
        } while ($again !== Claim::Claimed && hrtime(true) < $deadline);
        self::assertSame(Claim::Claimed, $again);
        self::assertSame(Claim::InProgress, $store->claim('evt_2', 60_000));
    }

    /** @dataProvider stores */
    public function testReleaseKeepsWhatIsDone(\Closure $open): void
    {
        $store = $open();
        $store->complete('evt_1', 60_000);
        $store->release('evt_1');
        self::assertSame(Claim::Done, $store->claim('evt_1', 60_000));
    }

    /** @dataProvider stores */
    public function testAnotherBodyWithTheSameIdCausesAWarning(\Closure $open): void
    {
        $warnings = [];
        $once = new Deduplicator($open(), onWarning: function ($warning) use (&$warnings): void {
            $warnings[] = $warning->errorCode;
        });
        foreach (['a', 'a', 'b'] as $body) {
            $once->processOnce('evt_1', fn () => null, $body);
        }
        self::assertSame([ErrorCode::EventChanged], $warnings);
    }

    public function testAStoreThatFailsIsExplained(): void
    {
        $pdo = new \PDO('sqlite::memory:');
        $once = new Deduplicator(new PdoStore($pdo));
        try {
            $once->processOnce('evt_1', fn () => self::fail('ran'));
            self::fail('nothing was thrown');
        } catch (StoreException $error) {
            self::assertSame([503, ErrorCode::StoreUnavailable], [$error->status(), $error->errorCode]);
            self::assertInstanceOf(\PDOException::class, $error->getPrevious());
        }
        $pdo->setAttribute(\PDO::ATTR_ERRMODE, \PDO::ERRMODE_SILENT);
        $this->expectException(StoreException::class);
        $once->processOnce('evt_1', fn () => self::fail('ran'));
    }

    public function testTimesThatWouldRememberNothingAreRefused(): void
    {
        foreach ([['ttlSeconds' => 0], ['ttlSeconds' => -1], ['leaseSeconds' => 0]] as $times) {
            try {
                new Deduplicator(new MemoryStore(), ...$times);
                self::fail(json_encode($times));
            } catch (UsageException $error) {
                self::assertSame(ErrorCode::OptionInvalid, $error->errorCode);
            }
        }
    }

    public function testAStoreThatFailsAfterwardsIsReported(): void
    {
        $warnings = [];
        $pdo = new \PDO('sqlite::memory:');
        $pdo->exec(PdoStore::createTable());
        $once = new Deduplicator(new PdoStore($pdo), onWarning: function ($warning) use (&$warnings): void {
            $warnings[] = $warning;
        });
        $processed = $once->processOnce('evt_1', static function () use ($pdo): string {
            $pdo->exec('drop table posthorn_dedupe');

            return 'done';
        });
        self::assertSame(['done', false], [$processed->value, $processed->recorded]);
        self::assertCount(1, $warnings);
        self::assertInstanceOf(StoreException::class, $warnings[0]);
        self::assertStringContainsString('evt_1 was processed, but not recorded', $warnings[0]->getMessage());
    }

    public function testATableNameThatNeedsQuotesIsRefused(): void
    {
        $this->expectException(UsageException::class);
        new PdoStore(new \PDO('sqlite::memory:'), 'a; drop table b');
    }

    public function testMemoryForgetsTheOldestFirst(): void
    {
        $store = new MemoryStore(max: 2);
        foreach (['1', '2', '3'] as $id) {
            $store->complete($id, 60_000);
        }
        self::assertSame(Claim::Done, $store->claim('3', 1000));
        self::assertSame(Claim::Claimed, $store->claim('1', 1000));
    }

    public static function stores(): iterable
    {
        yield 'memory' => [static fn (): DedupeStore => new MemoryStore()];
        yield 'SQLite' => [static function (): DedupeStore {
            $pdo = new \PDO('sqlite::memory:');
            $pdo->exec(PdoStore::createTable());

            return new PdoStore($pdo);
        }];
        // The run passes these addresses if it has the servers.
        $url = (string) getenv('POSTHORN_TEST_POSTGRES_URL');
        if ($url !== '') {
            yield 'PostgreSQL' => [static function () use ($url): DedupeStore {
                $server = parse_url($url) + ['port' => 5432, 'user' => 'postgres', 'pass' => ''];
                $host = rawurldecode($server['host']);
                $dsn = "pgsql:host=$host;port={$server['port']};dbname=" . trim($server['path'], '/');
                $pdo = new \PDO($dsn, $server['user'], $server['pass']);
                $table = 'dedupe_' . bin2hex(random_bytes(8));
                $pdo->exec(PdoStore::createTable($table));
                // Inside a transaction, a statement that fails would abort it.
                $pdo->beginTransaction();

                return new PdoStore($pdo, $table);
            }];
        }
        $socket = getenv('POSTHORN_TEST_REDIS_SOCKET');
        if ($socket !== false) {
            yield 'Redis' => [static function () use ($socket): DedupeStore {
                $redis = new \Redis();
                $redis->connect($socket);

                return new RedisStore($redis, bin2hex(random_bytes(8)) . ':');
            }];
        }
    }
}
