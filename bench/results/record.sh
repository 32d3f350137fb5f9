#!/usr/bin/env bash
# Measures on this machine's CPU the speeds that the pages report, into bench/results/cpu.jsonl, and writes the pages'
# numbers. Takes some minutes, in which nothing else should run.
#
#   bench/results/record.sh [--machine NAME] [--seconds S]
#
#   --machine NAME   as people call this machine; default: its processor and how many
#   --seconds S      to sample each row for; default: 0.3
#
# Environment: OPTGAP_BINARY (default build/release/optgap), RESULTS (default bench/results/cpu.jsonl)
# Batches are smaller for declarative tasks, some of which prove only forty labels a second. A goal that is not met is a
# result, too.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=0.3 machine=()
while (($#)); do
    [[ $# -ge 2 ]] || { sed -n '2,13p' "$0" >&2; exit 2; }
    case $1 in
    --machine) machine=(--machine "$2") ;;
    --seconds) seconds=$2 ;;
    *) sed -n '2,13p' "$0" >&2; exit 2 ;;
    esac
    shift 2
done
optgap=${OPTGAP_BINARY:-build/release/optgap}
results=${RESULTS:-bench/results/cpu.jsonl}

# record THREADS WORKLOAD...: measures on the CPU into the results.
record() {
    local threads=$1
    shift
    "$optgap" bench "$@" --threads "$threads" --device cpu --seconds "$seconds" --record "$results" \
        ${machine[@]+"${machine[@]}"}
}

# The tasks of README.md's table, whose labels are timed in full batches, and the others.
mapfile -t heavy < <(sed -n 's/^| \[`\([a-z_]*\)`\].*/\1/p' README.md)
mapfile -t light < <("$optgap" tasks --json --device cpu | python3 -c '
import json, sys
print("\n".join(task["name"] for task in json.load(sys.stdin) if task["name"] not in sys.argv[1:]))' "${heavy[@]}")
mapfile -t of_heavy < <(printf -- '--task\n%s\n' "${heavy[@]}")
mapfile -t of_light < <(printf -- '--task\n%s\n' "${light[@]}")

record 1 generate verify improve solve "${of_heavy[@]}"
record 1 generate improve "${of_light[@]}"
record 1 solve --batch 24 "${of_light[@]}"
record 1 verify --batch 512 "${of_light[@]}"
record 1 mix --batch 4
record 1 parse score rewards advantages river ranks step sample_1 sample_16 sample_256 rollouts
record 2 generate improve solve "${of_heavy[@]}"
record 2 mix --batch 4
record 2 score step rollouts
record 2 goals "${of_heavy[@]}" || [[ $? -eq 1 ]]
python3 -B bench/results/pages.py --write
python3 -B bench/results/pages.py --check
