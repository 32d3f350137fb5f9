#!/usr/bin/env bash
# Installs optgap from this source into an environment that has its requirements, without resolving anything. Built as for all
# other environments of its Python (tools/package/build.sh), so after another one's nothing is left to compile; one at a time.
#
#   tools/package/install.sh VENV
#   tools/package/install.sh VENV test    with what this extra of pyproject.toml requires, from PyPI
#
# Environment: OPTGAP_CUDA      AUTO or ON: with GPU code; default OFF
#              OPTGAP_PREBUILT  a build folder of these sources, to link and pack; default: build/release, where there is one
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/environment.sh

export OPTGAP_CUDA=${OPTGAP_CUDA:-OFF} PIP_DISABLE_PIP_VERSION_CHECK=1
settings=()
if [[ -n ${OPTGAP_PREBUILT:-} ]]; then
    settings+=("-Ccmake.define.OPTGAP_PREBUILT=$(realpath "$OPTGAP_PREBUILT")")
fi
mkdir -p build
exec {turn}>build/package.lock
flock "$turn"
tools/package/build.sh "$1/bin/python" . build/python/wheel "${settings[@]}"
wheel=$(echo build/python/wheel/*.whl)
"$1/bin/pip" install --quiet --no-deps --no-cache-dir --force-reinstall "$wheel"
if [[ -n ${2:-} ]]; then
    "$1/bin/pip" install --quiet "${wheel}[$2]"
fi
