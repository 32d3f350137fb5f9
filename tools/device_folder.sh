#!/usr/bin/env bash
# device_folder.sh DIR PROGRAM...: copies the programs, stripped, gpu_check.sh and the data that tests read to DIR.
set -euo pipefail
folder=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd)

mkdir -p "$folder/tools"
programs=()
for program in "$@"; do
    programs+=("$folder/$(basename "$program")")
    strip -o "${programs[-1]}" "$program"
done
if [[ -f $root/tools/gpu_check.sh ]]; then
    cp "$root/tools/gpu_check.sh" "$folder/tools/"
    bash "$root/tools/gpu_check.sh" --provenance >"$folder/provenance.json"
fi
while IFS= read -r -d '' file; do
    mkdir -p "$folder/$(dirname "$file")"
    cp "$root/$file" "$folder/$file"
done < <(cd "$root" && find kernels/tasks -name 'golden.jsonl' -print0)

bash "$root/tools/check_binary.sh" portable "${programs[@]}"
bash "$root/tools/check_binary.sh" size "$folder" 50
