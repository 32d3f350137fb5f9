#!/usr/bin/env bash
# Runs optgap's episodes in the frameworks that train on environments, by their own code (docs/environments.md). Makes
# build/venv-environments and build/venv-verifiers first: verifiers and OpenEnv ask for different versions of mcp. torch, TRL, verl and what they
# draw in are those of build/venv-trainers (tools/trainers_setup.sh). Needs Python 3.11, PyPI, 1 GB of disk.
#
#   tools/environments_test.sh [PYTEST OPTION...]
set -euo pipefail
cd "$(dirname "$0")/.."

tools/trainers_setup.sh --only
made=build/venv-environments
for venv in "$made" build/venv-verifiers; do
    wanted=tests/python/environments/requirements-${venv#build/venv-}.txt
    if ! cmp -s "$wanted" "$venv/installed.txt"; then
        rm -rf "$venv"
        "${PYTHON:-$(command -v python3.11 || command -v python3)}" -m venv "$venv"
        "$venv/bin/pip" install --quiet --no-cache-dir uv
        "$venv/bin/uv" pip install --quiet --python "$venv/bin/python" --no-deps -r "$wanted"
        cp "$wanted" "$venv/installed.txt"
    fi
    if [[ $venv == "$made" ]]; then
        # Behind its own packages, so that these come first.
        echo "$PWD/build/venv-trainers/lib/python3.11/site-packages" >"$(echo "$venv"/lib/python3.*/site-packages)/zz_trainers.pth"
    fi
    tools/package/install.sh "$venv"
done
export PYTHONPYCACHEPREFIX=$PWD/build/pycache PYTHONDONTWRITEBYTECODE=
export HF_HUB_OFFLINE=1 TOKENIZERS_PARALLELISM=false CUDA_VISIBLE_DEVICES=''
mkdir -p build/test-logs
# Each environment runs what the other lacks, and no test may be skipped: what is not here is a failure.
for chosen in "environments:not verifiers" "verifiers:verifiers or mcp"; do
    name=${chosen%%:*}
    log=build/test-logs/environments-$name.xml
    "build/venv-$name/bin/python" -m pytest -q --tb=short -W ignore -p no:cacheprovider --junitxml "$log" -k "${chosen#*:}" \
        tests/python/environments "$@"
    if ! grep -q 'skipped="0"' "$log"; then
        echo "environments: a test was skipped in build/venv-$name" >&2
        exit 1
    fi
done
