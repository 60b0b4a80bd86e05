#!/usr/bin/env bash
# Exits with 0 if everything is installed that the tests need, and says what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
for program in java javac mvn; do
  command -v "$program" >/dev/null || { echo "$program is missing"; exit 1; }
done
javac --release 17 -version >/dev/null 2>&1 || { echo 'Java 17 or newer is missing'; exit 1; }
IFS=: read -r -a jars <target/test-classpath || [[ ${#jars[@]} -gt 0 ]] || { echo 'run tests/install.sh'; exit 1; }
for jar in "${jars[@]}"; do
  [[ -e $jar ]] || { echo "$jar is missing; run tests/install.sh"; exit 1; }
done
