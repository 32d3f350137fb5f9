#!/usr/bin/env bash
# What the compiler and the linker put into the objects and programs.
#
#   check_binary.sh symbols BUILD_DIR     functions compiled for isa_v3 and up lie in that instruction set's namespace
#   check_binary.sh portable FILE...      needs no symbol above GLIBC_2.35, no libstdc++, no libcudart
#   check_binary.sh size DIR MAX_MB       the folder is no larger
#
# An inline function outside of the namespace would be merged by the linker across instruction sets, and an old machine
# could run its AVX2 copy.
set -euo pipefail

newest_glibc=2.35

skip() {
    echo "SKIPPED: $1"
    exit 77
}

check_symbols() {
    local build=$1 failed=0 checked=0 object isa stray
    command -v nm >/dev/null || skip "nm (binutils) is not installed"
    while IFS= read -r object; do
        isa=$(grep -oE 'isa_v[0-9]+' <<<"$(basename "$object")" | tail -n 1)
        checked=$((checked + 1))
        # Functions and unique or weak objects that other objects see; the task's table is the one exception.
        stray=$(nm --defined-only --extern-only "$object" | awk '$2 ~ /^[TWVui]$/ {print $3}' |
            grep -vE "${#isa}${isa}|^optgap_task_[a-z0-9_]+_${isa}\$|^DW\.ref\." | c++filt || true)
        if [[ -n $stray ]]; then
            echo "$object: outside of namespace $isa:"
            sed 's/^/    /' <<<"$stray"
            failed=1
        fi
    done < <(find "$build/CMakeFiles" -path '*/generated/tasks/*_isa_v*.cpp.o' | sort)
    [[ $checked -gt 0 ]] || { echo "no object of an instruction set above the baseline under $build"; exit 1; }
    [[ $failed -eq 0 ]] || exit 1
    echo "$checked objects, no function outside of its instruction set's namespace"
}

check_portable() {
    command -v objdump >/dev/null || skip "objdump (binutils) is not installed"
    local file newest needed failed=0
    for file in "$@"; do
        newest=$(objdump -T "$file" | grep -oE 'GLIBC_[0-9.]+' | sed 's/GLIBC_//' | sort -Vu | tail -n 1)
        needed=$(objdump -p "$file" | awk '$1 == "NEEDED" {print $2}' | tr '\n' ' ')
        echo "$file: GLIBC_$newest, needs $needed"
        if [[ $(printf '%s\n' "$newest" "$newest_glibc" | sort -V | tail -n 1) != "$newest_glibc" ]]; then
            echo "    newer than GLIBC_$newest_glibc:"
            objdump -T "$file" | grep -F "GLIBC_$newest" | sed 's/^/    /'
            failed=1
        fi
        if grep -qE 'libstdc\+\+|libgcc_s|libcudart|libcuda\.|libfmt' <<<"$needed"; then
            echo "    depends on a library that another machine may lack"
            failed=1
        fi
    done
    [[ $failed -eq 0 ]]
}

check_size() {
    local size
    size=$(du -sk "$1" | cut -f 1)
    echo "$1: $((size / 1024)) MB"
    [[ $size -le $(($2 * 1024)) ]] || { echo "    larger than $2 MB"; exit 1; }
}

case ${1:-} in
symbols) check_symbols "$2" ;;
portable) shift && check_portable "$@" ;;
size) check_size "$2" "$3" ;;
*) sed -n '2,8p' "$0" && exit 2 ;;
esac
