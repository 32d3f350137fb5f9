#!/usr/bin/env bash
# kernels.sh NVCC INCLUDE_DIR:INCLUDE_DIR TASK.cu...: compiles tasks for sm_80 and sm_90 with all warnings as errors, and prints
# what each kernel needs, one line each; every task has a kernel for each batch verb.
#
#   TASK sm_90 KERNEL registers R stack S spilled B
set -euo pipefail
nvcc=$1
includes=()
for folder in ${2//:/ }; do
    includes+=("-I$folder")
done
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

failed=0
for definition in "$@"; do
    task=$(basename "$definition" .cu)
    for arch in sm_80 sm_90; do
        if ! "$nvcc" -std=c++20 -O3 -DNDEBUG --fmad=false --expt-relaxed-constexpr -Werror all-warnings \
            -DOPTGAP_HAVE_CURAND -DOPTGAP_ISA=isa_cuda "${includes[@]}" -arch="$arch" -cubin -Xptxas -v \
            -o "$work/cubin" "$definition" >"$work/log" 2>&1; then
            cat "$work/log"
            echo "$task: does not compile for $arch"
            failed=1
            continue
        fi
        used=$(awk -v head="$task $arch" '
            /Compiling entry function/ {
                match($0, /[0-9][a-z]+_kernel/)
                kernel = RSTART ? substr($0, RSTART + 1, RLENGTH - 1) : "?"
            }
            /stack frame/ { stack = $1; spilled = $5 + $9 }
            /Used [0-9]+ registers/ {
                for (i = 1; i < NF; ++i) if ($i == "Used") registers = $(i + 1)
                print head, kernel, "registers", registers, "stack", stack, "spilled", spilled
            }' "$work/log")
        echo "$used"
        for kernel in measure generate verify floor construct improve; do
            if ! grep -q " ${kernel}_kernel " <<<"$used"; then
                echo "$task: no ${kernel}_kernel for $arch"
                failed=1
            fi
        done
    done
done
exit $failed
