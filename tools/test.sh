#!/usr/bin/env bash
# Sets up, builds and runs every test that this machine can run. The last line is the count; exit code 1 on a failure.
#
#   tools/test.sh              all stages but those of other projects' packages
#   tools/test.sh --trainers   also those that call TRL, verl and OpenRLHF (loads 2.5 GB from PyPI), evaluators' programs, Ray,
#                              and frameworks that train on environments
#   tools/test.sh --ci         the same, but of the two sanitizers one, by the commit
#   tools/test.sh --long       also trainers and the long forms: stress, the full oracle, the source distribution, whole
#                              samples under the sanitizers, every source by itself (hours)
#   tools/test.sh --quick      lint and the release build's tests only
#
# Environment: OPTGAP_FUZZ_SECONDS   all fuzzers together, default 60
#              OPTGAP_REQUIRE=cuda   a GPU test that finds no GPU fails rather than being skipped
#              OPTGAP_REQUIRE=data   the same for public instance files in ../shared/data
#              OPTGAP_REQUIRE=oracle   the same for the oracle's sample without its Python packages
#              OPTGAP_REQUIRE=sandbox  the same for programs without a sandbox; "oracle sandbox" is both
#              OPTGAP_JOBS           default: the number of processors
#              OPTGAP_STAGE_SECONDS  stops every build and every run of tests that takes longer; default: 5 to 60 minutes
#              OPTGAP_COMMIT         chooses the samples; default: the commit that is checked out
#              OPTGAP_COSTS=ON       records what every compilation costs (tools/ci_times.sh)
set -euo pipefail
cd "$(dirname "$0")/.."

quick=false trainers=false long=false ci=false
case ${1:-} in
'') ;;
--quick) quick=true ;;
--trainers) trainers=true ;;
--ci) trainers=true ci=true ;;
--long) trainers=true long=true; export OPTGAP_LONG=1 ;;  # tests/support/sample.hpp
*) sed -n '2,19p' "$0" >&2; exit 2 ;;
esac

# Where a sample stands for the whole, the commit says which (docs/develop.md): over a dozen commits or so all are run, under
# each sanitizer, too.
commit=${OPTGAP_COMMIT:-$(git rev-parse HEAD 2>/dev/null || echo 0)}
turn=$((16#${commit:0:7}))
sample=$((turn / 2 % 6))/6
sanitizers=(asan tsan)
if $long; then
    sample=''
elif $ci; then
    sanitizers=("${sanitizers[turn % 2]}")
fi

jobs=${OPTGAP_JOBS:-$(nproc)}
logs=build/test-logs
mkdir -p "$logs"
passed=0 failed=0 skipped=0
lines=()

# read_processor: sets `processor` to the seconds of all that this script has run and waited for; not for a subshell, whose
# count is its own.
read_processor() {
    times >"$logs/times"
    processor=$(awk 'NR == 2 { for (i = 1; i <= 2; ++i) { split($i, t, /[ms]/); s += 60 * t[1] + t[2] } printf "%d", s }' \
        "$logs/times")
}

# begin_stage: notes the time; report says what passed since.
begin_stage() {
    read_processor
    start=$SECONDS start_processor=$processor stopped=''
}

# report STAGE RESULT PASSED FAILED SKIPPED [NOTE]
report() {
    local line wall=$((SECONDS - start)) cost note=${6:-}
    read_processor
    cost=$((processor - start_processor))
    note=${stopped:+stopped: $stopped, see $logs/$1.log; }$note
    line=$(printf '%-12s %-8s %6d %6d %7d %7ds %7ds  %s' "$1" "$2" "$3" "$4" "$5" "$wall" "$cost" "$note")
    lines+=("$line")
    printf '%s\t%d\t%d\n' "$1" "$wall" "$cost" >>"$logs/stages.tsv"
    passed=$((passed + $3)) failed=$((failed + $4)) skipped=$((skipped + $5))
    printf '[%s] %s: %d passed, %d failed, %d skipped (%d s, %d CPU s) %s\n' "$(date +%H:%M:%S)" "$1" "$3" "$4" "$5" \
        "$wall" "$cost" "$note"
}

# step LOG LIMIT_S COMMAND...: output goes to the log and is shown when the command fails; one that hangs is named.
step() {
    local log=$logs/$1.log limit=${OPTGAP_STAGE_SECONDS:-$2} status=0
    shift 2
    timeout --kill-after=10 "$limit" "$@" >>"$log" 2>&1 || status=$?
    if [[ $status -eq 124 || $status -eq 137 ]]; then
        stopped="after $limit s: $*"
        echo "stopped $stopped" >>"$log"
    fi
    if [[ $status -ne 0 ]]; then
        tail -n 150 "$log"
    fi
    return "$status"
}

# count_tests JUNIT_FILE: "PASSED FAILED SKIPPED", and the names of the failed and skipped tests to stderr. An entry that ran
# many gtests counts as gtest says.
count_tests() {
    python3 - "$1" <<'PYTHON'
import re
import sys
import xml.etree.ElementTree as tree

counts = {"passed": 0, "failed": 0, "skipped": 0}
names = {"failed": [], "skipped": []}
for case in tree.parse(sys.argv[1]).getroot().iter("testcase"):
    status = {"run": "passed", "fail": "failed"}.get(case.get("status"), "skipped")
    if case.find("failure") is not None:
        status = "failed"
    said = case.findtext("system-out") or ""
    many = {word.lower(): int(number) for word, number in re.findall(r"^\[  (PASSED|SKIPPED) +\] (\d+) test", said, re.M)}
    broken = sorted(set(re.findall(r"^\[  FAILED  \] (\w\S*\.\S+?),? ", said, re.M)))
    if sum(many.values()) + len(broken) > 1:
        names["failed"] += broken
        many["failed"] = len(broken) or int(status == "failed")  # a leak that is found at the end is no test's
        for word, number in many.items():
            counts[word] += number
    else:
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

# build_stage NAME PRESET LIMIT_S [BUILD_PRESET [SETTING...]]: configures and builds.
build_stage() {
    local stage=$1 preset=$2 limit=$3
    : >"$logs/$stage.log"
    if ! step "$stage" 300 cmake --preset "$preset" -DOPTGAP_COSTS="${OPTGAP_COSTS:-OFF}" -DOPTGAP_SAMPLE="$sample" "${@:5}" ||
        ! step "$stage" "$limit" cmake --build --preset "${4:-$preset}" -j "$jobs"; then
        report "$stage" FAILED 0 1 0 "build, see $logs/$stage.log"
        return 1
    fi
    built="build $((SECONDS - start)) s"
}

# test_stage NAME PRESET LIMIT_S [NOTE [OPTION...]]: the tests of a build; options are ctest's.
test_stage() {
    local stage=$1 preset=$2 limit=$3 note=${4:-} junit=$PWD/$logs/$1.xml counts status=0
    rm -f "$junit"
    step "$stage" "$limit" ctest --preset "$preset" -j "$jobs" --output-junit "$junit" "${@:5}" || status=$?
    if [[ ! -s $junit ]]; then
        report "$stage" FAILED 0 1 0 "ctest left no results, see $logs/$stage.log"
        return
    fi
    counts=$(count_tests "$junit")
    read -r good bad none <<<"$counts"
    if [[ $status -ne 0 && $bad -eq 0 ]]; then
        bad=1
    fi
    report "$stage" "$([[ $bad -eq 0 ]] && echo passed || echo FAILED)" "$good" "$bad" "$none" "$built${note:+, $note}"
}

# run_stage NAME BUILD_LIMIT_S TEST_LIMIT_S [SETTING...]: the preset of that name.
run_stage() {
    begin_stage
    if build_stage "$1" "$1" "$2" "$1" "${@:4}"; then
        test_stage "$1" "$1" "$3"
    fi
}

# The kernels compile, none spills, and what a program with kernels and the base instruction set makes, proves and scores has
# the bytes of the release build, whose libraries it links.
run_cuda() {
    begin_stage
    if ! command -v nvcc >/dev/null && [[ ! -x /usr/local/cuda/bin/nvcc ]]; then
        report cuda skipped 0 0 1 "no nvcc"
        return
    fi
    build_stage cuda cuda 1800 cuda -DOPTGAP_PREBUILT="$PWD/build/release" || return 0
    local build same=true rows=tools/demo/rollouts.jsonl
    for build in release cuda; do
        "build/$build/optgap" generate all --level easy --count 3 --seed 1 --device cpu --prompts >"$logs/instances" &&
            "build/$build/optgap" solve "$logs/instances" --device cpu >"$logs/$build.jsonl" &&
            "build/$build/optgap" score "$rows" --device cpu >>"$logs/$build.jsonl" || same=false
    done 2>>"$logs/cuda.log"
    if [[ ! -s $logs/cuda.jsonl ]] || ! cmp "$logs/release.jsonl" "$logs/cuda.jsonl"; then
        same=false
    fi
    if $same; then
        passed=$((passed + 1))
        test_stage cuda cuda 600 "same bytes as release"
    else
        report cuda FAILED 0 1 0 "bytes differ from release: $logs/{release,cuda}.jsonl"
    fi
}

# skip_stage REASON STAGE...
skip_stage() {
    local stage
    for stage in "${@:2}"; do
        begin_stage
        report "$stage" skipped 0 0 1 "$1"
    done
}

# Joined sources may lean on each other: the long form compiles each by itself here. Of the tasks' property tests and tests, which take
# most of this stage, the build has one task of six (OPTGAP_SAMPLE).
run_asan() {
    begin_stage
    if build_stage asan asan 1500 asan -DOPTGAP_UNITY="$($long && echo OFF || echo ON)"; then
        test_stage asan asan 1500 "${sample:+one task of six}"
    fi
}

# The property tests of tasks run on one thread: ThreadSanitizer looks at them in the long form.
run_tsan() {
    local whole
    begin_stage
    whole=tsan$($long && echo _whole || true)
    if build_stage tsan tsan 1500 "$whole" -DOPTGAP_UNITY=ON; then
        test_stage tsan "$whole" 1500
    fi
}

run_fuzz() {
    local targets total=${OPTGAP_FUZZ_SECONDS:-60} each
    begin_stage
    targets=$(find tests/fuzz -name 'fuzz_*.cpp' | wc -l)
    each=$((total / targets > 5 ? total / targets : 5))
    export OPTGAP_FUZZ_SECONDS=$each
    if build_stage fuzz asan 1500 fuzz; then
        test_stage fuzz fuzz $((each * targets + 120))
    fi
}

# run_script STAGE LIMIT_S COMMAND...: a stage of its own, whose log holds its counts as "N passed, N failed, N skipped" or
# as pytest says them.
run_script() {
    local stage=$1 limit=$2 status=0 log counts
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
    report "$stage" "$([[ $bad -eq 0 ]] && echo passed || echo FAILED)" "$good" "$bad" "$none"
}

# begin_beside STAGE LIMIT_S COMMAND...: a stage as run_script's, beside what follows. end_beside STAGE... waits for those and
# counts them.
begin_beside() {
    rm -f "$logs/$1.beside"
    {
        begin_stage
        passed=0 failed=0 skipped=0
        run_script "$@"
        printf '%d %d %d\n%s\n' "$passed" "$failed" "$skipped" "${lines[-1]}" >"$logs/$1.beside"
    } &
}
end_beside() {
    local stage counts line
    wait
    for stage in "$@"; do
        if { read -r counts && IFS= read -r line; } <"$logs/$stage.beside"; then
            lines+=("$line")
        else
            counts='0 1 0'
            lines+=("$stage: FAILED, and left no result; see $logs/$stage.log")
        fi
        read -r good bad none <<<"$counts"
        passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + none))
    done
}

# run_whole STAGE LIMIT_S COMMAND...: a stage that counts as one test.
run_whole() {
    local stage=$1 limit=$2
    shift 2
    : >"$logs/$stage.log"
    if step "$stage" "$limit" "$@"; then
        report "$stage" passed 1 0 0
    else
        report "$stage" FAILED 0 1 0
    fi
}

begin=$SECONDS
rm -f "$logs"/*.xml "$logs/stages.tsv"
begin_stage
echo "[$(date +%H:%M:%S)] setup"
tools/setup.sh --no-build --with tests
source tools/environment.sh
report setup passed 0 0 0
begin_stage
run_script lint 120 tools/lint.sh
if $trainers; then
    {
        tools/trainers_setup.sh --only
        tools/peers_test.sh --only
        tools/ray_test.sh --only
        tools/environments_test.sh --only
    } >"$logs/trainers_setup.log" 2>&1 &  # hardly anything but loading
    loading=$!
fi

run_stage release 1800 1200 -DOPTGAP_UNITY=ON
if ! $quick; then
    run_cuda
    export OPTGAP_PREBUILT=$PWD/build/release
    begin_stage
    if $long; then
        run_script python 3600 tools/python_test.sh --sdist
    else
        run_script python 1800 tools/python_test.sh
    fi
    if $trainers; then
        wait "$loading" || cat "$logs/trainers_setup.log"
        # Side by side: each waits for servers, sleeps and starts of processes during a sixth to a half of its time.
        begin_beside trainers 1800 tools/trainers_test.sh
        begin_beside peers 900 tools/peers_test.sh
        begin_beside ray 600 tools/ray_test.sh
        begin_beside environments 1200 tools/environments_test.sh
        end_beside trainers peers ray environments
    fi
    unset OPTGAP_PREBUILT
    if ! command -v clang++ >/dev/null; then
        skip_stage "clang++ is not installed" asan fuzz tsan
    else
        if [[ " ${sanitizers[*]} " == *" asan "* ]]; then
            run_asan
            run_fuzz
        else
            skip_stage "ThreadSanitizer's turn: one of two by the commit" asan fuzz
        fi
        if [[ " ${sanitizers[*]} " == *" tsan "* ]]; then
            run_tsan
        else
            skip_stage "AddressSanitizer's turn: one of two by the commit" tsan
        fi
    fi
    if $long; then
        for form in stress oracle; do
            begin_stage
            run_whole $form 14400 "tools/$form.sh"
        done
    fi
fi

echo
printf '%-12s %-8s %6s %6s %7s %8s %8s\n' stage result passed failed skipped time CPU
printf '%s\n' "${lines[@]}"
read_processor
echo "total time $((SECONDS - begin)) s, $processor CPU s"
echo "$passed passed, $failed failed, $skipped skipped"
[[ $failed -eq 0 ]]
