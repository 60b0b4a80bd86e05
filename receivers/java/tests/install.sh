#!/usr/bin/env bash
# Downloads what the tests and the build need, so that both work without a network afterwards.
set -euo pipefail
cd "$(dirname "$0")/.."
mvn --batch-mode --quiet dependency:build-classpath -Dmdep.outputFile=target/test-classpath
tests/clean-install.sh online
