<?php

declare(strict_types=1);

namespace Posthorn\Receiver\Adapter;

use Posthorn\Receiver\Answer;
use Posthorn\Receiver\ErrorCode;
use Posthorn\Receiver\Event;
use Posthorn\Receiver\Receiver;
use Posthorn\Receiver\UsageException;
use Posthorn\Receiver\Verified;
use Psr\Http\Message\ResponseFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Message\StreamInterface;
use Psr\Http\Server\MiddlewareInterface;
use Psr\Http\Server\RequestHandlerInterface;

/**
 * PSR-15 middleware for Slim, Mezzio and others. Your handler finds the event with `$request->getAttribute(Event::class)`.
 *
 *     $app->post('/hooks', HandleWebhook::class)->add(new Psr15Middleware($receiver, new Psr17Factory()));
 */
final class Psr15Middleware implements MiddlewareInterface
{
    public function __construct(
        private readonly Receiver $receiver,
        private readonly ResponseFactoryInterface $responses,
    ) {
    }

    public function process(ServerRequestInterface $request, RequestHandlerInterface $handler): ResponseInterface
    {
        $answer = $this->receiver->receive(
            $request->getMethod(),
            $request->getHeader($this->receiver->headerName),
            static fn (int $bytesMax): string => self::bodyOf($request->getBody(), $bytesMax),
            fn (Event $event, Verified $verified): ResponseInterface => $handler
                ->handle($request->withAttribute(Event::class, $event))
                ->withHeader($this->receiver->verifiedName, $verified->parts()),
        );
        if (!$answer instanceof Answer) {
            return $answer;
        }
        $response = $this->responses->createResponse($answer->status);
        foreach ($answer->headers as $name => $value) {
            $response = $response->withHeader($name, $value);
        }
        $response->getBody()->write($answer->body);

        return $response;
    }

    private static function bodyOf(StreamInterface $stream, int $bytesMax): string
    {
        if ($stream->isSeekable()) {
            $stream->rewind();
        } elseif ($stream->eof()) {
            throw new UsageException(ErrorCode::BodyAlreadyConsumed);
        }
        $body = '';
        while (!$stream->eof() && strlen($body) < $bytesMax) {
            $body .= $stream->read($bytesMax - strlen($body));
        }
        if ($stream->isSeekable()) {
            $stream->rewind();
        }

        return $body;
    }
}
