#!/usr/bin/env bash
# Reads ptxas' reports on one or more files of the build, and prints each kernel's resources, one line each. Fails on a
# warning, when the reports lack one of the named kernels for an architecture, or when one spills on sm_80 or sm_90.
#
#   kernels.sh NAME KERNEL,KERNEL,... ARCH,ARCH,... TABLE LOG...
#
#   NAME sm_90 KERNEL registers R shared S stack K spilled B      bytes, except for registers
#
# The lines replace those of the same name in TABLE; parallel runs keep the lines of all in it. Shared memory is the
# static part: the launch adds a row's scratch, by `plan_launch`. A stack without spills contains arrays with variable
# indices.
set -euo pipefail
name=$1 table=$4
IFS=, read -ra wanted <<<"$2"
IFS=, read -ra archs <<<"$3"
shift 4
for log in "$@"; do
    if [[ ! -f $log ]]; then
        echo "SKIPPED: $log is not there: the kernels are not built"
        exit 77
    fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
if grep -n warning "$@"; then
    echo "$name: the compiler warns"
    failed=1
fi

# The last name that ends in _kernel is the kernel's own; a mangled name begins with its length. Properties that follow
# a kernel's registers belong to functions that it calls.
awk -v name="$name" '
    function finish() {
        if (kernel != "?" && registers > 0)
            print name, arch, kernel, "registers", registers, "shared", shared, "stack", stack, "spilled", spilled
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
        match($0, /for .sm_[0-9]+/)
        arch = substr($0, RSTART + 5, RLENGTH - 5)
    }
    /stack frame/ { stack += $1; spilled += $5 + $9 }
    /Used [0-9]+ registers/ {
        for (i = 1; i < NF; ++i) {
            if ($i == "Used") registers = $(i + 1)
            if ($(i + 1) == "bytes" && $(i + 2) ~ /^smem/) shared = $i
        }
    }
    END { finish() }' "$@" | tee "$work/used"
for arch in "${archs[@]/#/sm_}"; do
    arch=${arch%-real}
    for kernel in "${wanted[@]}"; do
        if ! grep -q " $arch ${kernel}_kernel " "$work/used"; then
            echo "$name: no ${kernel}_kernel for $arch"
            failed=1
        elif grep " $arch ${kernel}_kernel " "$work/used" | grep -qv ' spilled 0$'; then
            # Later GPUs have weaker promises (docs/performance.md).
            echo "$name: ${kernel}_kernel spills registers on $arch"
            [[ $arch =~ ^sm_(80|90)$ ]] && failed=1
        fi
    done
done

(
    flock 9
    touch "$table"
    sed -i "/^$name sm_/d" "$table"
    sort -o "$table" "$table" "$work/used"
) 9>"$table.lock"
exit $failed
