<?php

declare(strict_types=1);

namespace Posthorn\Receiver\Dedupe;

/**
 * Remembers events in the memory of this process: for tests and for servers that stay in memory. Under PHP-FPM every
 * request starts empty, so use `PdoStore` or `RedisStore` there.
 */
final class MemoryStore implements DedupeStore
{
    /** @var array<string, array{done: bool, endsAtMs: int, digest: string|null}> ordered by the last change */
    private array $entries = [];
    private readonly \Closure $nowMs;

    /** @param (callable(): int)|null $nowMs the clock in milliseconds */
    public function __construct(private readonly int $max = 10_000, ?callable $nowMs = null)
    {
        $this->nowMs = \Closure::fromCallable($nowMs ?? static fn (): int => (int) (microtime(true) * 1000));
    }

    public function claim(string $id, int $leaseMs, ?string $digest = null): Claim
    {
        $entry = $this->entries["id:$id"] ?? null;
        if ($entry !== null && $entry['endsAtMs'] > ($this->nowMs)()) {
            return $entry['done'] ? Claim::Done : Claim::InProgress;
        }
        $this->put($id, false, $leaseMs, $digest);

        return Claim::Claimed;
    }

    public function complete(string $id, int $ttlMs, ?string $digest = null): void
    {
        $this->put($id, true, $ttlMs, $digest);
    }

    public function release(string $id): void
    {
        if (($this->entries["id:$id"]['done'] ?? true) === false) {
            unset($this->entries["id:$id"]);
        }
    }

    public function digestOf(string $id): ?string
    {
        return $this->entries["id:$id"]['digest'] ?? null;
    }

    private function put(string $id, bool $done, int $forMs, ?string $digest): void
    {
        $nowMs = ($this->nowMs)();
        // The prefix keeps ids of digits text, because PHP turns such array keys into numbers.
        unset($this->entries["id:$id"]);
        $this->entries["id:$id"] = ['done' => $done, 'endsAtMs' => $nowMs + $forMs, 'digest' => $digest];
        foreach ($this->entries as $key => $entry) {
            if (count($this->entries) <= $this->max) {
                return;
            }
            // Keep work in progress, even if the store then exceeds `max`.
            if ($entry['done'] || $entry['endsAtMs'] <= $nowMs) {
                unset($this->entries[$key]);
            }
        }
    }
}
