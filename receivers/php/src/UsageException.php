<?php

declare(strict_types=1);

namespace Posthorn\Receiver;

/** A mistake in your program or its configuration. Answer 500 and log it. */
final class UsageException extends WebhookException
{
}
