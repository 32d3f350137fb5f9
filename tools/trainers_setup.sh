#!/usr/bin/env bash
# Makes build/venv-trainers: PyTorch, TRL, verl and OpenRLHF from PyPI as tests/python/integrations/requirements.txt
# pins them, and optgap from this source. Needs Python 3.11, PyPI, 6 GB of disk and what tools/setup.sh installs, no GPU.
#
#   tools/trainers_setup.sh            both; what is there already is kept, and optgap is built anew
#   tools/trainers_setup.sh --only     only the trainers
#
# Environment: PYTHON   the interpreter, default python3.11 where there is one, else python3
#              and those of tools/package/install.sh
set -euo pipefail
cd "$(dirname "$0")/.."

venv=build/venv-trainers
wanted=tests/python/integrations/requirements.txt
export PIP_DISABLE_PIP_VERSION_CHECK=1

if ! cmp -s "$wanted" "$venv/installed.txt"; then
    python=${PYTHON:-$(command -v python3.11 || command -v python3)}
    echo "trainers: installing $(grep -c == "$wanted") packages with uv into $venv (2.3 GB to load, 5.5 GB on disk)"
    rm -rf "$venv"
    "$python" -m venv "$venv"
    "$venv/bin/pip" install --quiet --no-cache-dir "$(grep '^uv==' "$wanted")"
    # The list is whole, so nothing is resolved. uv unpacks 2.3 GB in half of pip's time (66 CPU seconds for 131), links its
    # cache's files into the environment, and only those that are imported get compiled.
    UV_CACHE_DIR=$venv-cache "$venv/bin/uv" pip install --quiet --python "$venv/bin/python" --no-deps \
        --only-binary :all: --no-binary antlr4-python3-runtime --no-binary cellpylib --no-binary pycosat --no-binary zss \
        -r "$wanted"
    rm -rf "$venv-cache"
    cp "$wanted" "$venv/installed.txt"
fi
[[ ${1:-} == --only ]] && exit

tools/package/install.sh "$venv"
