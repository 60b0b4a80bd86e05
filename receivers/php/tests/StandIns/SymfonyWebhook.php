<?php

declare(strict_types=1);

// Stands in for the parts of symfony/webhook and symfony/remote-event that the adapter uses. Debian packages neither.

namespace Symfony\Component\RemoteEvent {
    if (!class_exists(RemoteEvent::class)) {
        class RemoteEvent
        {
            public function __construct(
                public readonly string $name,
                public readonly string $id,
                public readonly array $payload,
            ) {
            }
        }
    }
}

namespace Symfony\Component\Webhook\Exception {
    if (!class_exists(RejectWebhookException::class)) {
        class RejectWebhookException extends \RuntimeException
        {
            public function __construct(
                public readonly int $statusCode = 406,
                string $message = '',
                ?\Throwable $previous = null,
            ) {
                parent::__construct($message, 0, $previous);
            }
        }
    }
}

namespace Symfony\Component\Webhook\Client {
    use Symfony\Component\HttpFoundation\Request;
    use Symfony\Component\HttpFoundation\RequestMatcherInterface;
    use Symfony\Component\HttpFoundation\Response;
    use Symfony\Component\RemoteEvent\RemoteEvent;
    use Symfony\Component\Webhook\Exception\RejectWebhookException;

    if (!class_exists(AbstractRequestParser::class)) {
        abstract class AbstractRequestParser
        {
            public function parse(Request $request, string $secret): RemoteEvent|array|null
            {
                if (!$this->getRequestMatcher()->matches($request)) {
                    throw new RejectWebhookException(406, 'no match');
                }

                return $this->doParse($request, $secret);
            }

            public function createSuccessfulResponse(): Response
            {
                return new Response('', 202);
            }

            abstract protected function getRequestMatcher(): RequestMatcherInterface;

            abstract protected function doParse(Request $request, string $secret): RemoteEvent|array|null;
        }
    }
}
