<?php

declare(strict_types=1);

namespace Posthorn\Receiver;

/** A response, independent of any framework. */
final class Answer
{
    /** @param array<string, string> $headers */
    public function __construct(
        public readonly int $status,
        public readonly string $body,
        public readonly array $headers = [],
    ) {
    }

    /** Sends it as the response of this PHP request. */
    public function send(): void
    {
        http_response_code($this->status);
        foreach ($this->headers as $name => $value) {
            header("$name: $value");
        }
        echo $this->body;
    }
}
