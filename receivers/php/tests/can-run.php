<?php

declare(strict_types=1);

// Exits with 0 if everything is installed that the tests need, and prints what is missing.

use Illuminate\Events\Dispatcher;
use Illuminate\Http\Request;
use Illuminate\Routing\Router;
use Nyholm\Psr7\Factory\Psr17Factory;

require __DIR__ . '/bootstrap.php';

$missing = [];
foreach ([Dispatcher::class, Request::class, Router::class, Psr17Factory::class, Redis::class] as $class) {
    class_exists($class) || $missing[] = $class;
}
foreach (['pdo_sqlite', 'pdo_pgsql', 'mbstring'] as $extension) {
    extension_loaded($extension) || $missing[] = $extension;
}
foreach (['phpunit', 'composer'] as $program) {
    exec("command -v $program", $output, $code);
    $code === 0 || $missing[] = $program;
}
echo implode("\n", $missing);
exit($missing === [] ? 0 : 1);
