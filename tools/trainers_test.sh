#!/usr/bin/env bash
# Calls the trainers themselves: TRL takes steps on a tiny random model, verl's reward loop and OpenRLHF's executor
# score, their advantage code gets our constant groups, preflight meets chat templates, and the page's examples run.
#
#   tools/trainers_test.sh [PYTEST OPTION...]    sets up build/venv-trainers first (tools/trainers_setup.sh); without
#                                                options a few tests also run with each trainer's oldest version that works
#   tools/trainers_test.sh --matrix [TRAINER]    those few tests with each version that is named, and the table of
#                                                docs/trainers.md (tests/python/trainers/matrix.py)
#
# Environment: PYTHON   the interpreter of a new environment
set -euo pipefail
cd "$(dirname "$0")/.."

tools/trainers_setup.sh
if [[ ${1:-} == --matrix ]]; then
    exec tests/python/trainers/matrix.py --all "${@:2}"
fi
mkdir -p build/test-logs
# Nothing is downloaded, and no test may be skipped: what is not here is a failure. A process for each
# processor, each with one thread, for the models are tiny; who is done takes tests from who is not.
jobs=${OPTGAP_JOBS:-$(nproc)}  # before OMP_NUM_THREADS, which nproc obeys
export HF_HUB_OFFLINE=1 TOKENIZERS_PARALLELISM=false CUDA_VISIBLE_DEVICES='' OMP_NUM_THREADS=1
# uv compiles nothing, so the first to import PyTorch does, for all processes behind it; not between the sources.
export PYTHONPYCACHEPREFIX=$PWD/build/pycache PYTHONDONTWRITEBYTECODE=
log=build/test-logs/trainers.xml
build/venv-trainers/bin/python -m pytest -q --show-capture=no --tb=short -W ignore -p no:cacheprovider --junitxml "$log" \
    -n "$jobs" --dist worksteal tests/python/integrations tests/python/trainers "$@"
if ! grep -q 'skipped="0"' "$log"; then
    echo "trainers: a test was skipped" >&2
    exit 1
fi
(($# == 0)) || exit 0
for name in matrix hub curves length trl_steps trl_curriculum trl_roles four_ranks stop_tokens verl_calls verl_data verl_roles openrlhf_calls constant_groups preflight \
    trainers_page recipe_arms train_tiny train_mixed; do
    grep -q "trainers.${name}_test" "$log" || { echo "trainers: ${name}_test did not run" >&2; exit 1; }
done
tests/python/trainers/matrix.py --oldest
