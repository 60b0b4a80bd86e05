#!/usr/bin/env bash
# Runs all tests of the library. The last line counts them.
set -euo pipefail
cd "$(dirname "$0")"
./java.sh org.junit.platform.console.ConsoleLauncher execute --select-package=io.posthorn.receiver \
  --include-classname='.*Test' --details=summary --disable-banner --fail-if-no-tests |
  awk '{ print } / tests successful / { count = $2 } END { print count, "tests" }'
