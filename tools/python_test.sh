#!/usr/bin/env bash
# Installs the Python package into build/venv-python, checks its types, runs its tests, builds the wheel that tools/wheels.sh makes
# of it into build/wheelhouse and tries that in a second environment in which no compiler is to be found. The last line is the
# count; exit code 1 on a failure. Needs PyPI and what tools/setup.sh installs. Repeated, it builds only what has changed.
#
#   tools/python_test.sh            all of it
#   tools/python_test.sh --sdist    also builds the source distribution, and a wheel from nothing else (minutes)
#
# Environment: PYTHON           the interpreter, default python3
#              OPTGAP_CUDA      AUTO or ON: a wheel with GPU code; default OFF
#              OPTGAP_PREBUILT  a build folder of these sources whose libraries and program are packed; default: build/release,
#                               where there is one, else builds them
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/environment.sh

with_sdist=false
case ${1:-} in
'') ;;
--sdist) with_sdist=true ;;
*) sed -n '2,12p' "$0" >&2; exit 2 ;;
esac

python=${PYTHON:-python3}
venv=build/venv-python
logs=build/test-logs
export OPTGAP_CUDA=${OPTGAP_CUDA:-OFF} PIP_DISABLE_PIP_VERSION_CHECK=1
# Bytecode is kept, but not between the sources.
export PYTHONPYCACHEPREFIX=$PWD/build/pycache PYTHONDONTWRITEBYTECODE=
passed=0 failed=0 skipped=0

# check NAME COMMAND...: one test; its output goes to a log, which is shown when it fails.
check() {
    begin_check "$@"
    end_checks
}

# begin_check NAME COMMAND...: the same beside what follows, counted by end_checks.
begun=()
begin_check() {
    local name=$1 start=$SECONDS status
    shift
    begun+=("$name")
    rm -f "$logs/python-$name.ended"
    {
        # Not as a condition: that would take `set -e` from the command.
        set +e
        (set -e && "$@") >"$logs/python-$name.log" 2>&1
        status=$?
        echo "$status $((SECONDS - start))" >"$logs/python-$name.ended"
    } &
}
end_checks() {
    local name status took
    wait
    for name in "${begun[@]}"; do
        read -r status took <"$logs/python-$name.ended" || status=1 took=0
        if [[ $status -eq 0 ]]; then
            passed=$((passed + 1))
            echo "$name: passed ($took s) $(tail -n 1 "$logs/python-$name.log")"
        else
            failed=$((failed + 1))
            tail -n 60 "$logs/python-$name.log"
            echo "$name: FAILED ($took s), see $logs/python-$name.log"
        fi
    done
    begun=()
}

install_package() {
    [[ -x $venv/bin/python ]] || "$python" -m venv "$venv"
    tools/package/install.sh "$venv" test
    "$venv/bin/python" -c 'import optgap; print("optgap", optgap.__version__, optgap.Engine())'
}

# For GLIBC 2.28, by relinking what was installed; the last line is its row in tools/wheels.sh's table.
build_wheel() {
    tools/wheels.sh --python "$PWD/$venv/bin/python" --out build/wheelhouse
}

# Isolated, as a third party's pip does it.
build_from_sdist() {
    "$venv/bin/pip" install --quiet build
    rm -rf build/wheels-sdist
    "$venv/bin/python" -m build --outdir build/wheels-sdist .
    du -h build/wheels-sdist/*
}

# Nothing but the environment's own programs is on the path, and only ready-made wheels are taken.
try_wheel() {
    local clean=$PWD/build/venv-wheel smoke=$PWD/tests/python/wheel_smoke.py
    "$python" -m venv --clear "$clean"
    env -i HOME="$HOME" PATH="$clean/bin" "$clean/bin/pip" install --quiet --only-binary :all: "$1"
    cd "$clean"
    env -i PATH="$clean/bin" "$clean/bin/python" "$smoke"
}

is_portable() {
    local package
    package=$(echo "$venv"/lib/python3.*/site-packages/optgap)
    tools/check_binary.sh portable "$package"/{bin/optgap,_native.*.so,lib/*.so}
    tools/check_binary.sh module "$package"
}

# A process for each processor; who is done takes tests from who is not. What is marked `alone` looks at a clock and runs after that
# and after all else that was begun.
run_tests() {
    local counts form
    for form in 'not alone' alone; do
        local junit=$PWD/$logs/python${form//not alone/}.xml workers=(-n "${OPTGAP_JOBS:-$(nproc)}" --dist worksteal)
        rm -f "$junit"
        if [[ $form == alone ]]; then
            workers=()
            end_checks
        fi
        "$venv/bin/python" -m pytest -q -p no:cacheprovider --junitxml "$junit" "${workers[@]}" -m "$form" tests/python || true
        counts=$("$venv/bin/python" - "$junit" <<'PYTHON'
import sys
import xml.etree.ElementTree as tree

suites = list(tree.parse(sys.argv[1]).getroot().iter("testsuite"))
tests, *others = (sum(int(suite.get(name)) for suite in suites) for name in ("tests", "failures", "errors", "skipped"))
print(tests - sum(others), others[0] + others[1], others[2])
PYTHON
        ) || counts="0 1 0"
        read -r good bad none <<<"$counts"
        passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + none))
    done
}

mkdir -p "$logs"
check install install_package
if [[ $failed -eq 0 ]]; then
    begin_check types "$venv/bin/mypy" --config-file pyproject.toml  # one thread, beside the tests
    run_tests
    check portable is_portable
    check wheel build_wheel  # looks at a clock
    if $with_sdist; then
        check sdist build_from_sdist
        check smoke-sdist try_wheel build/wheels-sdist/*.whl
    fi
fi
echo "$passed passed, $failed failed, $skipped skipped"
[[ $failed -eq 0 ]]
