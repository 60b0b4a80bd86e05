#!/usr/bin/env bash
# Installs what the tests need, in the versions of requirements.txt, into .venv.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ -x .venv/bin/python ]] && .venv/bin/python tests/can_run.py >/dev/null 2>&1; then exit; fi
rm -rf .venv
python3 -m venv .venv
.venv/bin/python -m pip install --quiet --disable-pip-version-check --requirement tests/requirements.txt
# the library itself, from this folder
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
.venv/bin/python tests/can_run.py
