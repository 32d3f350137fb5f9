#!/usr/bin/env bash
# Runs the long forms of the scheduler's, the GPU faults' and the daemon's tests, under ThreadSanitizer, AddressSanitizer
# and without either. Builds what it needs. Exit code 1 when one fails.
#
#   tools/stress.sh                  60 seconds for each timed test in each build, 1000 submitters to the scheduler
#   tools/stress.sh --seconds 300    longer
#   tools/stress.sh --only tsan      one build: tsan, asan or release
#   tools/stress.sh --help
#
# Builds lie in build/stress-*. Environment: OPTGAP_JOBS   default: the number of processors
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=60 builds=(tsan asan release)
while [[ $# -gt 0 ]]; do
    case $1 in
    --seconds) seconds=${2:?--seconds needs a number}; shift 2 ;;
    --only) builds=("${2:?--only needs tsan, asan or release}"); shift 2 ;;
    --help) sed -n '2,10p' "$0"; exit 0 ;;
    *) sed -n '2,10p' "$0" >&2; exit 2 ;;
    esac
done
if [[ ! $seconds =~ ^[1-9][0-9]*$ || ! " tsan asan release " == *" ${builds[0]} "* ]]; then
    sed -n '2,10p' "$0" >&2
    exit 2
fi

source tools/environment.sh
failed=0
for build in "${builds[@]}"; do
    # Where the toolkit's headers are, the GPU's faults run over the stand-in for its runtime.
    folder=build/stress-$build
    cmake --preset "$build" -B "$folder" >/dev/null
    targets=(optgap_unit_tests)
    filters=('scheduler_stress.*:after_fork.*:serve*.*:hostile.*')
    if grep -q '^optgap_fake_cuda_tests:' <(cmake --build "$folder" --target help); then
        targets+=(optgap_fake_cuda_tests)
        filters+=('cuda_faults.*:cuda_colocation.*')
    fi
    cmake --build "$folder" -j "${OPTGAP_JOBS:-$(nproc)}" --target "${targets[@]}"
    for i in "${!targets[@]}"; do
        echo "[$(date +%H:%M:%S)] $folder/${targets[$i]} --gtest_filter='${filters[$i]}', $seconds s"
        OPTGAP_STRESS_SECONDS=$seconds OPTGAP_STRESS_SUBMITTERS=1000 "$folder/${targets[$i]}" \
            --gtest_filter="${filters[$i]}" --gtest_brief=1 || failed=1
    done
done
[[ $failed -eq 0 ]] && echo "all passed"
exit $failed
