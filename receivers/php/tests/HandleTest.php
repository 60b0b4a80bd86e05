<?php

declare(strict_types=1);

namespace Posthorn\Receiver\Tests;

use PHPUnit\Framework\TestCase;
use Posthorn\Receiver\Signature;

/** A receiver without a framework, on a PHP that shows errors and does not buffer, as it does without a php.ini. */
final class HandleTest extends TestCase
{
    private const SECRET = 'whsec_test_0123456789abcdef0123456789abcdef';
    private const BODY = '{"id":"evt_1","type":"email.bounced","data":{}}';

    /** @var resource */
    private static mixed $server;
    private static string $address;

    public static function setUpBeforeClass(): void
    {
        $free = stream_socket_server('tcp://127.0.0.1:0');
        self::$address = stream_socket_get_name($free, false);
        fclose($free);
        $command = [PHP_BINARY, '-d', 'display_errors=1', '-d', 'output_buffering=0', '-S', self::$address];
        self::$server = proc_open([...$command, __DIR__ . '/live/careless.php'], [2 => ['file', '/dev/null', 'w']], $pipes);
        $giveUpAt = time() + 10;
        while (!@stream_socket_client('tcp://' . self::$address) && time() < $giveUpAt) {
            usleep(20_000);
        }
    }

    public static function tearDownAfterClass(): void
    {
        proc_terminate(self::$server);
        proc_close(self::$server);
    }

    /** @dataProvider successes */
    public function testWhatYourCodePrintsDoesNotChangeTheAnswer(string $does): void
    {
        self::assertSame([200, "ok\n"], self::deliver($does));
    }

    public static function successes(): iterable
    {
        yield ['returns'];
        yield ['prints and returns'];
    }

    /** @dataProvider failures */
    public function testAnEventThatWasNotProcessedNeverGetsTheAnswerOfSuccess(string $does): void
    {
        [$status, $text] = self::deliver($does);
        self::assertSame(500, $status);
        self::assertStringNotContainsString('text for a developer', $text);
    }

    public static function failures(): iterable
    {
        yield ['throws'];
        yield ['prints and throws'];
        yield ['exits'];
        yield ['prints and exits'];
        yield ['needs too much memory'];
    }

    /** @return array{int, string} the status and the text of the answer */
    private static function deliver(string $does): array
    {
        $headers = ['Content-Type: application/json', 'X-Service-Signature: ' . Signature::sign(self::BODY, self::SECRET)];
        $http = ['method' => 'POST', 'header' => $headers, 'content' => self::BODY, 'ignore_errors' => true];
        $url = 'http://' . self::$address . '/?' . http_build_query(['does' => $does]);
        $text = file_get_contents($url, false, stream_context_create(['http' => $http]));

        return [(int) explode(' ', $http_response_header[0])[1], $text];
    }
}
