<?php

declare(strict_types=1);

namespace Posthorn\Receiver\Tests;

use Illuminate\Container\Container;
use Illuminate\Events\Dispatcher;
use Illuminate\Http\Request as LaravelRequest;
use Illuminate\Http\Response as LaravelResponse;
use Illuminate\Routing\Router;
use Nyholm\Psr7\Factory\Psr17Factory;
use Nyholm\Psr7\Response;
use Nyholm\Psr7\ServerRequest;
use PHPUnit\Framework\TestCase;
use Posthorn\Receiver\Adapter\LaravelMiddleware;
use Posthorn\Receiver\Adapter\Psr15Middleware;
use Posthorn\Receiver\Dedupe\Deduplicator;
use Posthorn\Receiver\Dedupe\MemoryStore;
use Posthorn\Receiver\Event;
use Posthorn\Receiver\Receiver;
use Posthorn\Receiver\Signature;
use Posthorn\Receiver\Verifier;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\RequestHandlerInterface;

/** Each adapter answers like the others. */
final class AdaptersTest extends TestCase
{
    private const SECRET = 'whsec_test_0123456789abcdef0123456789abcdef';
    private const STAGED = 'whsec_test_fedcba9876543210fedcba9876543210';
    private const BODY = '{"id":"evt_1","type":"email.bounced","data":{}}';

    /** @var list<string> */
    private array $processed = [];
    /** @var list<string> */
    private array $errors = [];
    private int $handlerStatus = 204;

    /** @dataProvider adapters */
    public function testAGoodDeliveryIsProcessedAndProven(\Closure $send): void
    {
        self::assertSame([204, 'v1', ''], $send($this, self::BODY, $this->header()));
        self::assertSame(['evt_1'], $this->processed);
        self::assertSame([], $this->errors);
    }

    /** @dataProvider adapters */
    public function testARotationIsProven(\Closure $send): void
    {
        $header = Signature::sign(self::BODY, [self::SECRET, self::STAGED]);
        $receiver = $this->receiver([self::STAGED, self::SECRET, self::SECRET]);
        self::assertSame([204, 'v1,v1s', ''], $send($this, self::BODY, $header, $receiver));
    }

    /** @dataProvider adapters */
    public function testForgedAndStaleDeliveriesGetTheSameAnswer(\Closure $send): void
    {
        $answer = [401, '', "invalid signature\n"];
        self::assertSame($answer, $send($this, self::BODY, Signature::sign(self::BODY, self::STAGED)));
        self::assertSame($answer, $send($this, self::BODY, Signature::sign(self::BODY, self::SECRET, time() - 600)));
        self::assertSame($answer, $send($this, self::BODY, null));
        self::assertSame([], $this->processed);
        self::assertSame(['signature_mismatch', 'timestamp_too_old', 'header_missing'], $this->errors);
    }

    /** @dataProvider adapters */
    public function testADuplicateIsProcessedOnce(\Closure $send): void
    {
        $receiver = $this->receiver(self::SECRET);
        self::assertSame(204, $send($this, self::BODY, $this->header(), $receiver)[0]);
        self::assertSame([200, 'v1', "ok\n"], $send($this, self::BODY, $this->header(), $receiver));
        self::assertSame(['evt_1'], $this->processed);
    }

    /** @dataProvider adapters */
    public function testAnAnswerOtherThan2xxIsKeptAndTheEventRunsAgain(\Closure $send): void
    {
        $receiver = $this->receiver(self::SECRET);
        $this->handlerStatus = 503;
        self::assertSame(503, $send($this, self::BODY, $this->header(), $receiver)[0]);
        $this->handlerStatus = 200;
        self::assertSame([200, 'v1', ''], $send($this, self::BODY, $this->header(), $receiver));
        self::assertSame(['evt_1', 'evt_1'], $this->processed);
    }

    /** @dataProvider adapters */
    public function testBodiesThatCannotBeUsedAreRefused(\Closure $send): void
    {
        self::assertSame(400, $send($this, '[]', Signature::sign('[]', self::SECRET))[0]);
        $large = str_repeat(' ', 1_048_577);
        self::assertSame(413, $send($this, $large, Signature::sign($large, self::SECRET))[0]);
        self::assertSame(['payload_not_event', 'payload_too_large'], $this->errors);
    }

    /** @dataProvider adapters */
    public function testOnlyPostIsAnswered(\Closure $send): void
    {
        self::assertSame(405, $send($this, self::BODY, $this->header(), null, 'PUT')[0]);
    }

    public function testAnErrorOfYourCodeReachesTheFrameworkAndTheEventRunsAgain(): void
    {
        $receiver = $this->receiver(self::SECRET);
        $deliver = fn (\Closure $run) => $receiver->receive('POST', $this->header(), fn () => self::BODY, $run);
        try {
            $deliver(fn () => throw new \DomainException('not now'));
            self::fail('nothing was thrown');
        } catch (\DomainException) {
        }
        self::assertSame(200, $deliver(fn () => null)->status);
        self::assertSame([], $this->errors);
    }

    public function testAnEventThatIsBeingProcessedGets409(): void
    {
        $receiver = $this->receiver(self::SECRET);
        $deliver = fn (\Closure $run) => $receiver->receive('POST', $this->header(), fn () => self::BODY, $run);
        $deliver(function () use ($deliver): void {
            $inner = $deliver(fn () => self::fail('ran twice'));
            self::assertSame([409, '5'], [$inner->status, $inner->headers['Retry-After']]);
        });
    }

    public function testTheAnswerHeaderFollowsTheSignatureHeader(): void
    {
        $receiver = new Receiver(new Verifier(self::SECRET, headerName: 'X-Acme-Signature'), null);
        $answer = $receiver->receive('POST', $this->header(), fn () => self::BODY, fn () => null);
        self::assertSame('v1', $answer->headers['X-Acme-Verified']);

        $request = new ServerRequest('POST', '/hooks', ['X-Acme-Signature' => $this->header()], self::BODY);
        $handler = $this->createMock(RequestHandlerInterface::class);
        $handler->method('handle')->willReturn(new Response(204));
        $response = (new Psr15Middleware($receiver, new Psr17Factory()))->process($request, $handler);
        self::assertSame(['v1'], $response->getHeader('X-Acme-Verified'));

        $request = LaravelRequest::create('/hooks', 'POST', [], [], [], ['HTTP_X_ACME_SIGNATURE' => $this->header()], self::BODY);
        $response = (new LaravelMiddleware($receiver))->handle($request, fn () => new LaravelResponse(''));
        self::assertSame('v1', $response->headers->get('X-Acme-Verified'));
    }

    public function testAStreamThatWasReadBeforeIsExplained(): void
    {
        $stream = \Nyholm\Psr7\Stream::create(popen('true', 'r'));
        $stream->getContents();
        $request = new ServerRequest('POST', '/hooks', ['X-Service-Signature' => $this->header()], $stream);
        $handler = $this->createMock(RequestHandlerInterface::class);
        $handler->expects(self::never())->method('handle');
        $middleware = new Psr15Middleware($this->receiver(self::SECRET), new Psr17Factory());

        self::assertSame(500, $middleware->process($request, $handler)->getStatusCode());
        self::assertSame(['body_already_consumed'], $this->errors);
    }

    public static function adapters(): iterable
    {
        yield 'Laravel' => [static fn (self $test, mixed ...$request) => $test->throughLaravel(...$request)];
        yield 'PSR-15' => [static fn (self $test, mixed ...$request) => $test->throughPsr15(...$request)];
    }

    private function throughLaravel(
        string $body,
        ?string $header,
        ?Receiver $receiver = null,
        string $method = 'POST',
    ): array {
        $container = new Container();
        $container->instance(Receiver::class, $receiver ?? $this->receiver(self::SECRET));
        $router = new Router(new Dispatcher($container), $container);
        $router->any('/hooks', function (LaravelRequest $request): LaravelResponse {
            $this->processed[] = $request->attributes->get(Event::class)->id;

            return new LaravelResponse('', $this->handlerStatus);
        })->middleware(LaravelMiddleware::class);
        $server = $header === null ? [] : ['HTTP_X_SERVICE_SIGNATURE' => $header];
        $request = LaravelRequest::create('/hooks', $method, [], [], [], $server, $body);
        $container->instance(LaravelRequest::class, $request);
        $response = $router->dispatch($request);

        return [
            $response->getStatusCode(),
            $response->headers->get('X-Service-Verified', ''),
            $response->getContent(),
        ];
    }

    private function throughPsr15(
        string $body,
        ?string $header,
        ?Receiver $receiver = null,
        string $method = 'POST',
    ): array {
        $handle = function (ServerRequestInterface $request): ResponseInterface {
            $this->processed[] = $request->getAttribute(Event::class)->id;

            return new Response($this->handlerStatus);
        };
        $handler = new class ($handle) implements RequestHandlerInterface {
            public function __construct(private readonly \Closure $handle)
            {
            }

            public function handle(ServerRequestInterface $request): ResponseInterface
            {
                return ($this->handle)($request);
            }
        };
        $headers = $header === null ? [] : ['X-Service-Signature' => $header];
        $middleware = new Psr15Middleware($receiver ?? $this->receiver(self::SECRET), new Psr17Factory());
        $response = $middleware->process(new ServerRequest($method, '/hooks', $headers, $body), $handler);

        return [
            $response->getStatusCode(),
            $response->getHeaderLine('X-Service-Verified'),
            (string) $response->getBody(),
        ];
    }

    private function receiver(string|array $secrets): Receiver
    {
        return new Receiver(
            new Verifier($secrets),
            new Deduplicator(new MemoryStore()),
            function ($error): void {
                $this->errors[] = $error->errorCode->value;
            },
        );
    }

    private function header(): string
    {
        return Signature::sign(self::BODY, self::SECRET);
    }
}
