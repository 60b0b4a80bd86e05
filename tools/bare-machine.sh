#!/usr/bin/env bash
# Tests the first commands of the README on a machine with only Node.js 20.19 and npm: `npm ci && npm start` must become
# ready and exit with 0 on SIGTERM, and `npm ci && npm test` must exit with 0, both as root and as an ordinary user.
#
#   tools/bare-machine.sh           everything
#   tools/bare-machine.sh --short   one installation, start, one browser test and the receiver's tests
#
# The machine is a separate root folder with the packages that every Debian has, Node.js, npm, and a clone of the last
# commit. It needs root, and Debian or a distribution based on it. It removes everything at the end.
set -euo pipefail

node_version=20.19.0
node_package=node-linux-$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')
browser_test=packages/dashboard/test/unsubscribe-page.test.ts
repository=$(cd "$(dirname "$0")/.." && pwd)

fail() {
  echo "bare-machine: $*" >&2
  exit 1
}

[[ ${1:-} == '' || ${1:-} == --short ]] || fail "unknown argument $1. The only argument is --short"
[[ $(id -u) == 0 ]] || fail 'run it as root, because it mounts a separate root folder'
command -v dpkg-query >/dev/null || fail 'dpkg is missing. Run it on Debian or a distribution based on it'

# runs in its own namespaces, so that mounts and processes end with it
if [[ ${BARE_MACHINE:-} == '' ]]; then
  root=$(mktemp --directory --tmpdir posthorn-bare-machine-XXXXXX)
  trap 'rm -rf --one-file-system "$root"' EXIT
  BARE_MACHINE=$root unshare --mount --pid --fork --kill-child --propagation private bash "$0" "$@"
  exit
fi
root=$BARE_MACHINE

# every essential or required package, with its dependencies
base_packages() {
  dpkg-query --show --showformat '${Package}\t${Essential}\t${Priority}\t${Depends}, ${Pre-Depends}\n' | awk -F '\t' '
    { needs[$1] = $4 }
    $2 == "yes" || $3 == "required" { add($1) }
    function add(name) { if (!(name in wanted)) { wanted[name]; queue[++last] = name } }
    END {
      for (n = 1; n <= last; n++) {
        count = split(needs[queue[n]], parts, /[,|]/)
        for (i = 1; i <= count; i++) {
          name = parts[i]; gsub(/\(.*|:.*|[ ]/, "", name)
          if (name in needs) add(name)
        }
      }
      for (n = 1; n <= last; n++) print queue[n]
    }'
}

copy_system() {
  for link in bin sbin lib lib64; do [[ -L /$link ]] && ln -s "$(readlink /$link)" "$root/$link"; done
  chmod 755 "$root"
  mkdir -p "$root/usr/bin" "$root/usr/sbin" "$root/usr/lib" "$root/usr/lib64"
  base_packages | xargs dpkg-query --listfiles | grep "^/" | sort -u | grep -v '^/usr/share/\(doc\|man\|locale\)/' |
    while read -r path; do if [[ -L $path || -f $path ]]; then echo "${path#/}"; fi; done |
    tar --create --directory / --no-recursion --files-from - | tar --extract --directory "$root"
  # the libraries that the installer of Node.js provides
  ldd "$1" | awk '$3 ~ /^\// { print $3 }' | xargs cp --dereference --target-directory "$root/usr/lib"
  mkdir -p "$root"/{proc,dev/shm,dev/pts,etc,run,tmp,root,home/person,var/tmp}
  chmod 1777 "$root/tmp" "$root/var/tmp"
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  printf '%s\n' 'root:x:0:0::/root:/bin/sh' 'person:x:1000:1000::/home/person:/bin/sh' \
    'nobody:x:65534:65534::/nonexistent:/usr/sbin/nologin' >"$root/etc/passwd"
  printf '%s\n' 'root:x:0:' 'person:x:1000:' 'nogroup:x:65534:' >"$root/etc/group"
  chroot "$root" ldconfig
}

mount_devices() {
  mount -t proc proc "$root/proc"
  mount -t tmpfs -o mode=755 tmpfs "$root/dev"
  mkdir "$root/dev/shm" "$root/dev/pts"
  mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
  for device in null zero full random urandom tty; do
    touch "$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
  done
  ln -s /proc/self/fd "$root/dev/fd"
}

home_of() {
  if [[ $1 == root ]]; then echo /root; else echo /home/person; fi
}

ids_of() {
  if [[ $1 == root ]]; then echo 0:0; else echo 1000:1000; fi
}

# runs as root or person, with no environment of this machine except the registry settings
exec_as() {
  local user=$1
  shift
  exec chroot --userspec="$user" "$root" /usr/bin/env --ignore-environment PATH=/usr/local/bin:/usr/bin:/bin HOME="$(home_of "$user")" \
    npm_config_registry="$registry" npm_config_cache=/npm-cache npm_config_update_notifier=false \
    ${certificates:+NODE_EXTRA_CA_CERTS=/etc/certificates.pem} ${http_proxy:+http_proxy="$http_proxy"} \
    ${https_proxy:+https_proxy="$https_proxy"} POSTHORN_PORT=0 \
    sh -c 'cd "$HOME/posthorn" && exec "$@"' sh "$@"
}

run_as() {
  (exec_as "$@")
}

install() {
  run_as "$1" npm ci >"$root/install" 2>&1 || { cat "$root/install"; fail "npm ci failed as $1"; }
}

# `npm start` until it is ready, then SIGTERM
start() {
  local log=$root/start url='' code=0 npm
  (exec_as "$1" npm start) >"$log" 2>&1 &
  npm=$!
  for _ in $(seq 3000); do
    url=$(sed -n 's/.*"url":"\(http:[^"]*\)".*/\1/p' "$log")
    [[ $url != '' ]] && run_as "$1" node -e "fetch('$url/readyz').then(answer => process.exit(answer.ok ? 0 : 1))" && break
    kill -0 "$npm" 2>/dev/null || break
    sleep 0.1
    url=''
  done
  [[ $url != '' ]] || { cat "$log"; fail "npm start did not become ready as $1"; }
  kill -TERM "$npm"
  wait "$npm" || code=$?
  [[ $code == 0 ]] || { cat "$log"; fail "npm start ended with $code on SIGTERM as $1"; }
}

registry=$(npm config get registry)
certificates=${NODE_EXTRA_CA_CERTS:-}
download=$(mktemp --directory --tmpdir="$root")
(cd "$download" && npm pack --silent "$node_package@$node_version" >/dev/null && tar --extract --gzip --file ./*.tgz)
copy_system "$download/package/bin/node"
mount_devices
mkdir -p "$root/usr/local/bin" "$root/usr/local/lib/node_modules"
mv "$download/package/bin/node" "$root/usr/local/bin/"
cp -R "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" "$root/usr/local/lib/node_modules/npm"
for name in npm npx; do ln -s "../lib/node_modules/npm/bin/$name-cli.js" "$root/usr/local/bin/$name"; done
[[ $certificates == '' ]] || cp "$certificates" "$root/etc/certificates.pem"
# reuses the download cache of this machine
mkdir -p "$root/npm-cache"
cp -R --reflink=auto "$(npm config get cache)/_cacache" "$root/npm-cache/" 2>/dev/null || true
clone_for() {
  git clone --quiet "file://$repository" "$root$(home_of "$1")/posthorn"
  chown -R "$(ids_of "$1")" "$root$(home_of "$1")/posthorn"
}
chown -R 1000:1000 "$root/home/person" "$root/npm-cache"

if [[ ${1:-} == --short ]]; then
  clone_for person
  install person
  start person
  run_as person npm test -- packages/receiver "$browser_test" || fail 'npm test failed as person'
  # root reuses the installation
  mv "$root/home/person/posthorn" "$root/root/posthorn"
  chown -R 0:0 "$root/root/posthorn"
  start root
  run_as root npm test -- "$browser_test" || fail 'npm test failed as root'
else
  for user in person root; do
    clone_for "$user"
    install "$user"
    start "$user"
    run_as "$user" npm test || fail "npm test failed as $user"
  done
fi
echo "bare-machine: npm ci, npm start and npm test ${1:-} succeeded as root and as an ordinary user with Node.js $node_version"
