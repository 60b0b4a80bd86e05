#!/usr/bin/env bash
# Builds the gem, installs it where no other gem is, without a registry, and verifies a request there.
set -euo pipefail
package=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp --directory)
trap 'rm -rf "$scratch"' EXIT

cd "$package"
gem build --output "$scratch/package.gem" posthorn-receiver.gemspec
mkdir "$scratch/unpacked"
tar --extract --file "$scratch/package.gem" --directory "$scratch/unpacked"
files=$(tar --list --gzip --file "$scratch/unpacked/data.tar.gz")
echo "packed: $(wc -l <<<"$files") files, $(stat --format %s "$scratch/package.gem") bytes"
! grep -E '^(test|bench)/' <<<"$files" || { echo 'the package contains its tests'; exit 1; }

cd "$scratch"
export HOME=$scratch GEM_HOME=$scratch/gems GEM_PATH=$scratch/gems
gem install --local --document rdoc package.gem
gem list --local --no-details | grep --fixed-strings '(0.1.0)'
gem dependency --local posthorn-receiver
cat >receiver.rb <<'RUBY'
require "posthorn/receiver"
abort "loaded from #{$LOADED_FEATURES.last}" unless $LOADED_FEATURES.grep(/posthorn/).all? { |path| path.start_with?(ENV["GEM_HOME"]) }
secret = "whsec_test_0123456789abcdef0123456789abcdef"
body = '{"id":"evt_1","type":"email.bounced"}'
event = Posthorn::Receiver::Verifier.new(secret).construct_event(body, Posthorn::Receiver.sign(body, secret))
puts "verified #{event.id}, a known type: #{event.known?}"
RUBY
warnings=$( { ruby -w receiver.rb >printed; } 2>&1)
[[ -z $warnings ]] || { echo "$warnings"; exit 1; }
cat printed
