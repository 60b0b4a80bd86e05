#!/usr/bin/env bash
# Exits with 0 if everything is installed that the tests need, and says what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
missing() { echo "$1 is missing; run tests/install.sh"; exit 1; }
for program in java javac mvn; do
  command -v "$program" >/dev/null || missing "$program"
done
javac --release 17 -version >/dev/null 2>&1 || missing 'Java 17 or newer'
[[ -e target/test-classpath ]] || missing target/test-classpath
tr : '\n' <target/test-classpath | while read -r jar; do
  [[ -e $jar ]] || missing "$jar"
done
