<?php

declare(strict_types=1);

namespace Posthorn\Receiver;

/** @internal carries the handler's own answer through `processOnce`, which releases the id because this is thrown */
final class NotProcessed extends \Exception
{
    public function __construct(public readonly object $response)
    {
        parent::__construct('the handler did not answer 2xx');
    }
}
