#!/usr/bin/env bash
# consumer.sh BUILD_DIR COMPILER: a separate project finds the installed library, and its program prints what its source
# states; README.md's C++ block compiles and runs against the same tree; only the public headers are installed.
set -euo pipefail
build=$1 compiler=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$build/consumer
failed() {
    echo "FAILED: $1"
    exit 1
}
# quietly COMMAND...: shows its output when it fails.
quietly() {
    "$@" >"$work/log" 2>&1 || { tail -n 40 "$work/log"; failed "$*"; }
}

rm -rf "$work"
mkdir -p "$work/project"
quietly cmake --install "$build" --prefix "$work/prefix"
diff <(cd "$root/include" && find . -type f | sort) <(cd "$work/prefix/include" && find . -type f | sort) ||
    failed "what is installed is not what lies in include/"
# No header includes one that is not installed.
while IFS=: read -r file name; do
    [[ -f $work/prefix/include/$name ]] || failed "${file##*/} includes $name, which is not installed"
done < <(grep -roP '^#include "\K[^"]+' "$work/prefix/include")

# The examples are copied, so that they cannot use the source tree; README's block is another program.
cp "$root"/examples/cpp/* "$work/project"
block=$(sed -n '/^```cpp$/,/^```$/p' "$root/README.md" | grep -v '^```')
[[ $block == *optgap::* ]] || failed "README.md has no C++ block"
while IFS= read -r line; do
    if [[ $line == @SNIPPET@ ]]; then printf '%s\n' "$block"; else printf '%s\n' "$line"; fi
done <"$root/tests/examples/readme.cpp.in" >"$work/project/readme.cpp"
cat >>"$work/project/CMakeLists.txt" <<'CMAKE'
add_executable(readme readme.cpp)
target_link_libraries(readme PRIVATE optgap::optgap)
CMAKE
quietly cmake -S "$work/project" -B "$work/build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_PREFIX_PATH="$work/prefix"
quietly cmake --build "$work/build"

"$work/build/one_group" >"$work/printed"
diff <(sed -n 's|^//   ||p' "$root/examples/cpp/one_group.cpp") "$work/printed" ||
    failed "examples/cpp/one_group.cpp prints something else than it says"
"$work/build/readme" || failed "README.md's C++ block"
"$work/prefix/bin/optgap" --version
