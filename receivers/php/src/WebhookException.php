<?php

declare(strict_types=1);

namespace Posthorn\Receiver;

/** The base class of all errors in this package. Its message explains the code in words; write it only to your log. */
abstract class WebhookException extends \RuntimeException
{
    public function __construct(
        public readonly ErrorCode $errorCode,
        string $detail = '',
        ?\Throwable $previous = null,
    ) {
        $words = $errorCode->value . ': ' . $errorCode->inWords();
        parent::__construct($detail === '' ? $words : "$words ($detail)", 0, $previous);
    }

    /** The HTTP status to answer with. */
    public function status(): int
    {
        return 500;
    }
}
