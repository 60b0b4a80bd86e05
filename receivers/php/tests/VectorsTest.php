<?php

declare(strict_types=1);

namespace Posthorn\Receiver\Tests;

use PHPUnit\Framework\TestCase;
use Posthorn\Receiver\PayloadException;
use Posthorn\Receiver\Signature;
use Posthorn\Receiver\UsageException;
use Posthorn\Receiver\VerificationException;
use Posthorn\Receiver\Verifier;

/** The vectors that the libraries of all languages share. */
final class VectorsTest extends TestCase
{
    /** @dataProvider verifyVectors */
    public function testARequestGetsTheVerdictOfItsVector(array $vector): void
    {
        $verifier = new Verifier($vector['secrets'], $vector['toleranceSeconds'], now: fn () => $vector['now']);
        $body = base64_decode($vector['bodyBase64'], true);
        $lines = $vector['headers'] ?? array_map('base64_decode', $vector['headersBase64']);
        $right = $vector['expect'];
        if ($right['result'] === 'reject') {
            $this->assertThrows(VerificationException::class, $right['code'], 401, fn () => $verifier->verify($body, $lines));

            return;
        }

        $verified = $verifier->verify($body, $lines);

        self::assertSame(
            [(int) $right['timestamp'], $right['secretIndex'], $right['partName']],
            [$verified->timestamp, $verified->secretIndex, $verified->partName],
        );
        if (($right['payload'] ?? 'event') !== 'event') {
            $read = fn () => $verifier->constructEvent($body, $lines);
            $this->assertThrows(PayloadException::class, $right['payload'], 400, $read);
        } elseif (isset($right['payload'])) {
            self::assertSame('evt_1', $verifier->constructEvent($body, $lines)->id);
        }
    }

    /** @dataProvider configVectors */
    public function testAConfigurationErrorPreventsStartup(array $vector): void
    {
        $options = ['secrets' => $vector['secrets']] + array_intersect_key($vector, ['toleranceSeconds' => true]);
        $this->assertThrows(
            UsageException::class,
            $vector['expect']['code'],
            500,
            fn () => new Verifier(...$options),
        );
    }

    /** @dataProvider signVectors */
    public function testSignsAsTheServiceDoes(array $vector): void
    {
        $body = base64_decode($vector['bodyBase64'], true);
        self::assertSame($vector['expectHeader'], Signature::sign($body, $vector['secrets'], $vector['timestamp']));
    }

    public static function verifyVectors(): iterable
    {
        foreach (self::file()['verify'] as $vector) {
            yield $vector['id'] => [$vector + self::file()['defaults']];
        }
    }

    public static function configVectors(): iterable
    {
        foreach (self::file()['config'] as $vector) {
            yield $vector['id'] => [$vector];
        }
    }

    public static function signVectors(): iterable
    {
        foreach (self::file()['sign'] as $vector) {
            yield $vector['id'] => [$vector];
        }
    }

    private function assertThrows(string $class, string $code, int $status, \Closure $act): void
    {
        try {
            $act();
        } catch (\Posthorn\Receiver\WebhookException $error) {
            self::assertInstanceOf($class, $error);
            self::assertSame([$code, $status], [$error->errorCode->value, $error->status()]);

            return;
        }
        self::fail("expected $code");
    }

    private static function file(): array
    {
        $path = __DIR__ . '/../../../fixtures/signature-vectors.json';

        return json_decode(file_get_contents($path), true, 512, JSON_THROW_ON_ERROR);
    }
}
