# Sourced by the other scripts: chooses the Go that they use, and keeps them off the network.
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[[ -x $tests/.toolchain/bin/go ]] && PATH=$tests/.toolchain/bin:$PATH && export GOROOT=$tests/.toolchain
export PATH GOTOOLCHAIN=local GOFLAGS=-buildvcs=false GOWORK=off
is_new_enough() { [[ $(printf '%s\n' go1.22 "$(go env GOVERSION)" | sort --version-sort | head --lines=1) == go1.22 ]]; }
