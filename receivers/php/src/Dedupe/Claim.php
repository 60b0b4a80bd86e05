<?php

declare(strict_types=1);

namespace Posthorn\Receiver\Dedupe;

/** The answer of a store to `claim`. */
enum Claim
{
    case Claimed;
    case InProgress;
    case Done;
}
