#!/usr/bin/env bash
# keep_log.sh LOG COMMAND...: writes a compiler's messages to LOG, and all but ptxas' list of resources to the terminal.
log=$1
shift
"$@" >"$log" 2>&1
code=$?
grep -vE '^ptxas info|^    [0-9]+ bytes|bytes stack frame' "$log" >&2
exit $code
