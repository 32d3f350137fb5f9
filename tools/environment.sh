# shellcheck shell=bash
# Sourced by the scripts beside it: finds the CMake and the compiler that setup.sh chose.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [[ -x $root/.venv/bin/cmake ]]; then
    export PATH="$root/.venv/bin:$PATH"
fi

# at_least VERSION WANTED
at_least() {
    [[ $(printf '%s\n' "$1" "$2" | sort -V | head -n 1) == "$2" ]]
}

# The project needs g++ 12; where the distribution's default is older, the versioned one is taken.
if [[ -z ${CXX:-} ]] && ! at_least "$(g++ -dumpversion 2>/dev/null || echo 0)" 12; then
    for compiler in g++-14 g++-13 g++-12; do
        if command -v "$compiler" >/dev/null; then
            export CXX=$compiler
            break
        fi
    done
fi
