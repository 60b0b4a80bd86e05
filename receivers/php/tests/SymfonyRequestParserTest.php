<?php

declare(strict_types=1);

namespace Posthorn\Receiver\Tests;

use PHPUnit\Framework\TestCase;
use Posthorn\Receiver\Adapter\SymfonyRequestParser;
use Posthorn\Receiver\Signature;
use Posthorn\Receiver\UsageException;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\Webhook\Exception\RejectWebhookException;

/** With a real request, and a stand-in for symfony/webhook, which Debian does not package. */
final class SymfonyRequestParserTest extends TestCase
{
    private const SECRET = 'whsec_test_0123456789abcdef0123456789abcdef';
    private const STAGED = 'whsec_test_fedcba9876543210fedcba9876543210';
    private const BODY = '{"id":"evt_1","type":"email.bounced","data":{"recipient":"ann@example.org"}}';

    public function testAGoodDeliveryBecomesARemoteEvent(): void
    {
        $parser = new SymfonyRequestParser();
        $request = $this->request([self::SECRET, self::STAGED]);

        $event = $parser->parse($request, self::STAGED . ',' . self::SECRET);

        self::assertSame(
            ['email.bounced', 'evt_1', ['recipient' => 'ann@example.org']],
            [$event->name, $event->id, $event->payload],
        );
        self::assertSame('v1,v1s', $parser->createSuccessfulResponse($request)->headers->get('X-Service-Verified'));
        self::assertSame(202, $parser->createSuccessfulResponse()->getStatusCode());
    }

    public function testTheAnswerHeaderFollowsTheSignatureHeader(): void
    {
        $parser = new SymfonyRequestParser(headerName: 'X-Acme-Signature');
        $request = $this->request(self::SECRET);
        $request->headers->set('X-Acme-Signature', $request->headers->get('X-Service-Signature'));

        $parser->parse($request, self::SECRET);

        self::assertSame('v1', $parser->createSuccessfulResponse($request)->headers->get('X-Acme-Verified'));
    }

    public function testOtherDeliveriesAreRejected(): void
    {
        self::assertSame([401, 'invalid signature'], $this->rejection($this->request(self::STAGED)));
        self::assertSame([401, 'invalid signature'], $this->rejection($this->request(self::SECRET, time() - 600)));
        self::assertSame([400, 'invalid payload'], $this->rejection($this->request(self::SECRET, null, '[]')));
        self::assertSame([406, 'no match'], $this->rejection(Request::create('/webhook/posthorn')));
    }

    public function testAnEmptySecretIsAMistakeOfTheProgram(): void
    {
        foreach (['', self::SECRET . ','] as $secret) {
            try {
                (new SymfonyRequestParser())->parse($this->request(self::SECRET), $secret);
                self::fail('nothing was thrown');
            } catch (UsageException $error) {
                self::assertSame('secret_empty', $error->errorCode->value);
            }
        }
    }

    private function request(string|array $secrets, ?int $timestamp = null, string $body = self::BODY): Request
    {
        $header = Signature::sign($body, $secrets, $timestamp);

        return Request::create('/webhook/posthorn', 'POST', [], [], [], ['HTTP_X_SERVICE_SIGNATURE' => $header], $body);
    }

    private function rejection(Request $request): array
    {
        try {
            (new SymfonyRequestParser())->parse($request, self::SECRET);
        } catch (RejectWebhookException $error) {
            return [$error->statusCode, $error->getMessage()];
        }
        self::fail('nothing was rejected');
    }
}
