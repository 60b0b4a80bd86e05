<?php

declare(strict_types=1);

namespace Posthorn\Receiver\Adapter;

use Posthorn\Receiver\Event;
use Posthorn\Receiver\PayloadException;
use Posthorn\Receiver\VerificationException;
use Posthorn\Receiver\Verified;
use Posthorn\Receiver\Verifier;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\RequestMatcherInterface;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\RemoteEvent\RemoteEvent;
use Symfony\Component\Webhook\Client\AbstractRequestParser;
use Symfony\Component\Webhook\Exception\RejectWebhookException;

/**
 * A parser for symfony/webhook. `secret` in `framework.webhook.routing` is the secret of the endpoint; during a rotation,
 * put the new and the old one there, separated by a comma. Your consumer gets the type, the id and the data.
 */
final class SymfonyRequestParser extends AbstractRequestParser
{
    /**
     * @param (\Closure(): int)|null $now the clock in Unix seconds, default `time`
     * @param string $headerName the name of the signature header
     */
    public function __construct(
        private readonly int $toleranceSeconds = 300,
        private readonly ?\Closure $now = null,
        private readonly string $headerName = 'X-Service-Signature',
    ) {
    }

    protected function getRequestMatcher(): RequestMatcherInterface
    {
        return new class () implements RequestMatcherInterface {
            public function matches(Request $request): bool
            {
                return $request->isMethod('POST');
            }
        };
    }

    protected function doParse(Request $request, #[\SensitiveParameter] string $secret): ?RemoteEvent
    {
        $verifier = new Verifier(explode(',', $secret), $this->toleranceSeconds, $this->headerName, now: $this->now);
        $body = SymfonyBody::reader($request)();
        try {
            $verified = $verifier->verify($body, $request->headers->all($verifier->headerName));
            $event = Event::parse($body);
        } catch (VerificationException $error) {
            // The answer does not tell the sender why. The log shows the previous error.
            throw new RejectWebhookException(401, 'invalid signature', $error);
        } catch (PayloadException $error) {
            throw new RejectWebhookException($error->status(), 'invalid payload', $error);
        }
        $request->attributes->set(Verified::class, [$verifier->verifiedName => $verified->parts()]);

        return new RemoteEvent($event->type, $event->id, $event->data);
    }

    /** Says which secrets this receiver has, if Symfony passes the request. */
    public function createSuccessfulResponse(?Request $request = null): Response
    {
        return new Response('', 202, $request?->attributes->get(Verified::class) ?? []);
    }
}
