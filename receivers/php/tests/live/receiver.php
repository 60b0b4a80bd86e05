<?php

declare(strict_types=1);

// A receiver for `php -S`, whose settings change while it runs: it reads them from the file in RECEIVER_SETTINGS.
// {"secrets": ["whsec_…"], "clockOffsetSeconds": 0, "database": "/path", "log": "/path"}; ADAPTER names the adapter.

use Illuminate\Container\Container;
use Illuminate\Events\Dispatcher;
use Illuminate\Http\Request as LaravelRequest;
use Illuminate\Http\Response as LaravelResponse;
use Illuminate\Routing\Router;
use Nyholm\Psr7\Factory\Psr17Factory;
use Nyholm\Psr7\Response as PsrResponse;
use Nyholm\Psr7\ServerRequest;
use Posthorn\Receiver\Adapter\LaravelMiddleware;
use Posthorn\Receiver\Adapter\Psr15Middleware;
use Posthorn\Receiver\Dedupe\Deduplicator;
use Posthorn\Receiver\Dedupe\PdoStore;
use Posthorn\Receiver\Event;
use Posthorn\Receiver\Receiver;
use Posthorn\Receiver\Verifier;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\RequestHandlerInterface;

require __DIR__ . '/../bootstrap.php';

$settings = json_decode(file_get_contents(getenv('RECEIVER_SETTINGS')), true, 512, JSON_THROW_ON_ERROR);
$pdo = new PDO("sqlite:{$settings['database']}");
$pdo->exec(PdoStore::createTable());
$log = static fn (string $line) => file_put_contents($settings['log'], "$line\n", FILE_APPEND | LOCK_EX);
$receiver = new Receiver(
    new Verifier($settings['secrets'], now: static fn (): int => time() + $settings['clockOffsetSeconds']),
    new Deduplicator(new PdoStore($pdo)),
    static fn (Throwable $error) => $log('refused ' . $error->errorCode->value),
);
$process = static fn (Event $event) => $log("processed {$event->id}");

switch (getenv('ADAPTER')) {
    case 'Laravel':
        $container = new Container();
        $container->instance(Receiver::class, $receiver);
        $request = LaravelRequest::capture();
        $container->instance(LaravelRequest::class, $request);
        $router = new Router(new Dispatcher($container), $container);
        $router->any('/hooks', static function (LaravelRequest $request) use ($process): LaravelResponse {
            $process($request->attributes->get(Event::class));

            return new LaravelResponse('ok');
        })->middleware(LaravelMiddleware::class);
        $router->dispatch($request)->send();
        break;
    case 'PSR-15':
        $handler = new class ($process) implements RequestHandlerInterface {
            public function __construct(private readonly Closure $process)
            {
            }

            public function handle(ServerRequestInterface $request): ResponseInterface
            {
                ($this->process)($request->getAttribute(Event::class));

                return new PsrResponse(200, [], 'ok');
            }
        };
        $body = Nyholm\Psr7\Stream::create(fopen('php://input', 'rb'));
        $request = new ServerRequest($_SERVER['REQUEST_METHOD'], $_SERVER['REQUEST_URI'], getallheaders(), $body);
        $response = (new Psr15Middleware($receiver, new Psr17Factory()))->process($request, $handler);
        http_response_code($response->getStatusCode());
        foreach ($response->getHeaders() as $name => $values) {
            header("$name: " . implode(', ', $values));
        }
        echo $response->getBody();
        break;
    default:
        $receiver->handle($process);
}
