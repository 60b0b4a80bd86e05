<?php

declare(strict_types=1);

namespace Posthorn\Receiver;

/** The result for a verified request. */
final class Verified
{
    /**
     * @param int $timestamp `t`, in Unix seconds
     * @param int $secretIndex the first configured secret that matched
     * @param string $partName the part that it matched: `v1`, `v1s`, `v1s2` and so on
     * @param list<array{partName: string, secretIndex: int}> $matches every part that matched, in header order; several
     *     during a rotation
     */
    public function __construct(
        public readonly int $timestamp,
        public readonly int $secretIndex,
        public readonly string $partName,
        public readonly array $matches,
    ) {
    }

    /** The value of the answer header `X-Service-Verified`: the names of all parts that matched, in header order. */
    public function parts(): string
    {
        return implode(',', array_unique(array_column($this->matches, 'partName')));
    }
}
