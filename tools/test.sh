#!/usr/bin/env bash
# Sets up, builds and runs every test that this machine can run. The last line is the count; exit code 1 on a failure.
#
#   tools/test.sh              all stages but trainers
#   tools/test.sh --trainers   also those that call TRL, verl and OpenRLHF (loads 2.3 GB from PyPI)
#   tools/test.sh --quick      the release build's tests only
#
# Environment: OPTGAP_FUZZ_SECONDS   all fuzzers together, default 60
#              OPTGAP_REQUIRE=cuda   a GPU test that finds no GPU fails rather than being skipped
#              OPTGAP_REQUIRE=oracle   the same for the oracle's sample without its Python packages
#              OPTGAP_JOBS           default: the number of processors
set -euo pipefail
cd "$(dirname "$0")/.."

quick=false trainers=false
case ${1:-} in
'') ;;
--quick) quick=true ;;
--trainers) trainers=true ;;
*) sed -n '2,11p' "$0" >&2; exit 2 ;;
esac

jobs=${OPTGAP_JOBS:-$(nproc)}
logs=build/test-logs
mkdir -p "$logs"
passed=0 failed=0 skipped=0
lines=()

# report STAGE RESULT PASSED FAILED SKIPPED SECONDS [NOTE]
report() {
    local line
    line=$(printf '%-10s %-8s %6d %6d %7d %7ds  %s' "$1" "$2" "$3" "$4" "$5" "$6" "${7:-}")
    lines+=("$line")
    passed=$((passed + $3)) failed=$((failed + $4)) skipped=$((skipped + $5))
    printf '[%s] %s: %d passed, %d failed, %d skipped (%d s) %s\n' "$(date +%H:%M:%S)" "$1" "$3" "$4" "$5" "$6" "${7:-}"
}

# step LOG LIMIT_S COMMAND...: output goes to the log and is shown when the command fails.
step() {
    local log=$logs/$1.log limit=$2 status=0
    shift 2
    timeout --kill-after=10 "$limit" "$@" >>"$log" 2>&1 || status=$?
    if [[ $status -eq 124 || $status -eq 137 ]]; then
        echo "stopped after $limit s: $*" >>"$log"
    fi
    if [[ $status -ne 0 ]]; then
        tail -n 150 "$log"
    fi
    return "$status"
}

# count_tests JUNIT_FILE: "PASSED FAILED SKIPPED", and the names of the failed and skipped tests to stderr.
count_tests() {
    python3 - "$1" <<'PYTHON'
import sys
import xml.etree.ElementTree as tree

counts = {"passed": 0, "failed": 0, "skipped": 0}
names = {"failed": [], "skipped": []}
for case in tree.parse(sys.argv[1]).getroot().iter("testcase"):
    status = {"run": "passed", "fail": "failed"}.get(case.get("status"), "skipped")
    if case.find("failure") is not None:
        status = "failed"
    counts[status] += 1
    names.get(status, []).append(case.get("name"))
for status, found in names.items():
    for name in found[:20]:
        print(f"    {status}: {name}", file=sys.stderr)
    if len(found) > 20:
        print(f"    {status}: and {len(found) - 20} more", file=sys.stderr)
print(*counts.values())
PYTHON
}

# run_stage NAME PRESET BUILD_LIMIT_S TEST_LIMIT_S [CTEST_OPTION...]
run_stage() {
    local stage=$1 preset=$2 build_limit=$3 test_limit=$4 start=$SECONDS status=0
    shift 4
    : >"$logs/$stage.log"
    if ! step "$stage" 300 cmake --preset "$preset" ||
        ! step "$stage" "$build_limit" cmake --build --preset "$preset" -j "$jobs"; then
        report "$stage" FAILED 0 1 0 $((SECONDS - start)) "build, see $logs/$stage.log"
        return
    fi
    local built=$((SECONDS - start)) junit=$PWD/$logs/$stage.xml counts
    rm -f "$junit"
    step "$stage" "$test_limit" ctest --preset "$preset" -j "$jobs" --output-junit "$junit" "$@" || status=$?
    if [[ ! -s $junit ]]; then
        report "$stage" FAILED 0 1 0 $((SECONDS - start)) "ctest stopped, see $logs/$stage.log"
        return
    fi
    counts=$(count_tests "$junit")
    read -r good bad none <<<"$counts"
    if [[ $status -ne 0 && $bad -eq 0 ]]; then
        bad=1
    fi
    # shellcheck disable=SC2086
    report "$stage" "$([[ $bad -eq 0 ]] && echo passed || echo FAILED)" $good $bad $none $((SECONDS - start)) \
        "build $built s"
}

# A build without the toolkit takes Random123's Philox; its bytes must be those of the release build.
run_nocuda() {
    local start=$SECONDS log=nocuda preset
    : >"$logs/$log.log"
    if ! step $log 300 cmake --preset nocuda -DOPTGAP_TESTS=OFF ||
        ! step $log 1200 cmake --build --preset nocuda -j "$jobs" --target optgap; then
        report nocuda FAILED 0 1 0 $((SECONDS - start)) "build, see $logs/$log.log"
        return
    fi
    for preset in release nocuda; do
        "build/$preset/optgap" generate all --level easy --count 3 --seed 1 --device cpu >"$logs/$preset.jsonl" \
            2>>"$logs/$log.log" || echo "$preset: exit code $?" >>"$logs/$preset.jsonl"
    done
    if [[ -s $logs/nocuda.jsonl ]] && cmp "$logs/release.jsonl" "$logs/nocuda.jsonl"; then
        report nocuda passed 1 0 0 $((SECONDS - start)) "same instances as release"
    else
        tail -n 20 "$logs/$log.log"
        report nocuda FAILED 0 1 0 $((SECONDS - start)) "instances differ from release: $logs/{release,nocuda}.jsonl"
    fi
}

run_fuzz() {
    local targets total=${OPTGAP_FUZZ_SECONDS:-60}
    targets=$(find tests/fuzz -name 'fuzz_*.cpp' | wc -l)
    if [[ $targets -eq 0 ]]; then
        report fuzz skipped 0 0 1 0 "no targets"
    elif ! command -v clang++ >/dev/null; then
        report fuzz skipped 0 0 1 0 "clang++ is not installed"
    else
        local each=$((total / targets > 5 ? total / targets : 5))
        OPTGAP_FUZZ_SECONDS=$each run_stage fuzz fuzz 1200 $((each * targets + 120)) -L fuzz
    fi
}

# run_script STAGE LIMIT_S COMMAND...: a stage of its own, whose log holds its counts as "N passed, N failed, N skipped" or
# as pytest says them.
run_script() {
    local stage=$1 limit=$2 start=$SECONDS status=0 log counts
    shift 2
    log=$logs/$stage.log
    : >"$log"
    step "$stage" "$limit" "$@" || status=$?
    counts=$(python3 - "$log" <<'PYTHON'
import re
import sys

line = next((line for line in reversed(open(sys.argv[1], errors="replace").read().splitlines()) if " passed" in line), "")
found = {name: int(number) for number, name in re.findall(r"(\d+) (passed|failed|skipped|error)", line)}
print(found.get("passed", 0), found.get("failed", 0) + found.get("error", 0), found.get("skipped", 0))
PYTHON
    )
    read -r good bad none <<<"$counts"
    if [[ $status -ne 0 && $bad -eq 0 || $good -eq 0 ]]; then
        bad=$((bad + 1))
    fi
    report "$stage" "$([[ $bad -eq 0 ]] && echo passed || echo FAILED)" "$good" "$bad" "$none" $((SECONDS - start))
}

begin=$SECONDS
echo "[$(date +%H:%M:%S)] setup"
tools/setup.sh --no-build --with tests
source tools/environment.sh
if $trainers; then
    tools/trainers_setup.sh --only >"$logs/trainers_setup.log" 2>&1 &  # hardly anything but loading
    loading=$!
fi

run_stage release release 1800 1200
if ! $quick; then
    run_nocuda
    OPTGAP_PROGRAM=build/release/optgap run_script python 1800 tools/python_test.sh
    if $trainers; then
        wait "$loading" || cat "$logs/trainers_setup.log"
        OPTGAP_PROGRAM=build/release/optgap run_script trainers 1800 tools/trainers_test.sh
    fi
    run_stage asan asan 1200 900
    run_stage tsan tsan 1200 900
    run_fuzz
fi

echo
printf '%-10s %-8s %6s %6s %7s %8s\n' stage result passed failed skipped time
printf '%s\n' "${lines[@]}"
echo "total time $((SECONDS - begin)) s"
echo "$passed passed, $failed failed, $skipped skipped"
[[ $failed -eq 0 ]]
