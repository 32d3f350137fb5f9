#!/usr/bin/env bash
# kernels_test.sh BUILD_DIR: every task has its kernels for every architecture; prints what they need. One line each:
#
#   TASK sm_90 KERNEL registers R stack S shared B
#
# A stack is what ptxas spilled, or an array that is indexed at run time.
set -euo pipefail
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
if ! grep -q '^CMAKE_CUDA_COMPILER:' "$build/CMakeCache.txt"; then
    echo "SKIPPED: built without CUDA"
    exit 77
fi
toolkit=$(dirname "$(sed -n 's/^CMAKE_CUDA_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")")
cuobjdump=$(command -v cuobjdump || echo "$toolkit/cuobjdump")
[[ -x $cuobjdump ]] || { echo "SKIPPED: no cuobjdump beside nvcc"; exit 77; }

failed=0
for definition in "$root"/kernels/tasks/*/*.cu; do
    task=$(basename "$definition" .cu)
    [[ $(basename "$(dirname "$definition")") == "$task" ]] || continue
    object=$build/CMakeFiles/optgap_core.dir/kernels/tasks/$task/$task.cu.o
    [[ -f $object ]] || { echo "$task: $object is missing"; failed=1; continue; }
    used=$("$cuobjdump" --dump-resource-usage "$object" 2>/dev/null | python3 -c '
import re, sys
arch = kernel = "?"
for line in sys.stdin:
    if found := re.search(r"arch = (sm_\d+)", line):
        arch = found.group(1)
    if found := re.search(r"Function (\S+)", line):
        kernel = found.group(1).rstrip(":")
        kernel = (re.findall(r"\d+([a-z]+_kernel)", kernel) or re.findall(r"(\w+_kernel)", kernel) or [kernel])[0]
    if found := re.search(r"REG:(\d+) STACK:(\d+) SHARED:(\d+)", line):
        print(sys.argv[1], arch, kernel, "registers", found.group(1), "stack", found.group(2), "shared", found.group(3))
' "$task")
    echo "$used"
    for arch in sm_80 sm_90; do
        count=$(grep -c " $arch [a-z]*_kernel " <<<"$used" || true)
        if [[ $count -lt 5 ]]; then
            echo "$task: only $count kernels for $arch"
            failed=1
        fi
    done
done
exit $failed
