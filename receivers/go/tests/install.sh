#!/usr/bin/env bash
# Downloads what the tests need: a database driver, and Go 1.22 if Go is older, as on Debian 12. Then compiles everything.
set -euo pipefail
source "$(dirname "$0")/env.sh"
cd "$tests"
if ! is_new_enough; then
  toolchain=golang.org/toolchain@v0.0.1-go1.22.12.$(go env GOOS)-$(go env GOARCH)
  (cd / && go mod download "$toolchain")
  folder=$(go env GOMODCACHE)/$toolchain
  # modules have no executable files
  chmod -R u+x "$folder/bin" "$folder/pkg/tool"
  ln --symbolic --force --no-dereference "$folder" .toolchain
  source ./env.sh
fi
go mod download
./build.sh
go vet ./... >/dev/null
(cd .. && go vet ./...)
