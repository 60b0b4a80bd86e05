<?php

declare(strict_types=1);

// A receiver for `php -S` whose code does what the query asks for.

use Posthorn\Receiver\Receiver;
use Posthorn\Receiver\Verifier;

require __DIR__ . '/../bootstrap.php';

$quiet = static fn (Throwable $error): bool => true;
(new Receiver(new Verifier('whsec_test_0123456789abcdef0123456789abcdef'), onError: $quiet))->handle(static function (): void {
    if (str_starts_with($_GET['does'], 'prints')) {
        echo 'text for a developer';
    }
    if (str_ends_with($_GET['does'], 'throws')) {
        throw new RuntimeException('not now');
    }
    if (str_ends_with($_GET['does'], 'exits')) {
        exit;
    }
    if ($_GET['does'] === 'needs too much memory') {
        ini_set('memory_limit', '8M');
        str_repeat('x', 64_000_000);
    }
});
