<?php

declare(strict_types=1);

namespace Posthorn\Receiver\Adapter;

use Posthorn\Receiver\ErrorCode;
use Posthorn\Receiver\UsageException;
use Symfony\Component\HttpFoundation\Request;

/** @internal reads the raw body of a Symfony or Laravel request */
final class SymfonyBody
{
    /** @return \Closure(): string */
    public static function reader(Request $request): \Closure
    {
        return static function () use ($request): string {
            try {
                return $request->getContent();
            } catch (\LogicException $error) {
                // Something asked for the body as a stream.
                throw new UsageException(ErrorCode::BodyAlreadyConsumed, previous: $error);
            }
        };
    }
}
