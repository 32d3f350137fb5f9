#!/usr/bin/env bash
# Runs optgap's tasks with the programs that evaluators use, by their own commands and against a server on this machine:
# Inspect, lm-evaluation-harness, datasets, reasoning-gym (docs/evaluators.md). Makes build/venv-peers of
# tests/python/peers/requirements.txt first. Needs Python 3.11, PyPI, 1 GB of disk and what tools/setup.sh installs.
#
#   tools/peers_test.sh [PYTEST OPTION...]
#   tools/peers_test.sh --only              only the environment, without optgap
#
# Environment: PYTHON           the interpreter of a new environment, default python3.11 where there is one, else python3
#              OPTGAP_PREBUILT  a build folder of these sources, to link and pack; default: build/release, where there is one
set -euo pipefail
cd "$(dirname "$0")/.."

venv=build/venv-peers
wanted=tests/python/peers/requirements.txt
export PIP_DISABLE_PIP_VERSION_CHECK=1

if ! cmp -s "$wanted" "$venv/installed.txt"; then
    python=${PYTHON:-$(command -v python3.11 || command -v python3)}
    echo "peers: installing $(grep -c == "$wanted") packages with uv into $venv (0.3 GB to load, 0.9 GB on disk)"
    rm -rf "$venv"
    "$python" -m venv "$venv"
    "$venv/bin/pip" install --quiet --no-cache-dir "$(grep '^uv==' "$wanted")"
    "$venv/bin/uv" pip install --quiet --python "$venv/bin/python" --no-deps -r "$wanted"
    cp "$wanted" "$venv/installed.txt"
fi
[[ ${1:-} == --only ]] && exit

tools/package/install.sh "$venv"
mkdir -p build/test-logs
# uv compiles nothing, so the first to import a package does, for all processes behind it; not between the sources.
export PYTHONPYCACHEPREFIX=$PWD/build/pycache PYTHONDONTWRITEBYTECODE=
log=build/test-logs/peers.xml
"$venv/bin/python" -m pytest -q --show-capture=no --tb=short -W ignore -p no:cacheprovider --junitxml "$log" \
    -n "${OPTGAP_JOBS:-$(nproc)}" --dist worksteal tests/python/peers "$@"
if ! grep -q 'skipped="0"' "$log"; then
    echo "peers: a test was skipped" >&2
    exit 1
fi
(($# == 0)) || exit 0
for file in tests/python/peers/*_test.py; do
    name=$(basename "$file" .py)
    grep -q "peers.$name" "$log" || { echo "peers: $name did not run" >&2; exit 1; }
done
