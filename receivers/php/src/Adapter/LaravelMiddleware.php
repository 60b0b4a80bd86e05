<?php

declare(strict_types=1);

namespace Posthorn\Receiver\Adapter;

use Illuminate\Http\Request;
use Illuminate\Http\Response;
use Posthorn\Receiver\Answer;
use Posthorn\Receiver\Event;
use Posthorn\Receiver\Receiver;
use Posthorn\Receiver\Verified;
use Symfony\Component\HttpFoundation\Response as AnyResponse;

/**
 * Laravel middleware. Your controller finds the event with `$request->attributes->get(Event::class)`.
 *
 *     $this->app->singleton(Receiver::class, fn () => new Receiver(new Verifier(config('services.posthorn.secret'))));
 *     Route::post('/hooks', HandleWebhook::class)->middleware(LaravelMiddleware::class);
 */
final class LaravelMiddleware
{
    public function __construct(private readonly Receiver $receiver)
    {
    }

    /** @param \Closure(Request): AnyResponse $next */
    public function handle(Request $request, \Closure $next): AnyResponse
    {
        $answer = $this->receiver->receive(
            $request->getMethod(),
            $request->headers->all($this->receiver->headerName),
            SymfonyBody::reader($request),
            function (Event $event, Verified $verified) use ($request, $next): AnyResponse {
                $request->attributes->set(Event::class, $event);
                $response = $next($request);
                $response->headers->set($this->receiver->verifiedName, $verified->parts());

                return $response;
            },
        );

        return $answer instanceof Answer ? new Response($answer->body, $answer->status, $answer->headers) : $answer;
    }
}
