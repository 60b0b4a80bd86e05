<?php

declare(strict_types=1);

namespace Posthorn\Receiver\Dedupe;

enum Outcome
{
    case Processed;
    case Duplicate;
    case InProgress;
}
