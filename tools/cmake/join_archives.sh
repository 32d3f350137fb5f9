#!/usr/bin/env bash
# join_archives.sh AR OUT ARCHIVE...: writes one archive of all their members. Scripts of ar cannot quote names; paths
# relative to OUT's folder rarely need it.
set -euo pipefail
ar=$1 out=$2
shift 2
cd "$(dirname "$out")"
{
    echo "CREATE $(basename "$out")"
    for archive in "$@"; do
        echo "ADDLIB $(realpath --relative-to=. "$archive")"
    done
    echo SAVE
    echo END
} | "$ar" -M
