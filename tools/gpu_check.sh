#!/usr/bin/env bash
# Everything that needs a GPU (tools/gpu_check/main.py): `tools/gpu_check.sh --help`.
set -euo pipefail
exec python3 -B "$(dirname "$0")/gpu_check/main.py" "$@"
