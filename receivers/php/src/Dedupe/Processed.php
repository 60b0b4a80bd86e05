<?php

declare(strict_types=1);

namespace Posthorn\Receiver\Dedupe;

/**
 * The result of `processOnce`.
 *
 * @template T
 */
final class Processed
{
    /**
     * @param T|null $value what your function returned, if it ran
     * @param bool $recorded false if the store failed after your function succeeded; then the event may run again
     */
    public function __construct(
        public readonly Outcome $outcome,
        public readonly mixed $value = null,
        public readonly bool $recorded = true,
    ) {
    }
}
