<?php

declare(strict_types=1);

namespace Posthorn\Receiver;

/** The request may not come from Posthorn. Answer 401 and do not process it. */
final class VerificationException extends WebhookException
{
    public function status(): int
    {
        return 401;
    }
}
