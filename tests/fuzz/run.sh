#!/usr/bin/env bash
# run.sh TARGET CORPUS FOUND: fuzzes for OPTGAP_FUZZ_SECONDS, starting from CORPUS; new inputs and crashes go to FOUND.
set -euo pipefail
target=$1 corpus=$2 found=$3
mkdir -p "$found/corpus" "$found/crashes"
seeds=("$found/corpus")
if [[ -d $corpus ]]; then
    seeds+=("$corpus")
fi
options=()
dictionary=$(dirname "$0")/$(basename "$corpus").dict
if [[ -f $dictionary ]]; then
    options+=("-dict=$dictionary")
fi
exec "$target" "${options[@]}" -max_total_time="${OPTGAP_FUZZ_SECONDS:-60}" -timeout=10 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="$found/crashes/" "${seeds[@]}"
