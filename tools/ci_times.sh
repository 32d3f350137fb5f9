#!/usr/bin/env bash
# What continuous integration costs: processor and wall time of every stage, the most expensive build units and the most expensive tests.
#
#   tools/ci_times.sh             clones HEAD, runs .ci/run there without compiler cache, prints the tables
#   tools/ci_times.sh --twice     and runs it once more, with nothing changed: what a second run costs
#   tools/ci_times.sh --report [FOLDER]    only prints those of an earlier run (tools/test.sh with OPTGAP_COSTS=ON)
#
# Environment: OPTGAP_TOP   how many units and tests to list, default 30
set -euo pipefail
cd "$(dirname "$0")/.."

case ${1:-} in
'' | --twice)
    work=$(mktemp -d "${TMPDIR:-/tmp}/optgap-ci-XXXX")
    git clone --quiet . "$work/main"
    if [[ -d ../shared ]]; then
        ln -s "$(realpath ../shared)" "$work/shared"
    fi
    echo "ci_times: running .ci/run in $work/main; load before: $(cut -d ' ' -f 1-3 /proc/loadavg)"
    code=0
    run_ci() {
        local begin=$SECONDS
        (cd "$work/main" && OPTGAP_COSTS=ON CCACHE_DISABLE=1 CI=true bash .ci/run </dev/null) || code=$?
        echo "ci_times: .ci/run took $((SECONDS - begin)) s, $1"
    }
    run_ci cold
    if [[ ${1:-} == --twice && $code -eq 0 ]]; then
        cp -r "$work/main/build/test-logs" "$work/cold-logs"
        run_ci "the second time"
    fi
    folder=$work/main
    ;;
--report) folder=${2:-.} code=0 ;;
*) sed -n '2,8p' "$0" >&2; exit 2 ;;
esac

python3 - "$folder" "${OPTGAP_TOP:-30}" <<'PYTHON'
import pathlib
import sys
import xml.etree.ElementTree as tree

build, top = pathlib.Path(sys.argv[1]) / "build", int(sys.argv[2])
logs = build / "test-logs"


def table(title, rows):
    print(f"\n{title}")
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.rjust(width) for cell, width in zip(row[:-1], widths)) + "  " + row[-1])


units = {}
for costs in sorted(build.glob("*/costs.tsv")) + sorted(build.glob("*/*/costs.tsv")):
    stage = str(costs.parent.relative_to(build))
    for line in costs.read_text().splitlines():
        processor, wall, name = line.split("\t")
        name = name.replace("CMakeFiles/", "", 1).replace(".dir/", ": ", 1).removesuffix(".o")
        units[stage, name] = (float(processor), float(wall))

if (logs / "stages.tsv").exists():
    rows = [("CPU min", "wall min", "of it building", "stage")]
    for line in (logs / "stages.tsv").read_text().splitlines():
        stage, wall, processor = line.split("\t")
        built = sum(cost for (where, _), (cost, _) in units.items() if where == stage)
        rows.append((f"{int(processor) / 60:.1f}", f"{int(wall) / 60:.1f}", f"{built / 60:.1f}" if built else "", stage))
    rows.append((f"{sum(float(r[0]) for r in rows[1:]):.1f}", f"{sum(float(r[1]) for r in rows[1:]):.1f}", "", "all"))
    table("Stages", rows)

if units:
    costliest = sorted(units.items(), key=lambda item: -item[1][0])[:top]
    table(f"The {len(most expensive)} most expensive of {len(units)} build units", [("CPU s", "wall s", "unit")] + [
        (f"{cost:.1f}", f"{wall:.1f}", f"{stage} {name}") for (stage, name), (cost, wall) in costliest])

tests = []
for junit in sorted(logs.glob("*.xml")):
    for case in tree.parse(junit).getroot().iter("testcase"):
        name = case.get("name")
        if case.get("classname") not in (None, "", name):
            name = f"{case.get('classname')}.{name}"
        tests.append((float(case.get("time") or 0), f"{junit.stem} {name}"))
if tests:
    costliest = sorted(tests, reverse=True)[:top]
    table(f"The {len(most expensive)} most expensive of {len(tests)} tests", [("wall s", "test")] + [
        (f"{wall:.1f}", name) for wall, name in costliest])
PYTHON
exit "$code"
