#!/usr/bin/env bash
# Compiles for sm_80 and sm_90 with all warnings as errors, and prints what each kernel needs, one line each. Fails when
# a file lacks one of the named kernels, or when one of them spills registers to memory.
#
#   kernels.sh NVCC INCLUDE_DIR:INCLUDE_DIR TABLE KERNEL,KERNEL,... FILE.cu...
#
#   NAME sm_90 KERNEL registers R shared S stack K spilled B      bytes but for the registers
#
# The lines replace those of the same files in TABLE; runs side by side leave the lines of all in it. Shared memory is
# the static part: the launch adds a row's scratch, by `plan_launch`. A stack without spills holds arrays that are
# indexed by a variable.
set -euo pipefail
nvcc=$1 table=$3
includes=()
for folder in ${2//:/ }; do
    includes+=("-I$folder")
done
IFS=, read -ra wanted <<<"$4"
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

failed=0
names=()
for definition in "$@"; do
    name=$(basename "$definition" .cu)
    names+=("$name")
    for arch in sm_80 sm_90; do
        if ! "$nvcc" -std=c++20 -O3 -DNDEBUG --fmad=false --expt-relaxed-constexpr -Werror all-warnings \
            -DOPTGAP_HAVE_CURAND -DOPTGAP_ISA=isa_cuda "${includes[@]}" -arch="$arch" -cubin -Xptxas -v \
            -o "$work/cubin" "$definition" >"$work/log" 2>&1; then
            cat "$work/log"
            echo "$name: does not compile for $arch"
            failed=1
            continue
        fi
        # The last name that ends in _kernel is the kernel's own; a mangled name begins with its length. Properties that
        # follow a kernel's registers are of functions that it calls.
        awk -v head="$name $arch" '
            function finish() {
                if (kernel != "?" && registers > 0)
                    print head, kernel, "registers", registers, "shared", shared, "stack", stack, "spilled", spilled
                stack = spilled = registers = shared = 0
            }
            /Compiling entry function/ {
                finish()
                kernel = "?"
                rest = $0
                while (match(rest, /[0-9]+[a-z][a-z_]*_kernel/)) {
                    kernel = substr(rest, RSTART, RLENGTH)
                    rest = substr(rest, RSTART + RLENGTH)
                }
                sub(/^[0-9]+/, "", kernel)
            }
            /stack frame/ { stack += $1; spilled += $5 + $9 }
            /Used [0-9]+ registers/ {
                for (i = 1; i < NF; ++i) {
                    if ($i == "Used") registers = $(i + 1)
                    if ($(i + 1) == "bytes" && $(i + 2) ~ /^smem/) shared = $i
                }
            }
            END { finish() }' "$work/log" >"$work/used"
        cat "$work/used"
        cat "$work/used" >>"$work/lines"
        for kernel in "${wanted[@]}"; do
            if ! grep -q " ${kernel}_kernel " "$work/used"; then
                echo "$name: no ${kernel}_kernel for $arch"
                failed=1
            elif grep " ${kernel}_kernel " "$work/used" | grep -qv ' spilled 0$'; then
                echo "$name: ${kernel}_kernel spills registers on $arch"
                failed=1
            fi
        done
    done
done

touch "$work/lines"
mkdir -p "$(dirname "$table")"
(
    flock 9
    touch "$table"
    for name in "${names[@]}"; do
        sed -i "/^$name sm_/d" "$table"
    done
    sort -o "$table" "$table" "$work/lines"
) 9>"$table.lock"
exit $failed
