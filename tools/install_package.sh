#!/usr/bin/env bash
# Installs optgap from this source into an environment that has its requirements and those of its build, without resolving
# anything. In the build folder of tools/python_test.sh and built as there, so after it little is left to compile; not while it
# runs.
#
#   tools/install_package.sh VENV
#
# Environment: OPTGAP_CUDA      AUTO or ON: with GPU code; default OFF
#              OPTGAP_PREBUILT  a build folder of these sources, to link and pack; default: build/release, where there is one
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/environment.sh

export OPTGAP_CUDA=${OPTGAP_CUDA:-OFF} PIP_DISABLE_PIP_VERSION_CHECK=1
settings=(--no-build-isolation)
if [[ -n ${OPTGAP_PREBUILT:-} ]]; then
    settings+=("-Ccmake.define.OPTGAP_PREBUILT=$(realpath "$OPTGAP_PREBUILT")")
fi
"$1/bin/pip" install --quiet --no-deps --no-cache-dir "${settings[@]}" .
