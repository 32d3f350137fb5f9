#!/usr/bin/env bash
# record_cost.sh TABLE NAME COMMAND...: runs the command and adds a line "processor seconds, wall seconds, NAME" to
# TABLE.
table=$1 name=$2
shift 2
TIMEFORMAT='%U %S %R'
exec 3>&2
cost=$({ time "$@" 2>&3 >&3; } 2>&1)
code=$?
exec 3>&-
read -r user system wall <<<"$(tail -n 1 <<<"$cost")"
awk -v u="$user" -v s="$system" -v w="$wall" -v n="$name" 'BEGIN { printf "%.2f\t%.2f\t%s\n", u + s, w, n }' >>"$table"
exit $code
