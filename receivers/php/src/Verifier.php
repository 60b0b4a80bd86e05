<?php

declare(strict_types=1);

namespace Posthorn\Receiver;

/**
 * Verifies that webhooks come from Posthorn and were not changed on the way.
 *
 *     $verifier = new Verifier([getenv('NEW_SECRET'), getenv('SECRET')]);
 *     $event = $verifier->constructEvent(file_get_contents('php://input'), getallheaders());
 */
final class Verifier
{
    /** @var list<\HashContext> Keyed once and then copied. No dump shows what is in them. */
    private readonly array $hmacs;
    private readonly int $toleranceSeconds;
    /** The name of the signature header in lower case. */
    public readonly string $headerName;

    /** The name of the answer header that shows which secrets a receiver has. */
    public readonly string $verifiedName;
    private readonly \Closure $now;

    /**
     * Checks the options at once, so a wrong secret fails at startup and not at the first delivery.
     *
     * The first two parameters are checked here and not by PHP, which would turn text into numbers or only name a type.
     *
     * @param string|list<string> $secrets the secrets of the endpoint, newest first: usually one, and up to ten
     * @param int $toleranceSeconds how far `t` may be from the clock; 0 turns the check off
     * @param string $headerName with `X-Acme-Signature`, handlers answer with `X-Acme-Verified`
     * @param int $maxBodyBytes the largest body that handlers read
     * @param (callable(): int)|null $now the clock in Unix seconds, default `time`
     * @throws UsageException
     */
    public function __construct(
        #[\SensitiveParameter] mixed $secrets,
        mixed $toleranceSeconds = 300,
        string $headerName = 'X-Service-Signature',
        public readonly int $maxBodyBytes = 1_048_576,
        ?callable $now = null,
    ) {
        $hmacs = [];
        foreach (Secrets::check($secrets) as $secret) {
            $hmacs[] = hash_init('sha256', HASH_HMAC, $secret);
        }
        $this->hmacs = $hmacs;
        if (!is_int($toleranceSeconds) || $toleranceSeconds < 0) {
            throw new UsageException(ErrorCode::ToleranceInvalid);
        }
        if (preg_match('/\A[\w-]+\z/', $headerName) !== 1) {
            throw new UsageException(ErrorCode::OptionInvalid, 'headerName');
        }
        if ($maxBodyBytes < 1) {
            throw new UsageException(ErrorCode::OptionInvalid, 'maxBodyBytes');
        }
        $this->toleranceSeconds = $toleranceSeconds;
        $this->headerName = strtolower($headerName);
        $this->verifiedName = preg_match('/\A(.+)-signature\z/i', $headerName, $parts) === 1
            ? $parts[1] . '-Verified'
            : 'X-Service-Verified';
        $this->now = \Closure::fromCallable($now ?? 'time');
    }

    /**
     * Checks the signature and then the timestamp.
     *
     * @param string $body the bytes as they arrived
     * @param string|array<array-key, string|list<string>>|null $header the value of the signature header, a list of its
     *     lines, or all headers by name
     * @throws VerificationException if the request may not come from Posthorn
     * @throws UsageException if the body is not the raw body
     */
    public function verify(mixed $body, mixed $header): Verified
    {
        [$t, $signatures] = $this->parse($this->lineOf($header));
        if ($body === null) {
            throw new UsageException(ErrorCode::BodyMissing);
        }
        if (!is_string($body)) {
            throw new UsageException(ErrorCode::BodyAlreadyParsed, get_debug_type($body));
        }
        $matches = $this->match($this->macsOf($t, $body), $signatures);
        $first = null;
        foreach ($matches as $match) {
            if ($first === null || $match['secretIndex'] < $first['secretIndex']) {
                $first = $match;
            }
        }
        if ($first === null) {
            throw new VerificationException(ErrorCode::SignatureMismatch);
        }
        // Checked last: a timestamp error proves that the secret is right, and forged requests learn nothing of the clock.
        $this->checkFreshness((int) $t);

        return new Verified((int) $t, $first['secretIndex'], $first['partName'], $matches);
    }

    /**
     * Verifies and then parses. The type of the event may be unknown to this version: see `Event::knownType`.
     *
     * @param string $body the bytes as they arrived
     * @param string|array<array-key, string|list<string>>|null $header as in `verify`
     * @throws VerificationException if the request may not come from Posthorn
     * @throws PayloadException if the body is not an event
     * @throws UsageException if the body is not the raw body
     */
    public function constructEvent(mixed $body, mixed $header): Event
    {
        $this->verify($body, $header);

        return Event::parse($body);
    }

    private function lineOf(mixed $header): string
    {
        if (is_array($header) && !array_is_list($header)) {
            $lines = [];
            foreach ($header as $name => $value) {
                // Two spellings of the same name count as two headers, because choosing one would be ambiguous.
                if (strtolower((string) $name) === $this->headerName) {
                    array_push($lines, ...array_values((array) $value));
                }
            }
            $header = $lines;
        }
        $lines = array_values((array) $header);
        if (count($lines) > 1) {
            throw new VerificationException(ErrorCode::HeaderAmbiguous);
        }
        $line = $lines[0] ?? '';

        return is_string($line) ? $line : throw new VerificationException(ErrorCode::HeaderMalformed);
    }

    /**
     * Parses `t=<unix-seconds>,v1=<hex>,v1s=<hex>…`. It ignores other parts, so that the service can extend the header.
     *
     * @return array{string, list<array{string, string}>} the text of `t` as received, and the signatures
     */
    private function parse(string $line): array
    {
        if (trim($line, " \t") === '') {
            throw new VerificationException(ErrorCode::HeaderMissing, "expected $this->headerName");
        }
        if (preg_match('/\A[\t -~]{0,4096}\z/', $line) !== 1) {
            throw new VerificationException(ErrorCode::HeaderMalformed, 'too long or not ASCII');
        }
        $times = $signatures = [];
        foreach (explode(',', $line) as $piece) {
            [$name, $value] = explode('=', trim($piece, " \t"), 2) + [1 => null];
            if ($name === 't' && $value !== null) {
                $times[] = $value;
            } elseif (preg_match('/\Av1(s\d*)?\z/', $name) === 1 && preg_match('/\A[\da-f]{64}\z/i', $value ?? '') === 1) {
                $signatures[] = [$name, strtolower($value)];
            }
        }
        if (count($times) > 1) {
            throw new VerificationException(ErrorCode::HeaderMalformed, 'duplicate t');
        }
        if ($times === []) {
            throw new VerificationException(ErrorCode::TimestampMissing);
        }
        if (preg_match('/\A\d{1,15}\z/', $times[0]) !== 1) {
            throw new VerificationException(ErrorCode::TimestampMalformed);
        }
        if ($signatures === []) {
            throw new VerificationException(ErrorCode::SignatureMissing);
        }

        return [$times[0], $signatures];
    }

    /** @return list<string> */
    private function macsOf(string $t, string $body): array
    {
        $macs = [];
        foreach ($this->hmacs as $keyed) {
            $hmac = hash_copy($keyed);
            hash_update($hmac, "$t.");
            hash_update($hmac, $body);
            $macs[] = hash_final($hmac);
        }

        return $macs;
    }

    /**
     * Compares every signature with every secret, without stopping at a match.
     *
     * @param list<string> $macs
     * @param list<array{string, string}> $signatures
     * @return list<array{partName: string, secretIndex: int}> in header order
     */
    private function match(array $macs, array $signatures): array
    {
        $matches = [];
        foreach ($signatures as [$partName, $value]) {
            foreach ($macs as $secretIndex => $mac) {
                if (hash_equals($mac, $value)) {
                    $matches[] = ['partName' => $partName, 'secretIndex' => $secretIndex];
                }
            }
        }

        return $matches;
    }

    private function checkFreshness(int $timestamp): void
    {
        if ($this->toleranceSeconds === 0) {
            return;
        }
        $now = ($this->now)();
        if (!is_int($now)) {
            throw new UsageException(ErrorCode::OptionInvalid, 'now must return Unix seconds as an int');
        }
        $ageSeconds = $now - $timestamp;
        if (abs($ageSeconds) <= $this->toleranceSeconds) {
            return;
        }
        $unit = $timestamp > 100_000_000_000 ? '; it looks like milliseconds' : '';
        throw new VerificationException(
            $ageSeconds > 0 ? ErrorCode::TimestampTooOld : ErrorCode::TimestampInFuture,
            "t is $ageSeconds s behind the clock$unit",
        );
    }
}
