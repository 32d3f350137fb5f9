#!/usr/bin/env bash
# new_task.sh BUILD_DIR: a task made by tools/new_task.py edits no file, builds, and passes every property test. A
# folder whose symbol has another name does not link.
set -euo pipefail
parent=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$parent/new_task
rm -rf "$work/tree" "$work/copy"
mkdir -p "$work/tree/kernels/tasks" "$work/copy"
failed() {
    echo "FAILED: $1"
    exit 1
}

for name in '' Probe 1probe probe__x probe_ '../probe' class all skeleton probe_test; do
    if python3 -B "$root/tools/new_task.py" "$name" --into "$work/tree/kernels/tasks" 2>/dev/null; then
        failed "the name '$name' is accepted"
    fi
done

# The tree is copied, so that the new folder is the only difference.
(cd "$root" && find . \( -path ./build -o -path ./.git -o -path ./.venv -o -name __pycache__ \) -prune -o -type f -print0 |
    tar --null --files-from=- -cf -) | tar -xf - -C "$work/copy"
cd "$work/copy"
git init -q .
git add -A
git -c user.name=test -c user.email=test@localhost commit -q -m "before"
python3 -B tools/new_task.py probe >/dev/null
changes=$(git status --porcelain)
[[ $changes == '?? kernels/tasks/probe/' ]] || failed "more than the new folder changed: $changes"
python3 -B tools/new_task.py declarative_probe --declarative futoshiki >/dev/null
changes=$(git status --porcelain)
[[ $changes == '?? kernels/tasks/declarative_probe/'$'\n''?? kernels/tasks/probe/' ]] ||
    failed "more than the new folders changed: $changes"
if python3 -B tools/new_task.py other --declarative clique 2>/dev/null; then
    failed "clique is taken for a declarative task"
fi
if python3 -B tools/new_task.py probe 2>/dev/null; then
    failed "an existing folder is overwritten"
fi
python3 -B tools/check_layout.py | grep -qE 'tasks/(light_)?probe' && failed "the new folder breaks the layout"
cd "$root"
rm -rf "$work/copy"

cached() {
    sed -n "s/^$1:[A-Z]*=//p" "$parent/CMakeCache.txt"
}
# Only the new task is compiled. Code that names no task is the parent's.
python3 -B tools/new_task.py probe --into "$work/tree/kernels/tasks" >/dev/null
python3 -B tools/new_task.py declarative_probe --declarative futoshiki --into "$work/tree/kernels/tasks" >/dev/null
cmake -S "$root" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DOPTGAP_PORTABLE="$(cached OPTGAP_PORTABLE)" \
    -DOPTGAP_CUDA=OFF -DOPTGAP_ISAS="$(cached OPTGAP_ISAS)" -DCMAKE_CXX_COMPILER="$(cached CMAKE_CXX_COMPILER)" \
    -DOPTGAP_PREBUILT="$parent" -DOPTGAP_TASKS_DIR="$work/tree/kernels/tasks" >"$work/log" 2>&1 ||
    { cat "$work/log"; failed "configure"; }
# A task adds a source to these programs. The others are the parent's, except for a list of names.
programs=(optgap_unit_tests optgap_conformance_tests optgap_team_tests)
if cmake --build "$work/build" --target help | grep -q '^optgap_fake_cuda_tests:'; then
    programs+=(optgap_fake_cuda_tests)
fi
cmake --build "$work/build" -j "$(nproc)" --target "${programs[@]}" >"$work/log" 2>&1 || { tail -n 50 "$work/log"; failed "build"; }
cd "$work/build"
tests=$(./optgap_unit_tests --gtest_list_tests --gtest_filter='probe.*' | grep -c '^  ')
[[ $tests -ge 5 ]] || failed "the skeleton's own tests are missing"
./optgap_unit_tests --gtest_brief=1 || failed "the skeleton's own tests"
./optgap_team_tests --gtest_brief=1 || failed "team property tests"
if [[ -x optgap_fake_cuda_tests ]]; then
    ./optgap_fake_cuda_tests --gtest_brief=1 --gtest_filter='fake_device_row_kernels.probe' || failed "row kernels"
fi
./optgap_conformance_tests --gtest_brief=1 || failed "conformance property tests"
properties=$(./optgap_conformance_tests --gtest_list_tests --gtest_filter='*/probe' | grep -c '/probe')
[[ $properties -ge 10 ]] || failed "only $properties property tests were tested on the new task"
light=$(./optgap_conformance_tests --gtest_list_tests --gtest_filter='*/declarative_probe' | grep -c '/declarative_probe')
[[ $light -gt $properties ]] || failed "the declarative task has $light property tests, the other $properties and no examples"

sed -i 's/OPTGAP_DEFINE_TASK(probe)/OPTGAP_DEFINE_TASK(prove)/' "$work/tree/kernels/tasks/probe/probe.cu"
sed -i -E 's/tasks::probe\b/tasks::prove/' "$work/tree/kernels/tasks/probe/"*
if cmake --build . --target optgap_conformance_tests >"$work/log" 2>&1; then
    failed "a folder whose symbol has another name links"
fi
grep -q 'undefined reference to .optgap_task_probe_isa_base' "$work/log" ||
    { tail -n 30 "$work/log"; failed "the misnamed task failed for another reason"; }
echo "probe: $tests tests of its own, $properties property tests; the misnamed one does not link"
