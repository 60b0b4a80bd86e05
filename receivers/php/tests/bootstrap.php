<?php

declare(strict_types=1);

// Works without Composer, because Debian packages the frameworks and no other registry is needed.
spl_autoload_register(static function (string $class): void {
    foreach (['Posthorn\\Receiver\\Tests\\' => __DIR__, 'Posthorn\\Receiver\\' => __DIR__ . '/../src'] as $prefix => $folder) {
        if (str_starts_with($class, $prefix)) {
            $file = $folder . '/' . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
            if (is_file($file)) {
                require_once $file;
            }

            return;
        }
    }
});

foreach (
    [
        'Symfony/Component/HttpFoundation/autoload.php',
        'Illuminate/Events/autoload.php',
        'Illuminate/Http/autoload.php',
        'Illuminate/Routing/autoload.php',
        'Nyholm/Psr7/autoload.php',
    ] as $library
) {
    $path = stream_resolve_include_path($library);
    if ($path !== false) {
        require_once $path;
    }
}
foreach (['Psr15', 'SymfonyWebhook'] as $standIn) {
    require_once __DIR__ . "/StandIns/$standIn.php";
}
