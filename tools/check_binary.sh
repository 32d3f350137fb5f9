#!/usr/bin/env bash
# What the compiler and the linker put into the objects and programs.
#
#   check_binary.sh symbols BUILD_DIR     functions compiled for isa_v3 and up lie in that instruction set's namespace
#   check_binary.sh portable [--glibc VERSION] FILE...   needs no symbol above GLIBC_2.35 or that version's, no libstdc++, no
#                                         libcudart; says which compiler and linker made it
#   check_binary.sh module PACKAGE_DIR    the Python package's libraries: the core and the C++ runtime are there once, its symbols
#                                         have a version of their own, the module shows the interpreter one function
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
    command -v readelf >/dev/null || skip "readelf (binutils) is not installed"
    local file newest needed made failed=0
    if [[ $1 == --glibc ]]; then
        newest_glibc=$2
        shift 2
    fi
    for file in "$@"; do
        newest=$(readelf --dyn-syms -W "$file" | grep -oE 'GLIBC_[0-9.]+' | sed 's/GLIBC_//' | sort -Vu | tail -n 1)
        needed=$(readelf -d -W "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | tr '\n' ' ')
        made=$(readelf -p .comment "$file" 2>/dev/null | sed -n 's/^ *\[ *[0-9a-f]*\]  *//p' | paste -sd ',' | sed 's/,/, /g')
        echo "$file: GLIBC_$newest, needs $needed(made by ${made:-what left no note})"
        if [[ $(printf '%s\n' "$newest" "$newest_glibc" | sort -V | tail -n 1) != "$newest_glibc" ]]; then
            echo "    newer than GLIBC_$newest_glibc:"
            readelf --dyn-syms -W "$file" | grep -F "GLIBC_$newest" | sed 's/^/    /'
            failed=1
        fi
        if readelf --dyn-syms -W "$file" | grep -oE '(GLIBCXX|CXXABI|GCC)_[0-9.]+' | sort -u | sed 's/^/    needs /' | grep .; then
            failed=1
        fi
        if grep -qE 'libstdc\+\+|libgcc_s|libcudart|libcuda\.|libfmt' <<<"$needed"; then
            echo "    depends on a library that another machine may lack"
            failed=1
        fi
    done
    [[ $failed -eq 0 ]]
}

check_module() {
    local package=$1 failed=0 core=$1/lib/liboptgap_core.so module program=$1/bin/optgap shown path
    module=$(ls "$package"/_native.*.so)
    fail() {
        echo "    $1"
        failed=1
    }
    shown=$(nm -D --defined-only "$module" | awk '{print $3}')
    [[ $shown == PyInit__native ]] || fail "$module shows more than PyInit__native: $shown"
    shown=$(nm -D --defined-only "$core" | awk '$2 != "A" && $3 !~ /@@?OPTGAP$/ {print $3}')
    [[ -z $shown ]] || fail "$core shows symbols without its version: $shown"
    shown=$(nm -D --undefined-only "$module" "$program" | awk '$1 == "U" && $2 ~ /^(_Z|__cxa_throw|__cxa_begin_catch)/ && $2 !~ /@OPTGAP$/ {print $2}')
    [[ -z $shown ]] || fail "C++ functions that are not the core's: $shown"
    nm -D --undefined-only "$module" | grep '__cxa_throw@OPTGAP$' >/dev/null || fail "$module throws by a C++ runtime of its own"
    for path in "$module \$ORIGIN/lib" "$program \$ORIGIN/../lib"; do
        shown=$(readelf -d -W "${path% *}" | sed -n 's/.*R\(UN\)\?PATH.*\[\(.*\)\]/\2/p')
        [[ $shown == "${path#* }" ]] || fail "${path% *} looks for the core in '$shown' instead of '${path#* }'"
    done
    [[ $failed -eq 0 ]] || exit 1
    echo "$package: $(nm -D --defined-only "$core" | wc -l) symbols of the core shown, $(nm -D --defined-only "$module" | wc -l) of the module"
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
module) check_module "$2" ;;
size) check_size "$2" "$3" ;;
*) sed -n '2,12p' "$0" && exit 2 ;;
esac
