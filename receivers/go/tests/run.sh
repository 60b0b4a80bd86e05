#!/usr/bin/env bash
# Runs all tests. Its last line is their number.
set -euo pipefail
source "$(dirname "$0")/env.sh"
export GOPROXY=off
unformatted=$(gofmt -l "$tests/..")
[[ -z $unformatted ]] || { echo "run gofmt -w on: $unformatted"; exit 1; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for module in "$tests/.." "$tests"; do
  (cd "$module" && go vet ./... && go test -v ./...) >>"$log" 2>&1 || { cat "$log"; exit 1; }
done
if [[ -n ${POSTHORN_TEST_POSTGRES_URL:-} ]] && grep --quiet -e '--- SKIP' "$log"; then cat "$log"; exit 1; fi
echo "OK ($(grep --count -e '--- PASS' "$log") tests, $(go env GOVERSION))"
