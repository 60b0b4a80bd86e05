<?php

declare(strict_types=1);

namespace Posthorn\Receiver\Tests;

use PHPUnit\Framework\TestCase;
use Posthorn\Receiver\ErrorCode;
use Posthorn\Receiver\Event;
use Posthorn\Receiver\EventType;
use Posthorn\Receiver\PayloadException;
use Posthorn\Receiver\Signature;
use Posthorn\Receiver\UsageException;
use Posthorn\Receiver\VerificationException;
use Posthorn\Receiver\Verifier;

final class MisuseTest extends TestCase
{
    private const SECRET = 'whsec_test_0123456789abcdef0123456789abcdef';
    private const BODY = '{"id":"evt_1","type":"email.bounced","data":{"recipient":"ann@example.org"}}';

    public function testAParsedBodyIsExplained(): void
    {
        foreach ([['id' => 'evt_1'], (object) ['id' => 'evt_1'], 5] as $parsed) {
            $error = $this->faultOf(fn () => (new Verifier(self::SECRET))->verify($parsed, $this->header()));
            self::assertSame(ErrorCode::BodyAlreadyParsed, $error->errorCode);
            self::assertStringContainsString('$request->getContent()', $error->getMessage());
        }
        $error = $this->faultOf(fn () => (new Verifier(self::SECRET))->verify(null, $this->header()));
        self::assertSame(ErrorCode::BodyMissing, $error->errorCode);
    }

    public function testASecretThatCannotWorkIsExplained(): void
    {
        $faults = [
            ['', 'is the environment variable set'],
            [false, 'There is no secret, or it is not text'],
            [null, 'There is no secret, or it is not text'],
            [self::SECRET . "\n", 'trim()'],
            [self::SECRET . "\u{A0}", 'trim()'],
            ['whsec_test', 'secret_prefix is only its beginning'],
            ['"' . self::SECRET . '"', 'without quotes'],
        ];
        foreach ($faults as [$secret, $words]) {
            $error = $this->faultOf(fn () => new Verifier([self::SECRET, $secret]));
            self::assertStringContainsStringIgnoringCase($words, $error->getMessage());
            self::assertStringNotContainsString(self::SECRET, (string) $error);
        }
    }

    public function testTextThatWasConvertedIsExplained(): void
    {
        $sent = '{"subject":"Grüße"}';
        $converted = mb_convert_encoding($sent, 'ISO-8859-1', 'UTF-8');
        $this->expectException(VerificationException::class);
        $this->expectExceptionMessage('do not decode, trim, convert');
        (new Verifier(self::SECRET))->verify($converted, Signature::sign($sent, self::SECRET));
    }

    public function testDumpsShowNoSecret(): void
    {
        $verifier = new Verifier(self::SECRET);
        self::assertStringNotContainsString('whsec_', print_r($verifier, true));
        ob_start();
        var_dump($verifier);
        self::assertStringNotContainsString('whsec_', (string) ob_get_clean());
        self::assertStringNotContainsString('whsec_', var_export($verifier, true));
        // Like the dumper of Symfony and Laravel, which reads private properties.
        self::assertStringNotContainsString('whsec_', print_r((array) $verifier, true));
    }

    public function testEveryCodeIsExplained(): void
    {
        foreach (ErrorCode::cases() as $code) {
            self::assertMatchesRegularExpression('/^.{20,}[.?]$/', $code->inWords());
        }
    }

    public function testHeadersAreFoundByNameInAnySpelling(): void
    {
        $verifier = new Verifier(self::SECRET);
        self::assertSame('v1', $verifier->verify(self::BODY, ['x-SERVICE-signature' => $this->header()])->partName);
        self::assertSame('v1', $verifier->verify(self::BODY, ['X-Service-Signature' => [$this->header()]])->partName);
        $renamed = new Verifier(self::SECRET, headerName: 'X-Acme-Signature');
        self::assertSame('v1', $renamed->verify(self::BODY, ['X-Acme-Signature' => $this->header()])->partName);

        $both = ['X-Service-Signature' => $this->header(), 'x-service-signature' => $this->header()];
        $error = $this->faultOf(fn () => $verifier->verify(self::BODY, $both), VerificationException::class);
        self::assertSame(ErrorCode::HeaderAmbiguous, $error->errorCode);
        $error = $this->faultOf(fn () => $renamed->verify(self::BODY, $both), VerificationException::class);
        self::assertSame(ErrorCode::HeaderMissing, $error->errorCode);
        self::assertStringContainsString('expected x-acme-signature', $error->getMessage());
    }

    public function testOptionsThatCannotWorkAreRefused(): void
    {
        self::assertSame(
            ErrorCode::OptionInvalid,
            $this->faultOf(fn () => new Verifier(self::SECRET, headerName: 'x y'))->errorCode,
        );
        self::assertSame(
            ErrorCode::OptionInvalid,
            $this->faultOf(fn () => new Verifier(self::SECRET, maxBodyBytes: 0))->errorCode,
        );
        $verifier = new Verifier(self::SECRET, now: fn () => microtime(true));
        self::assertSame(
            ErrorCode::OptionInvalid,
            $this->faultOf(fn () => $verifier->verify(self::BODY, $this->header()))->errorCode,
        );
    }

    public function testKnownTypesNarrowTheDataAndUnknownTypesAreKept(): void
    {
        $event = Event::parse(self::BODY);
        self::assertSame(EventType::Bounced, $event->knownType());
        self::assertSame('ann@example.org', $event->bounced()['recipient'] ?? null);
        self::assertNull($event->delivered());

        $later = Event::parse('{"id":"evt_2","type":"email.opened","data":{},"created_at":"2026-01-02T03:04:05.678Z"}');
        self::assertNull($later->knownType());
        self::assertSame(['email.opened', '2026-01-02T03:04:05.678Z'], [$later->type, $later->createdAt]);
    }

    public function testOddJsonGetsTheSameVerdictAsInJavaScript(): void
    {
        $cut = '{"id":"evt_1","type":"t","data":{"subject":"a \ud83d","whole":"\ud83d\ude00","text":"\\\\ud83d"}}';
        self::assertSame(
            ['subject' => "a \u{FFFD}", 'whole' => '😀', 'text' => '\ud83d'],
            Event::parse($cut)->data,
        );
        self::assertSame([], Event::parse('{"id":"e","type":"t","data":{}}')->data);
        self::assertSame(['x'], Event::parse('{"id":"e","type":"t","data":{"0":"x"}}')->data);
        $emoji = str_repeat('😀', 127);
        self::assertSame("{$emoji}a", Event::parse("{\"id\":\"{$emoji}a\",\"type\":\"t\"}")->id);
        foreach (['"data":[]', '"data":null', '"data":["x"]', '"data":"x"', "\"id\":\"{$emoji}aa\""] as $odd) {
            try {
                Event::parse("{\"id\":\"e\",\"type\":\"t\",$odd}");
                self::fail($odd);
            } catch (PayloadException $error) {
                self::assertSame(ErrorCode::PayloadNotEvent, $error->errorCode, $odd);
            }
        }
    }

    private function header(): string
    {
        return Signature::sign(self::BODY, self::SECRET);
    }

    private function faultOf(\Closure $act, string $class = UsageException::class): \Posthorn\Receiver\WebhookException
    {
        try {
            $act();
        } catch (\Posthorn\Receiver\WebhookException $error) {
            self::assertInstanceOf($class, $error);

            return $error;
        }
        self::fail('nothing was thrown');
    }
}
