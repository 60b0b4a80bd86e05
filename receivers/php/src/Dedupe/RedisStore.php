<?php

declare(strict_types=1);

namespace Posthorn\Receiver\Dedupe;

/** Remembers events in Redis, with ext-redis. Redis removes them when they expire. */
final class RedisStore implements DedupeStore
{
    // Checks and deletes in one step, because another process could complete the id in between.
    private const RELEASE = "local held = redis.call('get', KEYS[1])
if held and string.sub(held, 1, 7) == 'claimed' then return redis.call('del', KEYS[1]) end
return 0";

    /** @param \Redis $redis a connection without serializer and compression */
    public function __construct(private readonly \Redis $redis, private readonly string $prefix = 'posthorn:')
    {
    }

    public function claim(string $id, int $leaseMs, ?string $digest = null): Claim
    {
        if ($this->redis->set($this->prefix . $id, self::valueOf('claimed', $digest), ['nx', 'px' => $leaseMs])) {
            return Claim::Claimed;
        }

        return str_starts_with((string) $this->redis->get($this->prefix . $id), 'done') ? Claim::Done : Claim::InProgress;
    }

    public function complete(string $id, int $ttlMs, ?string $digest = null): void
    {
        if (!$this->redis->set($this->prefix . $id, self::valueOf('done', $digest), ['px' => $ttlMs])) {
            throw new \RuntimeException('Redis did not store the id');
        }
    }

    public function release(string $id): void
    {
        $this->redis->eval(self::RELEASE, [$this->prefix . $id], 1);
    }

    public function digestOf(string $id): ?string
    {
        return explode(':', (string) $this->redis->get($this->prefix . $id))[1] ?? null;
    }

    /** For example `done`, or `done:` with the digest. */
    private static function valueOf(string $state, ?string $digest): string
    {
        return $digest === null ? $state : "$state:$digest";
    }
}
