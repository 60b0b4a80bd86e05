<?php

declare(strict_types=1);

namespace Posthorn\Receiver;

/** Signs like the service, so that no test has to turn off verification. */
final class Signature
{
    /**
     * The value of `X-Service-Signature`.
     *
     *     $header = Signature::sign($body, $secret);
     *
     * @param string|list<string> $secrets the primary secret first, which signs as `v1`, then staged ones (`v1s`, `v1s2`)
     * @param int|null $timestamp Unix seconds, default now
     * @throws UsageException
     */
    public static function sign(string $body, #[\SensitiveParameter] mixed $secrets, ?int $timestamp = null): string
    {
        $timestamp ??= time();
        $parts = ["t=$timestamp"];
        foreach (Secrets::check($secrets) as $index => $secret) {
            $name = 'v1' . ($index > 0 ? 's' : '') . ($index > 1 ? $index : '');
            $parts[] = $name . '=' . hash_hmac('sha256', "$timestamp.$body", $secret);
        }

        return implode(',', $parts);
    }
}
