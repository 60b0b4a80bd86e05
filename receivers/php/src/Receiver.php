<?php

declare(strict_types=1);

namespace Posthorn\Receiver;

use Posthorn\Receiver\Dedupe\Deduplicator;
use Posthorn\Receiver\Dedupe\Outcome;

/**
 * Answers webhooks. The adapters use it; without a framework, one line is a whole receiver:
 *
 *     (new Receiver(new Verifier($secret)))->handle(fn (Event $event) => updateContact($event));
 */
final class Receiver
{
    public readonly string $headerName;

    /** The name of the answer header that shows which secrets a receiver has. */
    public readonly string $verifiedName;
    private readonly \Closure $onError;

    /**
     * @param Deduplicator|null $deduplicator runs your code once for each event id, even if it is delivered several times
     * @param (callable(\Throwable): mixed)|null $onError called if a request was not processed, default `error_log`
     */
    public function __construct(
        private readonly Verifier $verifier,
        private readonly ?Deduplicator $deduplicator = null,
        ?callable $onError = null,
    ) {
        $this->headerName = $verifier->headerName;
        $this->verifiedName = $verifier->verifiedName;
        $this->onError = \Closure::fromCallable($onError ?? static fn (\Throwable $error) => error_log((string) $error));
    }

    /**
     * Answers the current request of this PHP process: 200 when `$process` returns, 500 when it throws or exits. Then
     * Posthorn sends the event again. What `$process` prints is discarded.
     *
     * @param callable(Event, Verified): mixed $process
     */
    public function handle(callable $process): void
    {
        // PHP answers 200 after `exit`, after some fatal errors, and as soon as something is printed.
        http_response_code(500);
        $level = ob_get_level();
        ob_start(static fn (): string => '');
        $line = $_SERVER['HTTP_' . strtoupper(strtr($this->headerName, '-', '_'))] ?? null;
        try {
            $answer = $this->receive(
                $_SERVER['REQUEST_METHOD'] ?? '',
                $line,
                fn (int $bytesMax) => file_get_contents('php://input', false, null, 0, $bytesMax),
                static function (Event $event, Verified $verified) use ($process) {
                    $process($event, $verified);
                },
            );
        } catch (\Throwable $error) {
            ($this->onError)($error);
            $answer = self::text(500, 'not processed');
        }
        while (ob_get_level() > $level) {
            ob_end_clean();
        }
        $answer->send();
    }

    /**
     * Every adapter answers requests with this function. Every failed verification gets the same 401, which does not tell
     * the sender why. Errors of `$run` are thrown on, so that the framework reports them.
     *
     * @template R of object
     * @param string|list<string>|null $header the lines of the signature header
     * @param \Closure(int): mixed $readBody returns the raw body; it may stop after that many bytes
     * @param \Closure(Event, Verified): (R|null) $run returns the application's own response, with `getStatusCode()`, if
     *     there is one; unless it is 2xx, the event counts as not processed
     * @return Answer|R
     */
    public function receive(string $method, mixed $header, \Closure $readBody, \Closure $run): object
    {
        if ($method !== 'POST') {
            return self::text(405, 'POST only', ['Allow' => 'POST']);
        }
        try {
            $bytesMax = $this->verifier->maxBodyBytes;
            $body = $readBody($bytesMax + 1);
            if (is_string($body) && strlen($body) > $bytesMax) {
                throw new PayloadException(ErrorCode::PayloadTooLarge);
            }
            $verified = $this->verifier->verify($body, $header);
            $event = Event::parse($body);
            $response = $this->runOnce($event, $body, static fn () => $run($event, $verified));
        } catch (NotProcessed $own) {
            return $own->response;
        } catch (WebhookException $error) {
            ($this->onError)($error);

            return self::refusal($error->status());
        }
        $proof = [$this->verifiedName => $verified->parts()];
        if ($response === Outcome::InProgress) {
            return self::text(409, 'in progress', $proof + ['Retry-After' => '5']);
        }

        return $response ?? self::text(200, 'ok', $proof);
    }

    /** Returns the application's response, null if there is none, or `InProgress`. */
    private function runOnce(Event $event, string $body, \Closure $run): ?object
    {
        $checked = static function () use ($run): ?object {
            $response = $run();
            if ($response !== null && intdiv($response->getStatusCode(), 100) !== 2) {
                throw new NotProcessed($response);
            }

            return $response;
        };
        if ($this->deduplicator === null) {
            return $checked();
        }
        $processed = $this->deduplicator->processOnce($event->id, $checked, $body);

        return $processed->outcome === Outcome::InProgress ? $processed->outcome : $processed->value;
    }

    private static function refusal(int $status): Answer
    {
        return self::text($status, match (true) {
            $status === 401 => 'invalid signature',
            $status < 500 => 'invalid payload',
            default => 'not processed',
        });
    }

    /** @param array<string, string> $headers */
    private static function text(int $status, string $line, array $headers = []): Answer
    {
        return new Answer($status, "$line\n", ['Content-Type' => 'text/plain'] + $headers);
    }
}
