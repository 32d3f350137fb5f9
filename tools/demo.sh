#!/usr/bin/env bash
# Sets up, builds and shows the main job from end to end. May be repeated; tools/setup.sh says what it installs.
set -euo pipefail
cd "$(dirname "$0")/.."

tools/setup.sh
build/release/optgap demo "$@"

printf '\n5. One rollout explained (optgap explain tools/demo/rollouts.jsonl --row 6)\n\n'
build/release/optgap explain tools/demo/rollouts.jsonl --row 6
