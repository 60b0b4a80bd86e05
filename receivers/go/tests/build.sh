#!/usr/bin/env bash
# Builds the programs of the tests into .bin without the network. Fails if something is missing: see install.sh.
set -euo pipefail
source "$(dirname "$0")/env.sh"
cd "$tests"
is_new_enough
export GOPROXY=off
mkdir --parents .bin
own=$(mktemp --directory .bin/new.XXXXXX)
trap 'rm -rf "$own"' EXIT
go build -o "$own/" ./judge ./live ./standardwebhooks
# Moved, because another test may run the old ones.
mv "$own"/* .bin/
