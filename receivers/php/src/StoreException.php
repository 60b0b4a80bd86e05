<?php

declare(strict_types=1);

namespace Posthorn\Receiver;

/** The dedupe store failed. Answer 503, so that Posthorn sends the event again. */
final class StoreException extends WebhookException
{
    public function status(): int
    {
        return 503;
    }
}
