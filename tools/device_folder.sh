#!/usr/bin/env bash
# device_folder.sh DIR PROGRAM...: copies the programs, stripped, and the check of a GPU (tools/gpu_check.sh) to DIR, and packs
# it as DIR.tar.xz. A Python package that was written to DIR/package before stays and is packed too.
set -euo pipefail
folder=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd)

mkdir -p "$folder"
programs=()
for program in "$@"; do
    programs+=("$folder/$(basename "$program")")
    strip -o "${programs[-1]}" "$program"
done
for part in tools/gpu_check.sh tools/gpu_check tests/python/card bench/beside_torch.py; do
    rm -rf "${folder:?}/$part"
    mkdir -p "$(dirname "$folder/$part")"
    cp -r "$root/$part" "$folder/$part"
done
bash "$root/tools/gpu_check.sh" --provenance >"$folder/provenance.json"

bash "$root/tools/check_binary.sh" portable "${programs[@]}"
tar -C "$folder" -cf - . | xz -T0 -3 >"$folder.tar.xz"
bash "$root/tools/check_binary.sh" size "$folder.tar.xz" 50
