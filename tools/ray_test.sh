#!/bin/sh
# optgap.data.ray on a local cluster: a killed worker, a lost node. Ray is 0.8 GB, so it has an environment of its own,
# build/venv-ray.
#
#   tools/ray_test.sh [pytest's words]
#   tools/ray_test.sh --only              only the environment
# The package is this checkout's Python beside the native program of build/release.
set -eu
cd "$(dirname "$0")/.."
venv=build/venv-ray
[ -x $venv/bin/python ] || python3 -m venv $venv
$venv/bin/python -c 'import ray, numpy, pytest' 2>/dev/null ||
    $venv/bin/pip install -q ray==2.60.0 numpy==2.4.6 pytest==9.2.0
[ "${1:-}" != --only ] || exit 0
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir -p "$home/optgap/bin"
for one in "$PWD"/python/optgap/*; do
    ln -s "$one" "$home/optgap/"
done
ln -s "$PWD/build/release/optgap" "$home/optgap/bin/optgap"
# Ray sends no figures of ours to its makers, and its workers find the package by the same path.
RAY_USAGE_STATS_ENABLED=0 PYTHONPATH="$home" $venv/bin/python -m pytest -q -p no:cacheprovider --noconftest \
    tests/python/cluster tests/python/shard_files_test.py -k 'not without_ray and not labeller' "$@"
