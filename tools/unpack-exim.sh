#!/usr/bin/env bash
# Downloads Debian's Exim and its libraries, and unpacks them into tools/test-programs/exim for `npm run demo:mail` and the
# tests. It installs nothing: the package conflicts with Postfix. Needs Debian or a distribution based on it.
set -euo pipefail

target=$(cd "$(dirname "$0")" && pwd)/test-programs/exim
[[ -e $target ]] && exit

dependencies() {
  apt-cache depends --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances "$@"
}

apt-cache show exim4-daemon-light >/dev/null 2>&1 || apt-get update -qq
direct=$(dependencies exim4-daemon-light | sed -n 's/.*Depends: \(lib.*\)/\1/p')
# shellcheck disable=SC2086
libraries=$(dependencies --recurse $direct | grep '^[a-z]' | sort -u)

folder=$(mktemp --directory)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# shellcheck disable=SC2086
apt-get download -qq -o APT::Sandbox::User=root exim4-daemon-light $libraries
for package in *.deb; do dpkg -x "$package" exim; done
rm -rf exim/usr/share
mv exim "$target"
echo "Exim is in $target"
