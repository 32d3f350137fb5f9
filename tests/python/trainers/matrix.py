#!/usr/bin/env python3
"""Which versions of the trainers work, by a few tests each over the one environment of tools/trainers_setup.sh.

    tests/python/trainers/matrix.py --all [TRAINER]   tries the versions of requirements.txt and older_requirements.txt
                                                      (of one trainer: the rest stays as it was), and writes matrix.json
                                                      and the table of docs/trainers.md
    tests/python/trainers/matrix.py --oldest          tries the oldest that worked in the last --all; exit code 1 if one
                                                      fails

An older version lies in a folder of its own, without its requirements, in front of the environment's packages.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
VENV = ROOT / "build/venv-trainers"
FOLDERS = ROOT / "build/trainers-older"
TESTS = ROOT / "tests/python/trainers"
RESULTS = TESTS / "matrix.json"
PAGE = ROOT / "docs/trainers.md"
PINNED, OLDER = (ROOT / "tests/python/integrations" / name for name in ("requirements.txt", "older_requirements.txt"))
BEGIN, END = "<!-- tools/trainers_test.sh --matrix writes from here -->", "<!-- to here -->"

NAMES = {"verl": "verl", "trl": "TRL", "openrlhf": "OpenRLHF"}
SMOKE = {"verl": ["smoke_verl.py"], "trl": ["smoke_trl.py"], "openrlhf": ["openrlhf_calls_test.py"]}
MORE = {"trl": ["four_ranks_test.py"]}
"""With --all alone."""
LIMIT_S = 600
BESIDE = ("torch", "transformers")
QUIET = {"HF_HUB_OFFLINE": "1", "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(ROOT / "build/pycache"),
         "TOKENIZERS_PARALLELISM": "false", "CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1"}  # fmt: skip


def versions(path):
    """(package, version) of a list of requirements."""
    return re.findall(r"^([A-Za-z0-9_-]+)==(\S+)$", path.read_text(encoding="utf-8"), re.MULTILINE)


def listed():
    """(trainer, version) that --all tries: of each trainer the pinned one, then older ones."""
    given = versions(PINNED) + versions(OLDER)
    return [(trainer, version) for trainer in NAMES for name, version in given if name == trainer]


def oldest(results):
    """Of each trainer the last version that worked."""
    return {row["trainer"]: row["version"] for row in results["versions"] if row["result"] == "works"}


def environment(trainer, version):
    """Variables under which Python finds this version."""
    if (trainer, version) in versions(PINNED):
        return {**os.environ, **QUIET}
    folder = FOLDERS / f"{trainer}-{version}"
    if not folder.exists():
        unready = folder.with_suffix(".part")
        install = [
            "pip",
            "install",
            "--quiet",
            "--no-cache",
            "--no-deps",
            "--python",
            VENV / "bin/python",
            "--target",
            unready,
        ]
        subprocess.run([VENV / "bin/uv", *install, f"{trainer}=={version}"], check=True)
        unready.rename(folder)
    return {**os.environ, **QUIET, "PYTHONPATH": str(folder)}


def tried(trainer, version, tests):
    """(works | fails | untested, why, output). Untested: what the tests import is not there or finds none of its own."""
    command = [VENV / "bin/python", "-m", "pytest", "-q", "--tb=short", "-W", "ignore", "-p", "no:cacheprovider"]
    try:
        done = subprocess.run([*command, *(TESTS / name for name in tests)], cwd=ROOT, capture_output=True, text=True,
                              env=environment(trainer, version), timeout=LIMIT_S, check=False)  # fmt: skip
    except subprocess.TimeoutExpired:
        return "fails", f"did not end in {LIMIT_S} s", ""
    said = done.stdout + done.stderr
    if done.returncode == 0 and " skipped" not in said:
        return "works", "", said
    missing = re.findall(
        r"^E +(?:\w*Error: )?.*?(No module named '[\w.]+'|cannot import name '\w+')", said, re.MULTILINE
    )
    if done.returncode == 2 and missing:
        return "untested", missing[-1], said
    return "fails", next(iter(re.findall(r"^FAILED \S+::(\w+)", said, re.MULTILINE)), "see the log"), said


def table(results):
    """What stands in docs/trainers.md."""
    beside = " and ".join(f"{name} {version}" for name, version in results["beside"].items())
    lines = [f"| trainer | version | with {beside} | in every `tools/trainers_test.sh` |", "|---|---|---|---|"]
    last = oldest(results)
    pinned = set()
    for row in results["versions"]:
        trainer, version, what = row["trainer"], row["version"], row["result"]
        ran = "all tests" if trainer not in pinned else "a few tests" if version == last.get(trainer) else ""
        pinned.add(trainer)
        why = f": {row['why']}" if row["why"] else ""
        lines.append(f"| {NAMES[trainer]} | {version} | {what}{why} | {ran} |")
    lines.append("| slime | its repository, November 2026 | works, by harness: PyPI has no slime | all tests |")
    return "\n".join(lines)


def with_table(page, results):
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n{table(results)}\n{rest[rest.index(END) :]}"


def run_all(only):
    FOLDERS.mkdir(parents=True, exist_ok=True)
    kept = json.loads(RESULTS.read_text(encoding="utf-8"))["versions"] if only else []
    rows = [row for row in kept if row["trainer"] != only]
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("OPTGAP_JOBS", "2"))) as pool:
        found = [(each, pool.submit(tried, *each, SMOKE[each[0]] + MORE.get(each[0], [])))
                 for each in listed() if only in (None, each[0])]  # fmt: skip
        for (trainer, version), ended in found:
            result, why, said = ended.result()
            print(f"{trainer} {version}: {result}{': ' if why else ''}{why}", flush=True)
            if result == "fails":
                print(said[-4000:], file=sys.stderr)
            rows.append({"trainer": trainer, "version": version, "result": result, "why": why})
    rows.sort(key=lambda row: listed().index((row["trainer"], row["version"])))
    beside = {name: version for name, version in versions(PINNED) if name in BESIDE}
    results = {"date": datetime.date.today().isoformat(), "beside": beside, "versions": rows}
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), results), encoding="utf-8")
    pinned = versions(PINNED)
    return int(any(row["result"] == "fails" for row in rows if (row["trainer"], row["version"]) in pinned))


def run_oldest():
    FOLDERS.mkdir(parents=True, exist_ok=True)
    wanted = oldest(json.loads(RESULTS.read_text(encoding="utf-8")))
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("OPTGAP_JOBS", "2"))) as pool:
        ended = pool.map(lambda each: tried(*each, SMOKE[each[0]]), wanted.items())
        results = list(zip(wanted.items(), ended))
    for (trainer, version), (result, why, said) in results:
        print(f"{trainer} {version}: {result}{': ' if why else ''}{why}")
        if result != "works":
            print(said[-4000:], file=sys.stderr)
    return int(any(result != "works" for _, (result, _, _) in results))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--all", nargs="?", const="", choices=["", *NAMES], metavar="TRAINER")
    which.add_argument("--oldest", action="store_true")
    given = parser.parse_args()
    sys.exit(run_oldest() if given.oldest else run_all(given.all or None))
