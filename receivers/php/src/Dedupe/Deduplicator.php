<?php

declare(strict_types=1);

namespace Posthorn\Receiver\Dedupe;

use Posthorn\Receiver\ErrorCode;
use Posthorn\Receiver\PayloadException;
use Posthorn\Receiver\StoreException;
use Posthorn\Receiver\UsageException;
use Posthorn\Receiver\WebhookException;

/**
 * Processes each event once, even if it is delivered several times.
 *
 *     $once = new Deduplicator(new PdoStore($pdo));
 *     $once->processOnce($event->id, fn () => updateContact($event), $body);
 */
final class Deduplicator
{
    private readonly \Closure $onWarning;

    /**
     * @param int $ttlSeconds how long to remember an id; 30 days cover all retries and replays
     * @param int $leaseSeconds when a claim expires if its process dies; must be longer than your code takes
     * @param (callable(WebhookException): mixed)|null $onWarning called when an id arrives with a different body, which
     *     Posthorn never sends, and when the store fails after your code succeeded; default `error_log`
     * @throws UsageException if a time is not 1 or more
     */
    public function __construct(
        private readonly DedupeStore $store,
        private readonly int $ttlSeconds = 30 * 86_400,
        private readonly int $leaseSeconds = 60,
        ?callable $onWarning = null,
    ) {
        if ($ttlSeconds < 1 || $leaseSeconds < 1) {
            throw new UsageException(ErrorCode::OptionInvalid, 'ttlSeconds and leaseSeconds must be 1 or more');
        }
        $this->onWarning = \Closure::fromCallable(
            $onWarning ?? static fn (WebhookException $warning) => error_log((string) $warning),
        );
    }

    /**
     * Runs `$fn` unless it already succeeded for this id. If it throws or its process dies, the next delivery runs it
     * again. Only the id decides; a different body causes a warning.
     *
     * @template T
     * @param callable(): T $fn
     * @param string|null $body the verified body; its digest is stored
     * @return Processed<T>
     * @throws StoreException if the store cannot say whether the event was processed
     */
    public function processOnce(string $id, callable $fn, ?string $body = null): Processed
    {
        $digest = $body === null ? null : hash('sha256', $body);
        $leaseEnd = hrtime(true) + $this->leaseSeconds * 1_000_000_000;
        try {
            $claim = $this->store->claim($id, $this->leaseSeconds * 1000, $digest);
        } catch (\Throwable $error) {
            throw new StoreException(ErrorCode::StoreUnavailable, previous: $error);
        }
        if ($claim !== Claim::Claimed) {
            $this->warnOfAnotherBody($id, $digest);

            return new Processed($claim === Claim::Done ? Outcome::Duplicate : Outcome::InProgress);
        }
        try {
            $value = $fn();
        } catch (\Throwable $error) {
            // After the lease, another process may have claimed the id, so do not release it.
            if (hrtime(true) < $leaseEnd) {
                self::attempt(fn () => $this->store->release($id));
            }
            throw $error;
        }
        try {
            $this->store->complete($id, $this->ttlSeconds * 1000, $digest);

            return new Processed(Outcome::Processed, $value, true);
        } catch (\Throwable $error) {
            $detail = "$id was processed, but not recorded";
            ($this->onWarning)(new StoreException(ErrorCode::StoreUnavailable, $detail, $error));

            return new Processed(Outcome::Processed, $value, false);
        }
    }

    private function warnOfAnotherBody(string $id, ?string $digest): void
    {
        $known = null;
        // A failing store is ignored, because the result does not depend on the digest.
        self::attempt(function () use ($id, &$known): void {
            $known = $this->store->digestOf($id);
        });
        if ($digest !== null && $known !== null && $known !== $digest) {
            ($this->onWarning)(new PayloadException(ErrorCode::EventChanged, $id));
        }
    }

    private static function attempt(\Closure $step): void
    {
        try {
            $step();
        } catch (\Throwable) {
        }
    }
}
