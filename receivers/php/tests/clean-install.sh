#!/usr/bin/env bash
# Packs the library, installs it into an empty project that knows no other repository, and verifies a request there.
set -euo pipefail
package=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp --directory)
trap 'rm -rf "$scratch"' EXIT
export COMPOSER_HOME=$scratch/home COMPOSER_ALLOW_SUPERUSER=1 COMPOSER_ROOT_VERSION=0.1.0

composer validate --strict --no-interaction "$package/composer.json"
# Copied, because inside a repository Composer would take the files of the last commit.
cp -r "$package" "$scratch/source"
composer archive --quiet --no-interaction --working-dir="$scratch/source" --format=tar --dir="$scratch" --file=package
mkdir "$scratch/package" "$scratch/project"
tar --extract --file "$scratch/package.tar" --directory "$scratch/package"
echo "packed: $(find "$scratch/package" -type f | wc -l) files, $(gzip --stdout "$scratch/package.tar" | wc -c) bytes"

cd "$scratch/project"
cat >composer.json <<JSON
{
  "repositories": [
    { "packagist.org": false },
    {
      "type": "path",
      "url": "$scratch/package",
      "options": { "symlink": false, "versions": { "posthorn/receiver": "0.1.0" } }
    }
  ],
  "require": { "posthorn/receiver": "^0.1" }
}
JSON
composer install --no-interaction --no-progress 2>&1
[[ ! -e vendor/posthorn/receiver/tests ]] || { echo 'the package contains its tests'; exit 1; }
composer show --no-interaction

php <<'PHP'
<?php
require 'vendor/autoload.php';
$secret = 'whsec_test_0123456789abcdef0123456789abcdef';
$body = '{"id":"evt_1","type":"email.bounced"}';
$header = Posthorn\Receiver\Signature::sign($body, $secret);
$event = (new Posthorn\Receiver\Verifier($secret))->constructEvent($body, $header);
echo "verified {$event->id}, a known type: ", $event->knownType()->name, "\n";
PHP
