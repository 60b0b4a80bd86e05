#!/usr/bin/env bash
# Compiles library and tests if they changed, and runs a class: tests/java.sh <class> [arguments]
set -euo pipefail
cd "$(dirname "$0")/.."
sources=$(find src -type f | sort)
hash=$(cat pom.xml target/test-classpath $sources | sha256sum | cut --characters=1-16)
classes=target/for-tests/$hash
if [[ ! -d $classes ]]; then
  mkdir -p target/for-tests
  # In a folder of its own, because several tests may start this at the same time.
  made=$(mktemp --directory target/for-tests/made-XXXXXX)
  javac --release 17 -parameters -proc:none -d "$made" -cp "$(<target/test-classpath)" $(grep '\.java$' <<<"$sources") >&2
  cp -r src/main/resources/. src/test/resources/. "$made"
  mv --no-target-directory "$made" "$classes" 2>/dev/null || rm -rf "$made"
fi
exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto -cp "$classes:$(<target/test-classpath)" "$@"
