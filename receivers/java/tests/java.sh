#!/usr/bin/env bash
# Compiles library and tests if they changed, and runs a class: tests/java.sh <class> [arguments]
set -euo pipefail
cd "$(dirname "$0")/.."
libraries=$(<target/test-classpath)
hash=$(find src -type f | sort | xargs cat target/test-classpath | sha256sum | cut --characters=1-16)
classes=target/for-tests/$hash
(
  # Several tests may start this at the same time.
  flock 9
  if [[ ! -d $classes ]]; then
    mkdir -p target/for-tests
    made=$(mktemp --directory target/for-tests/made-XXXXXX)
    mapfile -t sources < <(find src -name '*.java')
    javac -J-XX:TieredStopAtLevel=1 --release 17 -parameters -proc:none -d "$made" -cp "$libraries" "${sources[@]}" >&2
    cp -r src/main/resources/. src/test/resources/. "$made"
    mv "$made" "$classes"
  fi
) 9>target/lock
exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto -cp "$classes:$libraries" "$@"
