#!/usr/bin/env bash
# Do the tests notice? Puts the faults of tools/mutants.json, one at a time, into a copy of this tree, and says which tests
# fail with each.
#
#   tools/mutants.sh              all of them; exit code 1 when one survives
#   tools/mutants.sh NAME...      these
#
# The copy is built first, for one instruction set and without CUDA: minutes, with an empty compiler cache a quarter of an
# hour. A fault then costs the units that include its file. Environment:
#   OPTGAP_JOBS      default: the number of processors
#   OPTGAP_THROUGH   a command that each build is run by: "nice", "flock FILE"
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/environment.sh
work=$PWD/build/mutants
tree=$work/tree
jobs=${OPTGAP_JOBS:-$(nproc)}
# The copy's units are those of this tree.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD}
python3 -B tools/mutants.py --check "$@"

mkdir -p "$tree"
find "$tree" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
git ls-files -co --exclude-standard -z | { while IFS= read -r -d '' file; do [[ ! -f $file ]] || printf '%s\0' "$file"; done; } |
    tar --null --files-from=- -cf - | tar -xf - -C "$tree"
# A run that was stopped has left its fault in the objects.
if [[ -s $work/applied ]]; then
    touch "$tree/$(cat "$work/applied")"
fi
# shellcheck disable=SC2046,SC2086  # OPTGAP_THROUGH is a command with its arguments, and targets are several
{
    cmake -S "$tree" -B "$tree/build/release" -G Ninja -DCMAKE_BUILD_TYPE=Release -DOPTGAP_PORTABLE=ON -DOPTGAP_UNITY=ON \
        -DOPTGAP_CUDA=OFF -DOPTGAP_ISAS=isa_base
    ${OPTGAP_THROUGH:-} cmake --build "$tree/build/release" -j "$jobs" --target $(python3 -B tools/mutants.py --targets "$@")
} >"$work/log" 2>&1 || { tail -n 40 "$work/log"; exit 2; }
python3 -B tools/mutants.py --tree "$tree" --applied "$work/applied" --jobs "$jobs" --through "${OPTGAP_THROUGH:-}" "$@"
