<?php

declare(strict_types=1);

// Reads cases as JSON lines and prints a verdict for each, so that another language can compare them with its own.
// A case: {"secrets": [base64], "toleranceSeconds": 300, "now": 1700000000, "headers": [base64], "body": base64}

use Posthorn\Receiver\Event;
use Posthorn\Receiver\Verifier;
use Posthorn\Receiver\WebhookException;

require __DIR__ . '/bootstrap.php';

while (($line = fgets(STDIN)) !== false) {
    $case = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
    [$secrets, $headers] = [array_map('base64_decode', $case['secrets']), array_map('base64_decode', $case['headers'])];
    $body = base64_decode($case['body']);
    $verdict = [];
    try {
        $verified = (new Verifier($secrets, $case['toleranceSeconds'], now: fn () => $case['now']))->verify($body, $headers);
        $verdict = [(string) $verified->timestamp, (string) $verified->secretIndex, $verified->partName, $verified->parts()];
        $event = Event::parse($body);
        $verdict[] = $event->knownType() === null ? 'unknown' : 'known';
    } catch (WebhookException $error) {
        $verdict[] = $error->errorCode->value;
    }
    echo implode(' ', $verdict), "\n";
}
