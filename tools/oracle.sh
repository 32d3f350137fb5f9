#!/usr/bin/env bash
# Independent evidence: optima against other solvers, verdicts against the property in plain Python (docs/evidence.md).
#
#   tools/oracle.sh [OPTION...]   sets up and runs in full; options go to tests/oracle/run.py: --quick, --task NAME, ...
#   tools/oracle.sh --setup       only installs the pinned packages into build/venv-oracle
#   tools/oracle.sh --sample      the quick run with a seed of the commit's, skipped (exit code 77) where the packages are missing;
#                                 what ctest calls
#   tools/oracle.sh --faults      shows that the checks notice a faulty program; skipped likewise
#   tools/oracle.sh --random [OPTION...]   how often a random answer is optimal (tests/oracle/random_answers.py)
#   tools/oracle.sh --long [OPTION...]     millions of answers and completions against the C++ references (tests/long/run.py);
#                                          needs no packages, but the built program optgap_long_checks
#   tools/oracle.sh --advantages  every estimator against its NumPy twin, and its property tests; skipped likewise
#   tools/oracle.sh --rubrics [COUNT]   rubrics against their twin in plain Python, 2,000 pairs or so many; skipped likewise
#   tools/oracle.sh --checks [OPTION...]   instruction types and measures against other implementations; fetches two wheels into
#                                 build/check-peers (docs/checks.md); options go to both programs: --texts N, --seed S
#   tools/oracle.sh --logarithms [COUNT]   the logarithm that apples rewards against 50 digits; skipped likewise
#   tools/oracle.sh --canonical [COUNT [OPTION...]]   canonical keys against NetworkX; with a COUNT also against nauty, which
#                                 is then built from its sources on PyPI; needs the built program optgap_canonical_rows;
#                                 options: --task NAME, --structures, --seed S; skipped likewise
#   tools/oracle.sh --peers       bench/peers.py in its short form on one task; skipped likewise
#
# Environment: OPTGAP_BINARY   default build/release/optgap
#              OPTGAP_REQUIRE=oracle   missing packages are a failure rather than a skip
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/venv-oracle
wanted=tests/oracle/requirements.txt

is_set_up() {
    cmp -s "$wanted" "$venv/installed.txt"
}

set_up() {
    is_set_up && return
    echo "oracle: installing $(grep -cv '^#' "$wanted") packages with pip into $venv (about 360 MB)"
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: -r "$wanted"
    cp "$wanted" "$venv/installed.txt"
}

case ${1:-} in
--setup)
    set_up
    exit
    ;;
--sample | --faults | --advantages | --rubrics | --logarithms | --canonical | --peers)
    if ! is_set_up; then
        echo "SKIPPED: no packages in $venv; tools/oracle.sh --setup installs them"
        [[ " ${OPTGAP_REQUIRE:-} " == *" oracle "* ]] && exit 1
        exit 77
    fi
    if [[ $1 == --faults ]]; then
        exec "$venv/bin/python" -B tests/oracle/notices_test.py
    fi
    if [[ $1 == --advantages ]]; then
        exec "$venv/bin/python" -B tests/oracle/advantages_test.py
    fi
    if [[ $1 == --rubrics ]]; then
        exec "$venv/bin/python" -B tests/oracle/rubrics/twin_test.py "${@:2}"
    fi
    if [[ $1 == --logarithms ]]; then
        exec "$venv/bin/python" -B tests/oracle/logarithms.py "${@:2}"
    fi
    if [[ $1 == --canonical ]]; then
        if [[ -n ${2:-} ]] && ! "$venv/bin/python" -c "import pynauty" 2>/dev/null; then
            "$venv/bin/pip" install --quiet --disable-pip-version-check "pynauty==2.8.8.1"
        fi
        PYTHONPATH=tests/oracle exec "$venv/bin/python" -B tests/oracle/canonical/canonical_test.py "${@:2}"
    fi
    if [[ $1 == --peers ]]; then
        exec "$venv/bin/python" -B tests/oracle/peers_test.py
    fi
    # Every commit takes one of eight samples, and the same each time.
    commit=$(git rev-parse HEAD 2>/dev/null || echo 0)
    set -- --quick --seed $((16#${commit:0:7} % 8 + 1))
    ;;
--checks)
    for part in check_peers check_measures; do
        python3 -B "tests/oracle/checks/$part.py" "${OPTGAP_CHECK_ROWS:-build/release/optgap_check_rows}" "${@:2}"
    done
    exit
    ;;
--random)
    set_up
    exec "$venv/bin/python" -B tests/oracle/random_answers.py "${@:2}"
    ;;
--long)
    exec python3 -B tests/long/run.py "${@:2}"
    ;;
*) set_up ;;
esac
exec "$venv/bin/python" -B tests/oracle/run.py "$@"
