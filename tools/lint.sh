#!/usr/bin/env bash
# Formatting, lint and spelling of the tree: ruff, codespell, clang-format and shellcheck as pinned in
# tests/lint/requirements.txt, of which it makes build/venv-lint first (PyPI, 69 MB on disk). A line for each, what the
# failed ones say, and the count; exit code 1 when one finds something.
#
#   tools/lint.sh          looks, writes nothing
#   tools/lint.sh --fix    writes what can be put right by itself, then looks
set -euo pipefail
cd "$(dirname "$0")/.."

fix=false
case ${1:-} in
'') ;;
--fix) fix=true ;;
*) sed -n '2,7p' "$0" >&2; exit 2 ;;
esac

venv=build/venv-lint
wanted=tests/lint/requirements.txt
if ! cmp -s "$wanted" "$venv/installed.txt"; then
    echo "lint: installing $(grep -c == "$wanted") packages into $venv"
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --no-cache-dir --no-deps -r "$wanted"
    cp "$wanted" "$venv/installed.txt"
fi
export PATH=$PWD/$venv/bin:$PATH

# listed FILE PATTERN...: the tree's files of these names, tracked or new, one after each NUL.
listed() {
    local path
    git ls-files -z -co --exclude-standard -- "$@" | while IFS= read -r -d '' path; do
        [[ ! -f $path ]] || printf '%s\0' "$path"
    done
}

# many COUNT PATTERNS COMMAND...: over the files of these names, as many at a time, on all processors.
many() {
    local patterns
    read -ra patterns <<<"$2"
    listed "${patterns[@]}" | xargs -0 -r -n "$1" -P "${OPTGAP_JOBS:-$(nproc)}" "${@:3}"
}

passed=0 failed=0
said=$(mktemp)
trap 'rm -f "$said"' EXIT
# check NAME COMMAND...
check() {
    local result=passed begin=$SECONDS
    if "${@:2}" >"$said" 2>&1; then
        passed=$((passed + 1))
    else
        result=FAILED failed=$((failed + 1))
    fi
    printf '%-12s %s  %d s\n' "$1" "$result" $((SECONDS - begin))
    if [[ $result == FAILED ]]; then
        head -n 100 "$said"
    fi
}

cxx='*.cpp *.hpp *.cu *.cuh'
if $fix; then
    ruff check --quiet --fix-only .
    ruff format --quiet .
    many 5000 '*' codespell --write-changes >/dev/null || true  # what has several cures is told below
    many 50 "$cxx" clang-format -i
fi
check ruff-format ruff format --check .
check ruff ruff check .
check codespell many 5000 '*' codespell
check clang-format many 50 "$cxx" clang-format --dry-run --Werror
check shellcheck many 50 '*.sh .ci/run' shellcheck --severity=warning
echo "$passed passed, $failed failed, 0 skipped"
[[ $failed -eq 0 ]]
