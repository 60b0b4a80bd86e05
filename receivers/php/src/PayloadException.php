<?php

declare(strict_types=1);

namespace Posthorn\Receiver;

/** The body cannot be used. Answer 400, or 413 if it is too large. */
final class PayloadException extends WebhookException
{
    public function status(): int
    {
        return $this->errorCode === ErrorCode::PayloadTooLarge ? 413 : 400;
    }
}
