<?php

declare(strict_types=1);

namespace Posthorn\Receiver\Dedupe;

/** Remembers which events were processed. */
interface DedupeStore
{
    /** Claims the id for `$leaseMs` unless it is claimed or done, and stores the digest. Must be atomic. */
    public function claim(string $id, int $leaseMs, ?string $digest = null): Claim;

    /** Marks the id as done for `$ttlMs`. */
    public function complete(string $id, int $ttlMs, ?string $digest = null): void;

    /** Releases the id unless it is done. */
    public function release(string $id): void;

    /** The digest of an id that is claimed or done, or null. */
    public function digestOf(string $id): ?string;
}
