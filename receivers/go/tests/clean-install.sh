#!/usr/bin/env bash
# Publishes the module in a repository on this disk, gets it into an empty project without network, and verifies a request.
set -euo pipefail
source "$(dirname "$0")/env.sh"
scratch=$(mktemp --directory)
trap 'rm -rf "$scratch"' EXIT
module=$(sed --quiet 's/^module //p' "$tests/../go.mod")
repository=${module%/receivers/go}

mkdir --parents "$scratch/source/receivers" "$scratch/project"
cp -r "$tests/.." "$scratch/source/receivers/go"
rm -rf "$scratch"/source/receivers/go/tests/.{bin,toolchain}
export GIT_CONFIG_GLOBAL=$scratch/gitconfig
git config --global user.name tests
git config --global user.email tests@example.org
git config --global "url.file://$scratch/source.insteadOf" "https://$repository"
cd "$scratch/source"
git init --quiet
git add .
git commit --quiet --message 0.1.0
git tag receivers/go/v0.1.0

cd "$scratch/project"
export GOPROXY=direct GOSUMDB=off GOMODCACHE=$scratch/modules GOFLAGS='-modcacherw -buildvcs=false'
go mod init example.org/project 2>&1
go get "$module@v0.1.0" 2>&1
[[ $(go list -m all | wc --lines) == 2 ]] || { echo 'the module has dependencies'; exit 1; }
[[ ! -e $scratch/modules/$module@v0.1.0/tests ]] || { echo 'the module contains its tests'; exit 1; }
zip=$scratch/modules/cache/download/$module/@v/v0.1.0.zip
echo "packed: $(find "$scratch/modules/$module@v0.1.0" -type f | wc --lines) files, $(stat --format %s "$zip") bytes"

cat >main.go <<GO
package main

import (
	"fmt"
	"log"
	"net/http"
	"time"

	posthorn "$module"
)

func main() {
	secrets := []string{"whsec_test_0123456789abcdef0123456789abcdef"}
	body := []byte(\`{"id":"evt_1","type":"email.bounced"}\`)
	line, err := posthorn.Sign(body, secrets, time.Now())
	if err != nil {
		log.Fatal(err)
	}
	verifier, err := posthorn.NewVerifier(secrets)
	if err != nil {
		log.Fatal(err)
	}
	event, err := verifier.ConstructEvent(body, http.Header{"X-Service-Signature": {line}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("verified", event.ID, "a known type:", event.Type.Known())
}
GO
go run .
go test "$module"
