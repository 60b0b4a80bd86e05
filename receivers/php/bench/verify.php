<?php

declare(strict_types=1);

// Compares a verification without parsing with the bare HMAC of the same bytes. Prints the medians of 41 rounds.

use Posthorn\Receiver\Signature;
use Posthorn\Receiver\Verifier;

require __DIR__ . '/../tests/bootstrap.php';

$secret = 'whsec_test_0123456789abcdef0123456789abcdef';
$verifier = new Verifier($secret);
$median = static function (array $values): float {
    sort($values);

    return $values[intdiv(count($values), 2)];
};
// Processor time, so that other load on the machine counts less.
$usedUs = static function (): float {
    $usage = getrusage();

    return $usage['ru_utime.tv_sec'] * 1e6 + $usage['ru_utime.tv_usec'];
};

echo "| body | bare hash_hmac | verify | ratio |\n|---|---|---|---|\n";
foreach ([512 => '0.5 kB', 65_536 => '64 kB'] as $bytes => $size) {
    $body = random_bytes($bytes);
    $time = time();
    $header = Signature::sign($body, $secret, $time);
    $signed = "$time.$body";
    $bare = static fn () => hash_hmac('sha256', $signed, $secret);
    $verify = static fn () => $verifier->verify($body, $header);
    $count = max(20, intdiv(20_000_000, $bytes + 500));
    $rounds = ['bare' => [], 'verify' => [], 'ratio' => []];
    for ($round = 0; $round < 41; $round++) {
        foreach (['bare' => $bare, 'verify' => $verify] as $name => $work) {
            $since = $usedUs();
            for ($i = 0; $i < $count; $i++) {
                $work();
            }
            $rounds[$name][] = ($usedUs() - $since) / $count;
        }
        $rounds['ratio'][] = $rounds['bare'][$round] / $rounds['verify'][$round];
    }
    printf("| %s | %.1f µs | %.1f µs | %.2f |\n", $size, ...array_values(array_map($median, $rounds)));
}
