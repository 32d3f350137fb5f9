#!/usr/bin/env bash
# Everything that needs a GPU: the cuda tests and the four compute-sanitizer tools on a small set; the benchmarks on the
# GPU and the CPU, interference, the goals and the device's ceilings. Writes one JSON file with everything, a line for each
# measurement into a file of results (docs/performance.md), and changes no GPU setting.
#
#   tools/gpu_check.sh [--folder DIR] [--part tests|bench|all] [--machine NAME] [--quick]
#
#   --folder DIR   a folder made by the build target device_folder; default: build/device/folder or build/device, and
#                  where neither holds the tests, this machine's nvcc and cmake build them
#   --part PART    tests: tests and sanitizers, 9 minutes at most; bench: the benchmarks, 9 minutes at most; default: all
#   --machine NAME as people call this machine, in the results; default: its GPU's name
#   --quick        few budgets, no sanitizers and no results: a minute or two for each part
#   --provenance   prints the JSON that a device folder keeps as provenance.json, and does nothing else
#
# Environment: OUT   where the JSON, the results (gpu.jsonl) and the logs go; default: build/gpu_check, and
#                    bench/results/gpu.jsonl for the results
# Exit codes:  0 all stages passed; 1 a stage failed; 2 bad usage; 3 no GPU
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
export PATH="$PATH:/usr/local/cuda/bin:/usr/local/nvidia/bin"

# What was built: from git where this is a checkout.
provenance() {
    python3 - <<'PYTHON'
import hashlib
import json
import subprocess


def git(*arguments):
    run = subprocess.run(["git", *arguments], capture_output=True, check=False)
    return run.stdout if run.returncode == 0 else None


head = git("rev-parse", "HEAD")
listed = git("ls-files", "-s", "kernels")
changed = git("status", "--porcelain", "--", "kernels", "host", "include", "bench")
known = head is not None and listed is not None
print(json.dumps({
    "commit": head.decode().strip() if known else None,
    "kernel_sources": hashlib.sha256(listed).hexdigest() if known else None,
    "modified": bool(changed.strip()) if known and changed is not None else None,
}))
PYTHON
}

folder='' part=all quick=false machine=''
while (($#)); do
    case $1 in
    --folder) [[ $# -ge 2 ]] || { echo "--folder needs a directory" >&2; exit 2; }; folder=$2; shift 2 ;;
    --part)
        [[ ${2:-} =~ ^(tests|bench|all)$ ]] || { echo "--part needs tests, bench or all" >&2; exit 2; }
        part=$2
        shift 2
        ;;
    --machine) [[ $# -ge 2 ]] || { echo "--machine needs a name" >&2; exit 2; }; machine=$2; shift 2 ;;
    --quick) quick=true; shift ;;
    --provenance) provenance; exit ;;
    *) sed -n '2,19p' "$0" >&2; exit 2 ;;
    esac
done

if ! command -v nvidia-smi >/dev/null; then
    echo "gpu_check: no GPU on this machine (nvidia-smi is not installed); nothing was checked" >&2
    exit 3
fi
if ! gpus=$(nvidia-smi --list-gpus 2>&1) || [[ $gpus != *GPU* ]]; then
    echo "gpu_check: no GPU on this machine (nvidia-smi: ${gpus:-no answer}); nothing was checked" >&2
    exit 3
fi

logs=build/gpu_check
rm -rf "$logs"
mkdir -p "$logs"
: >"$logs/stages.tsv"

# stage NAME LIMIT_S COMMAND...: time-boxed; stdout to NAME.out, stderr to NAME.err; records name, status and seconds.
stage() {
    local name=$1 limit=$2 begin=$EPOCHREALTIME status=passed code=0
    shift 2
    timeout --kill-after=10 "$limit" "$@" >"$logs/$name.out" 2>"$logs/$name.err" || code=$?
    case $code in
    0) ;;
    1) [[ $name == bench_goals ]] && status=unmet || status=failed ;;  # a goal that is not met is no fault of the check
    124 | 137) status=timed_out ;;
    *) status=failed ;;
    esac
    record "$name" "$status" "$begin"
    [[ $code -eq 0 || $status == unmet ]] || tail -n 40 "$logs/$name.out" "$logs/$name.err" >&2
    return "$code"
}

# record NAME STATUS BEGIN
record() {
    local seconds
    seconds=$(awk -v a="$3" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }')
    printf '%s\t%s\t%s\n' "$1" "$2" "$seconds" >>"$logs/stages.tsv"
    printf '%-22s %-12s %8s s\n' "$1" "$2" "$seconds"
}

holds_tests() { [[ -x $1/optgap_cuda_tests && -x $1/optgap ]]; }

if [[ -z $folder ]]; then
    for folder in build/device/folder build/device ''; do
        [[ -n $folder ]] && holds_tests "$folder" && break
    done
elif ! holds_tests "$folder"; then
    echo "gpu_check: $folder holds no optgap and optgap_cuda_tests" >&2
    exit 2
fi
if [[ -z $folder ]]; then
    stage build 420 bash -c 'cmake --preset device && cmake --build build/device -j "$(nproc)" --target optgap optgap_cuda_tests'
    folder=build/device
else
    record build prebuilt "$EPOCHREALTIME"
fi
[[ -d $folder/lib ]] && export LD_LIBRARY_PATH="$folder/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export OPTGAP_REQUIRE=cuda

gpu_state() {
    nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem,temperature.gpu,power.draw \
        --format=csv,noheader,nounits >"$logs/gpu_$1.csv" 2>&1
}

# A small set: under a sanitizer a kernel runs ten to a hundred times slower.
small='cuda_teams.*:cuda_task_verbs.generates_the_cpu_s*:cuda_task_verbs.verifies*:cuda_task_verbs.gives_the_cpu_s_anchors'
small+=':cuda_advantages.constant*:cuda_ranks.a_few*:cuda_task_verbs.empty*:cuda_colocation.few*'

# sanitize TOOL LIMIT_S
sanitize() {
    local tool=$1 limit=$2 begin=$EPOCHREALTIME code=0
    if ! command -v compute-sanitizer >/dev/null; then
        record "$tool" unavailable "$begin"
        return
    fi
    timeout --kill-after=10 "$limit" compute-sanitizer --tool "$tool" --error-exitcode 99 "$folder/optgap_cuda_tests" \
        --gtest_filter="$small" >"$logs/$tool.out" 2>&1 || code=$?
    if grep -qE 'Device not supported|LibraryNotLoaded|Unable to find' "$logs/$tool.out"; then
        record "$tool" unavailable "$begin"
    elif [[ $code -eq 124 || $code -eq 137 ]]; then
        record "$tool" timed_out "$begin"
    elif [[ $code -ne 0 ]]; then
        record "$tool" failed "$begin"
        grep -m 30 -A 12 '=========' "$logs/$tool.out" >&2
    else
        record "$tool" passed "$begin"
    fi
}

# bench NAME LIMIT_S ARGUMENT...: a benchmark whose JSON becomes bench.NAME of the result.
bench() {
    local name=$1 limit=$2
    shift 2
    stage "bench_$name" "$limit" "$folder/optgap" bench "$@" --json --quiet
}

gpu_state before
if [[ $part != bench ]]; then
    stage tests 180 "$folder/optgap_cuda_tests" --gtest_output="json:$logs/tests.json"
    if ! $quick; then
        for tool in memcheck initcheck synccheck; do
            sanitize "$tool" 60
        done
        sanitize racecheck 160  # it follows every access to shared memory: a minute was too short on an H100
    fi
fi
if [[ $part != tests ]]; then
    if $quick; then
        bench device 40 device_generate device_verify device_improve --task tsp --device cuda --seconds 0.1
        bench mixed 40 device_mixed_verify device_mixed_step device_mixed_improve --task tsp --task clique --device cuda --seconds 0.1
        bench calls 20 first_call crossover_generate crossover_verify crossover_improve --task tsp --device cuda --seconds 0.1
        bench interference 40 interference --task tsp --device cuda --seconds 0.3 --quick
    else
        bench device 80 device_generate device_verify device_improve --device cuda --seconds 0.3
        bench mixed 60 device_mixed_verify device_mixed_step device_mixed_improve --device cuda --seconds 0.5
        bench cuda 100 generate verify improve parse score rewards advantages river ranks step start_up --device cuda --seconds 0.3
        bench interference 100 interference --device cuda --seconds 0.75
        bench calls 50 first_call crossover_generate crossover_verify crossover_improve --task tsp --task clique \
            --task knapsack --task sat --task job_shop --device cuda --seconds 0.3
        bench goals 110 goals --device cuda --seconds 0.3
        bench cpu 80 generate verify improve parse score rewards advantages river ranks step --device cpu --seconds 0.1
    fi
fi
gpu_state after

provenance >"$logs/provenance_here.json"
target=${OUT:-$logs}
results=${OUT:-bench/results}/gpu.jsonl
$quick && results=''
mkdir -p "$target"
python3 - "$logs" "$folder" "$target" "$part" "$results" "$machine" <<'PYTHON'
import json
import os
import pathlib
import re
import subprocess
import sys
import time

logs, folder, target = (pathlib.Path(argument) for argument in sys.argv[1:4])
part, results, machine = sys.argv[4:7]


def read_json(path):
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return None


def gpu_state(path):
    names = ["name", "driver", "clock_sm_mhz", "clock_memory_mhz", "clock_sm_max_mhz", "clock_memory_max_mhz",
             "temperature_c", "power_w"]
    line = path.read_text().strip().splitlines()[:1]
    values = [field.strip() for field in line[0].split(",")] if line else []
    if len(values) != len(names):
        return {"unreadable": path.read_text().strip()}
    numbers = {}
    for name, value in zip(names, values):
        try:
            numbers[name] = float(value) if name not in ("name", "driver") else value
        except ValueError:
            numbers[name] = None
    return numbers


def test_summary(report):
    if report is None:
        return None
    failed, skipped = [], []
    for suite in report.get("testsuites", []):
        for case in suite.get("testsuite", []):
            name = f"{suite['name']}.{case['name']}"
            if case.get("failures"):
                failed.append(name)
            elif case.get("result") == "SKIPPED":
                skipped.append(name)
    return {"run": report.get("tests"), "failed": failed, "skipped": skipped}


built = read_json(folder / "provenance.json")
here = read_json(logs / "provenance_here.json") or {}
source = built or here
stages = [dict(zip(("name", "status", "seconds"), line.split("\t")))
          for line in (logs / "stages.tsv").read_text().splitlines()]
for stage in stages:
    stage["seconds"] = float(stage["seconds"])
bench = {}
for stage in stages:
    if stage["name"].startswith("bench_"):
        made = bench[stage["name"].removeprefix("bench_")] = read_json(logs / f"{stage['name']}.out")
        if made is None and stage["status"] in ("passed", "unmet"):
            stage["status"] = "failed"  # it ended well and printed no JSON
first = next((name for name, made in bench.items() if made and "cuda" in made.get("device", "")), None)
ceilings = bench[first]["ceilings"] if first else None
goals = (bench.get("goals") or {}).get("goals")
before = gpu_state(logs / "gpu_before.csv")
result = {
    "schema": 2,
    "part": part,
    "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    "command": "tools/gpu_check.sh",
    "device": before.get("name"),
    "driver": before.get("driver"),
    "gpu_before": before,
    "gpu_after": gpu_state(logs / "gpu_after.csv"),
    "commit": source.get("commit"),
    "kernel_sources": source.get("kernel_sources"),
    "modified": source.get("modified"),
    "folder_is_of_this_checkout": (built["kernel_sources"] == here["kernel_sources"]
                                   if built and here.get("kernel_sources") else None),
    "stages": stages,
    "tests": test_summary(read_json(logs / "tests.json")),
    "ceilings": ceilings,
    "goals": goals,
    "bench": bench,
}
device = re.sub(r"[^A-Za-z0-9]+", "-", str(result["device"])).strip("-").lower()
suffix = "" if part == "all" else f"-{part}"
path = target / f"gpu_check-{device}-{(result['commit'] or 'unknown')[:8]}{suffix}.json"
path.write_text(json.dumps(result, indent=1) + "\n")
print(f"wrote {path}")


def record(into):
    """A line for each measurement, and one for each part of this check. Ceilings are those of the kernels' own run."""
    head = {"machine": machine or device, "commit": result["commit"] or "unknown", "date": result["date"][:10],
            "driver": result["driver"], "kernel_sources": result["kernel_sources"], "modified": result["modified"]}
    head = {name: value for name, value in head.items() if value}
    reports = [made | head | ({} if name in ("cpu", first) else {"ceilings": []}) for name, made in bench.items() if made]
    known = reports[0] if reports else {"instruction_set": "unknown", "threads": os.cpu_count()}
    lines = []
    for case in ("tests", "bench"):
        if part in (case, "all"):
            own = {stage["name"]: {"status": stage["status"], "seconds": stage["seconds"]} for stage in stages
                   if stage["name"] == "build" or stage["name"].startswith("bench_") == (case == "bench")}
            tests = {"tests": result["tests"]} if case == "tests" else {}
            lines.append({"benchmark": "gpu_check", "case": case, **tests, "stages": own, "gpu_before": before,
                          "gpu_after": result["gpu_after"], **head, "device": f"cuda: {result['device']}",
                          "instruction_set": known["instruction_set"], "threads": known["threads"],
                          "command": f"tools/gpu_check.sh --part {case}"})
    fresh = logs / "lines"
    fresh.mkdir()
    for number, report in enumerate(reports):
        (fresh / f"{number}.json").write_text(json.dumps(report, indent=1))
    (fresh / "check.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return subprocess.run([folder / "optgap", "bench", "merge", into, *sorted(fresh.iterdir()), "--quiet"]).returncode


bad = [stage["name"] for stage in stages if stage["status"] in ("failed", "timed_out")]
if result["tests"] and (result["tests"]["failed"] or result["tests"]["skipped"]):
    print("tests not passed:", *result["tests"]["failed"], *result["tests"]["skipped"])
    bad.append("tests")
for goal in goals or []:
    print(f"{goal['goal']:22} {goal['verdict']:12} {'' if goal['value'] is None else format(goal['value'], '.4g')} "
          f"{goal['note']}")
if results and record(results) != 0:
    bad.append("results")
print("gpu_check:", "all stages passed" if not bad else "not passed: " + " ".join(dict.fromkeys(bad)))
sys.exit(1 if bad else 0)
PYTHON
code=$?
if [[ -n ${OUT:-} ]]; then
    cat "$logs"/*.err "$logs"/*check.out 2>/dev/null >"$OUT/gpu_check.log"
    cp "$logs/tests.json" "$OUT/" 2>/dev/null
fi
exit "$code"
