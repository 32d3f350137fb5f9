#!/usr/bin/env bash
# Builds the wheel of a source folder for an interpreter; OUT_DIR is replaced. An interpreter has one environment that builds, which
# stays: for another one's scikit-build empties CMake's cache, and all that includes nanobind is compiled anew (39 CPU seconds).
#
#   tools/package/build.sh PYTHON SOURCE OUT_DIR [PIP OPTION...]
#
#   PYTHON    an interpreter, or one of an environment, whose packages do not matter
#   SOURCE    . or python/cuda/cuda13; what pyproject.toml requires for a build comes from PyPI the first time
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/environment.sh
[[ $# -ge 3 ]] || { sed -n '2,9p' "$0" >&2; exit 2; }
python=$1 from=$2 out=$3

export PIP_DISABLE_PIP_VERSION_CHECK=1
venv=build/venv-build/$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("SOABI"))')
requirements=$(sed -n 's/^requires = \[\(.*\)\]/\1/p' pyproject.toml | tr -d '",')
if ! "$venv/bin/python" -c '' 2>/dev/null || ! cmp -s <(echo "$requirements") "$venv/installed.txt"; then
    "$python" -m venv --clear "$venv"
    # shellcheck disable=SC2086
    "$venv/bin/pip" install --quiet $requirements
    echo "$requirements" >"$venv/installed.txt"
fi
rm -rf "$out"
"$venv/bin/pip" wheel --quiet --no-deps --no-build-isolation "${@:4}" --wheel-dir "$out" "$from"
