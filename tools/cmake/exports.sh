#!/usr/bin/env bash
# exports.sh NM OUT OBJECT...: finds the symbols that the core must export for these objects and archives: the C++
# functions and objects that they use and do not define, and the program's entry. OUT.map is the linker's version
# script. OUT.wanted has the options that take the symbols from archives.
set -euo pipefail
nm=$1 out=$2
shift 2
# C++ names, and the functions beneath exceptions. Other undefined names belong to Python or glibc.
pattern='^(_Z|__cxa_|__gxx_|__dynamic_cast|_Unwind_)'
"$nm" --defined-only --extern-only "$@" | awk 'NF == 3 { print $3 }' | sort -u >"$out.defined"
{
    "$nm" --undefined-only "$@" | awk '$1 == "U" { print $2 }'
    echo _Z11optgap_mainiPPc
} | grep -E "$pattern" | grep -vE '^__cxa_(atexit|finalize|thread_atexit_impl)$' | sort -u | comm -23 - "$out.defined" >"$out.names"
{
    echo 'OPTGAP {'
    echo '    global:'
    sed 's/.*/        &;/' "$out.names"
    echo '    local: *;'
    echo '};'
} >"$out.map"
sed 's/^/-Wl,-u,/' "$out.names" >"$out.wanted"
