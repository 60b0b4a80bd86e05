#!/usr/bin/env bash
# Packs the library, installs it into an empty environment without a registry, and verifies a request there.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$PWD/.venv/bin/python
scratch=$(mktemp --directory)
trap 'rm -rf "$scratch"' EXIT
export PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1
unset PIP_FIND_LINKS

# Builds the sdist, and then the wheel from the sdist.
"$python" -m build --no-isolation --outdir "$scratch/dist" . >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
wheel=$(echo "$scratch"/dist/*.whl)
echo "packed: $("$python" -m zipfile --list "$wheel" | tail -n +2 | wc -l) files, $(stat --format=%s "$wheel") bytes;" \
  "sdist $(stat --format=%s "$scratch"/dist/*.tar.gz) bytes"

"$python" -m venv --without-pip "$scratch/project"
"$python" -m pip --python "$scratch/project/bin/python" install --quiet "$wheel"
"$python" -m pip --python "$scratch/project/bin/python" list --format=freeze
cd "$scratch"
project/bin/python -I - <<'PYTHON'
from pathlib import Path
import posthorn_receiver
from posthorn_receiver import Verifier, sign

folder = Path(posthorn_receiver.__file__).parent
assert folder.is_relative_to(Path("project").resolve()) and (folder / "py.typed").is_file()
secret = "whsec_test_0123456789abcdef0123456789abcdef"
body = b'{"id":"evt_1","type":"email.bounced"}'
event = Verifier(secret).construct_event(body, sign(body, secret))
print(f"verified {event.id}, a known type: {type(event).__name__}")
PYTHON
