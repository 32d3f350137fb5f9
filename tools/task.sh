#!/usr/bin/env bash
# The edit-test loop of one task: builds it and nothing else, runs its property tests, its tests and its frozen rows on the CPU, and
# ends with one line.
#
#   tools/task.sh tsp            once; exit code 1 when something fails
#   tools/task.sh tsp --watch    again whenever a file of the task changes, until Ctrl-C
#
# The libraries that name no task come from build/release and are built or brought up to date first. Afterwards an edit of
# the task's property costs the task's own units. Environment:
#   OPTGAP_JOBS       default: the number of processors
#   OPTGAP_PREBUILT   a build of this tree's libraries elsewhere, which is taken as it is
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/environment.sh

name=${1:-} watch=false
case ${2:-} in
'') ;;
--watch) watch=true ;;
*) name= ;;
esac
if [[ -z $name || $name == -* ]]; then
    sed -n '2,12p' "$0" >&2
    exit 2
fi
task=kernels/tasks/$name
if [[ ! -f $task/$name.cu ]]; then
    echo "task.sh: no task '$name' in kernels/tasks; there are: $(cd kernels/tasks && echo */ | tr -d /)" >&2
    exit 2
fi
jobs=${OPTGAP_JOBS:-$(nproc)}
folder=build/task/$name
log=$folder/log
mkdir -p "$folder/tree/kernels/tasks"
ln -sfn "$PWD/$task" "$folder/tree/kernels/tasks/$name"

prepare() {
    local libraries=${OPTGAP_PREBUILT:-$PWD/build/release}
    if [[ -z ${OPTGAP_PREBUILT:-} ]]; then
        cmake --preset release >"$log" 2>&1 || { cat "$log"; return 1; }
        cmake --build "$libraries" -j "$jobs" \
            --target optgap_host optgap_fmt optgap_bench optgap_properties optgap_test_objects || return 1
    fi
    cmake -S . -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DOPTGAP_PORTABLE=ON -DOPTGAP_CUDA=OFF \
        -DOPTGAP_PREBUILT="$libraries" -DOPTGAP_TASKS_DIR="$PWD/$folder/tree/kernels/tasks" >"$log" 2>&1 ||
        { cat "$log"; return 1; }
}

# run_tests BINARY FILTER: adds to `passed`; what failed is shown.
run_tests() {
    local found
    if ! "$folder/build/$1" --gtest_filter="$2" --gtest_brief=1 >"$log" 2>&1; then
        grep -vE '^\[ *(==+|PASSED)' "$log" | tail -n 60
        failed=$((failed + $(grep -cE '^\[  FAILED  \] .*\(' "$log" || echo 1)))
    fi
    found=$(grep -oE '^\[  PASSED  \] [0-9]+' "$log" | grep -oE '[0-9]+' || echo 0)
    passed=$((passed + found))
}

check() {
    local begin=$EPOCHREALTIME seconds
    passed=0 failed=0
    if cmake --build "$folder/build" -j "$jobs" \
        --target optgap_unit_tests optgap_conformance_tests optgap_team_tests >"$log" 2>&1; then
        run_tests optgap_unit_tests '*'
        run_tests optgap_conformance_tests '*'
        run_tests optgap_team_tests '*'
    else
        grep -E -A 12 'error|FAILED' "$log" | head -n 60
        failed=1
    fi
    seconds=$(awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
    echo "[$(date +%H:%M:%S)] $name: $passed passed, $failed failed in $seconds s"
    [[ $failed -eq 0 ]]
}

newest() {
    find "$task/" kernels/core kernels/search -type f -printf '%T@ %p\n' | sort | sha256sum
}

prepare
if ! $watch; then
    check
    exit
fi
before=
while true; do
    now=$(newest)
    if [[ $now != "$before" ]]; then
        before=$now
        check || true
    fi
    sleep 0.3
done
