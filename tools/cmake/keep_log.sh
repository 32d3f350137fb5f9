#!/usr/bin/env bash
# keep_log.sh LOG COMMAND...: what a compiler says goes to LOG, and to the terminal but for ptxas' list of resources.
log=$1
shift
"$@" >"$log" 2>&1
code=$?
grep -vE '^ptxas info|^    [0-9]+ bytes|bytes stack frame' "$log" >&2
exit $code
