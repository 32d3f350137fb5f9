#!/usr/bin/env bash
# Installs what the build needs (Debian, Ubuntu) and builds build/release/optgap. May be repeated.
#
#   tools/setup.sh                 compiler, CMake, libraries; builds the program
#   tools/setup.sh --with tests    also clang for the fuzzers, Chromium to look at pages, and the oracle's Python packages, and
#                                  builds the tests
#   tools/setup.sh --no-build      installs only
#
# The GPU code is built when there is a card and nvcc >= 12.4; neither is ever installed.
set -euo pipefail
cd "$(dirname "$0")/.."

with_tests=false
build=true
while [[ $# -gt 0 ]]; do
    case $1 in
    --with)
        [[ ${2:-} == tests ]] || { echo "setup.sh: --with knows 'tests' only" >&2; exit 2; }
        with_tests=true
        shift
        ;;
    --no-build) build=false ;;
    *) sed -n '2,9p' "$0" >&2; exit 2 ;;
    esac
    shift
done

as_root() {
    if [[ $(id -u) -eq 0 ]]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        echo "setup.sh: needs root or sudo to run: $*" >&2
        exit 1
    fi
}

installed() {
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

updated=false
refresh_lists() {
    if ! $updated; then
        as_root apt-get update -qq
        updated=true
    fi
}

# install_packages NAME...: those that are missing, in one go.
install_packages() {
    local missing=() package
    for package in "$@"; do
        installed "$package" || missing+=("$package")
    done
    if [[ ${#missing[@]} -gt 0 ]]; then
        echo "setup: installing with apt: ${missing[*]}"
        refresh_lists
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
            >/dev/null
    fi
}

if ! command -v apt-get >/dev/null; then
    echo "setup: no apt here; assuming that the packages listed in $0 are installed" >&2
else
    install_packages build-essential binutils ca-certificates git ninja-build ccache python3 python3-venv \
        libfmt-dev nlohmann-json3-dev libcli11-dev libxxhash-dev librandom123-dev libgtest-dev libgmock-dev \
        libbenchmark-dev libre2-dev libutf8proc-dev libsqlite3-dev zlib1g-dev libicu-dev
    # For programs as answers (docs/sandbox.md); everything else is built without them.
    for package in libseccomp-dev bubblewrap; do
        if apt-cache show "$package" >/dev/null 2>&1; then
            install_packages "$package"
        else
            echo "setup: no $package: optgap sandbox will say what it lacks" >&2
        fi
    done
    source tools/environment.sh
    if ! at_least "$("${CXX:-g++}" -dumpversion)" 12; then
        install_packages g++-12
    fi
    if $with_tests; then
        install_packages clang
        version=$(clang --version | grep -oE 'version [0-9]+' | grep -oE '[0-9]+')
        # From LLVM 14 on Debian and 15 on Ubuntu the sanitizers' runtime is a package of its own.
        if apt-cache show "libclang-rt-$version-dev" >/dev/null 2>&1; then
            install_packages "libclang-rt-$version-dev"
        fi
        # For C++ at the isolation level wasm (docs/sandbox.md), 3.5 MB beside clang; tests/cli/wasm_test.py skips its part without them.
        for package in lld wasi-libc libc++-dev-wasm32 "libclang-rt-$version-dev-wasm32"; do
            if apt-cache show "$package" >/dev/null 2>&1; then
                install_packages "$package" || echo "setup: no $package: no C++ at the isolation level wasm" >&2
            fi
        done
        # Pages are looked at in it. Ubuntu has none outside of snap, and the test is skipped there.
        if apt-cache show chromium >/dev/null 2>&1; then
            install_packages chromium || echo "setup: no chromium: tests/cli/look_test.py will be skipped" >&2
        fi
    fi
fi
source tools/environment.sh

cmake_version() {
    cmake --version 2>/dev/null | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1
}
if ! at_least "$(cmake_version || true)" 3.25; then
    candidate=0
    if command -v apt-cache >/dev/null; then
        refresh_lists
        candidate=$(apt-cache policy cmake | awk '$1 == "Candidate:" {print $2}' | sed 's/^[0-9]*://')
    fi
    if ! command -v cmake >/dev/null && at_least "$candidate" 3.25; then
        install_packages cmake
    else
        echo "setup: installing CMake from PyPI into .venv"
        python3 -m venv .venv
        .venv/bin/pip install --quiet --disable-pip-version-check 'cmake>=3.25,<4'
    fi
    source tools/environment.sh
fi

if $with_tests && ! tools/oracle.sh --setup; then
    echo "setup: no oracle: its test will be skipped" >&2
fi

echo "setup: $("${CXX:-g++}" --version | head -n 1); CMake $(cmake_version)"
if $build; then
    configured=$(mktemp)
    trap 'rm -f "$configured"' EXIT
    cmake --preset release -DOPTGAP_UNITY=ON >"$configured" 2>&1 || { cat "$configured" >&2; exit 1; }
    grep -E '^-- optgap:' "$configured" || true
    targets=(--target optgap)
    if $with_tests; then
        targets+=(tests)
    fi
    cmake --build --preset release "${targets[@]}"
    echo "setup: built build/release/optgap"
fi
