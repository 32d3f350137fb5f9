#!/usr/bin/env bash
# Runs optgap's episodes in the frameworks that train on environments, by their own code (docs/environments.md). Makes
# build/venv-environments and build/venv-verifiers first: verifiers and OpenEnv ask for different versions of mcp. torch, TRL, verl and what they
# draw in are those of build/venv-trainers (tools/trainers_setup.sh). Needs Python 3.11, PyPI, 1.3 GB of disk.
#
#   tools/environments_test.sh [PYTEST OPTION...]           the sample that CI runs
#   tools/environments_test.sh --long [PYTEST OPTION...]    all, also TRL's loop under Unsloth (build/venv-unsloth); so with OPTGAP_LONG=1
#   tools/environments_test.sh --only                       only the environments of the sample, without torch and optgap
set -euo pipefail
cd "$(dirname "$0")/.."

only=false
case ${1:-} in
--only) only=true ;;
--long) export OPTGAP_LONG=1; shift ;;
esac
venvs=(environments verifiers)
[[ ${OPTGAP_LONG:-} != 1 ]] || venvs+=(unsloth)
export PIP_DISABLE_PIP_VERSION_CHECK=1

# site_packages VENV: where its packages are.
site_packages() {
    echo "$PWD"/build/venv-"$1"/lib/python3.*/site-packages
}

for name in "${venvs[@]}"; do
    venv=build/venv-$name
    wanted=tests/python/environments/requirements-$name.txt
    cmp -s "$wanted" "$venv/installed.txt" && continue
    echo "environments: installing $(grep -c == "$wanted") packages with uv into $venv"
    rm -rf "$venv"
    "${PYTHON:-$(command -v python3.11 || command -v python3)}" -m venv "$venv"
    "$venv/bin/pip" install --quiet --no-cache-dir uv
    "$venv/bin/uv" pip install --quiet --python "$venv/bin/python" --no-deps -r "$wanted"
    if [[ $name == environments ]]; then
        # pip refuses it for Python 3.11, under which all that is called here runs.
        "$venv/bin/uv" pip install --quiet --python "$venv/bin/python" --no-deps --target "$(site_packages "$name")" \
            --python-version 3.13.14 nemo-gym==0.7.0
    fi
    # Behind its own packages, so that these come first.
    case $name in
    environments) echo "$PWD/build/venv-trainers/lib/python3.11/site-packages" ;;
    unsloth) echo "$(site_packages environments)"; echo "$PWD/build/venv-trainers/lib/python3.11/site-packages" ;;
    esac >"$(site_packages "$name")/zz_others.pth"
    cp "$wanted" "$venv/installed.txt"
done
if $only; then
    exit
fi
tools/trainers_setup.sh --only
for name in environments verifiers; do
    tools/package/install.sh "build/venv-$name"
done

export PYTHONPYCACHEPREFIX=$PWD/build/pycache PYTHONDONTWRITEBYTECODE=
export HF_HUB_OFFLINE=1 TOKENIZERS_PARALLELISM=false CUDA_VISIBLE_DEVICES='' OMP_NUM_THREADS=1
mkdir -p build/test-logs
# Each environment runs what the other lacks, and no test may be skipped: what is not here is a failure.
passed=0 failed=0
for chosen in "environments:not verifiers" "verifiers:verifiers or mcp" "unsloth:tool_loop"; do
    name=${chosen%%:*}
    [[ " ${venvs[*]} " == *" $name "* ]] || continue
    log=build/test-logs/environments-$name.xml
    rm -f "$log"
    plugin=()
    [[ $name != unsloth ]] || plugin=(-p unsloth)  # it asks to be imported before TRL
    "build/venv-$name/bin/python" -m pytest -q --tb=short -W ignore -p no:cacheprovider "${plugin[@]}" --junitxml "$log" \
        -k "${chosen#*:}" tests/python/environments "$@" || failed=$((failed + 1))
    if ! grep -q 'skipped="0"' "$log"; then
        echo "environments: a test was skipped in build/venv-$name" >&2
        failed=$((failed + 1))
    fi
    passed=$((passed + $(grep -o '<testcase' "$log" | wc -l)))
done
if ((failed > 0)); then
    echo "$passed passed, $failed failed, 0 skipped"
    exit 1
fi
echo "$passed passed, 0 failed, 0 skipped"
