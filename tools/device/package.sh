#!/usr/bin/env bash
# Writes the Python package, with its CUDA part, for another x86-64 Linux with an NVIDIA driver and no compiler, which
# may have another Python. OUT_DIR/optgap is importable there without installation, and finds its CUDA part itself.
#
#   tools/device/package.sh BUILD_DIR OUT_DIR [PYTHON]
#
#   BUILD_DIR   a build folder that holds liboptgap_cuda.so of these sources; of the preset device: build/device
#   OUT_DIR     optgap/ in it is replaced, and what else lies there stays
#   PYTHON      of the version that the other machine has, with its headers; default: python3.12, of pyenv where it is not on the
#               path
#
# The core is linked from build/release, where that fits (tools/cmake/prebuilt.cmake). A CUDA part of other sources, known
# by its build id, is refused here, by name, instead of on the other machine. Needs PyPI the first time.
set -euo pipefail
shopt -s inherit_errexit
root=$(cd "$(dirname "$0")/../.." && pwd)
[[ $# -eq 2 || $# -eq 3 ]] || { sed -n '2,13p' "$0" >&2; exit 2; }
library=$(realpath "$1")/liboptgap_cuda.so
mkdir -p "$2"
out=$(realpath "$2")
[[ -f $library ]] || { echo "no $library: cmake --build $1 --target optgap_cuda" >&2; exit 2; }
cd "$root"
source tools/environment.sh

python=${3:-python3.12}
for program in "$python" "$HOME/.pyenv/versions/${python#python}".*/bin/"$python"; do
    python=$(command -v "$program" || true)
    "${python:-false}" -c 'import sysconfig' 2>/dev/null && break
    python=''
done
[[ -n $python ]] || { echo "no ${3:-python3.12} here" >&2; exit 2; }

# A permanent environment: a new path each time would compile everything again.
tag=$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("SOABI"))')
work=build/device_package/$tag
export PIP_DISABLE_PIP_VERSION_CHECK=1
if [[ ! -x $work/venv/bin/pytest ]]; then
    "$python" -m venv "$work/venv"
    requirements=$(sed -n 's/^requires = \[\(.*\)\]/\1/p' pyproject.toml | tr -d '",')
    # shellcheck disable=SC2086
    "$work/venv/bin/pip" install --quiet $requirements numpy pytest
fi
rm -rf "$work/wheel" "$out/optgap"
mkdir -p "$work/wheel"
OPTGAP_CUDA=OFF "$work/venv/bin/pip" wheel --quiet --no-deps --no-build-isolation --wheel-dir "$work/wheel" .
"$work/venv/bin/python" - "$work"/wheel/*.whl "$out" <<'PYTHON'
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1]) as wheel:
    wheel.extractall(sys.argv[2], [name for name in wheel.namelist() if name.startswith("optgap/")])
PYTHON
chmod +x "$out"/optgap/bin/*
strip --strip-unneeded -o "$out/optgap/lib/liboptgap_cuda.so" "$library"

bash tools/check_binary.sh portable "$out"/optgap/_native.*.so "$out"/optgap/lib/*.so "$out"/optgap/bin/optgap
bash tools/check_binary.sh module "$out/optgap"
bash tools/check_binary.sh size "$out/optgap" 50
said=$(env -u OPTGAP_CUDA_LIBRARY PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$out" "$work/venv/bin/python" -m optgap info | sed -n 's/^cuda  *//p')
case $said in
yes* | *"no NVIDIA driver is installed"* | *"no CUDA device is visible"*) echo "$out/optgap, $tag: the CUDA part is loaded: $said" ;;
*) echo "the CUDA part is not loaded: $said" >&2; exit 1 ;;
esac
