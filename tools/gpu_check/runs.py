"""Runs stages as processes, each within its limit. A stage's line is written as it ends."""

from __future__ import annotations

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import provenance
import stages

STATE = (
    "name",
    "driver",
    "clock_sm_mhz",
    "clock_memory_mhz",
    "clock_sm_max_mhz",
    "clock_memory_max_mhz",
    "temperature_c",
    "power_w",
)
QUERY = "name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem,temperature.gpu,power.draw"
UNAVAILABLE = re.compile("Device not supported|LibraryNotLoaded|Unable to find|ERR_NVGPUCTRPERM")
TIMED_OUT = 124  #: as timeout(1) ends
TAIL_LINES = 40


def gpu_state() -> dict[str, object]:
    """The GPU's clocks, temperature and power; None for a value that the driver does not report."""
    asked = ["nvidia-smi", f"--query-gpu={QUERY}", "--format=csv,noheader,nounits"]
    said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip().splitlines()
    values = [field.strip() for field in said[0].split(",")] if said else []
    if len(values) != len(STATE):
        return {"unreadable": "\n".join(said)}
    state: dict[str, object] = {}
    for name, value in zip(STATE, values, strict=True):
        try:
            state[name] = value if name in ("name", "driver") else float(value)
        except ValueError:
            state[name] = None
    return state


def tests_of(log: str, asked_for: pathlib.Path) -> dict[str, object] | None:
    """The tests that a GoogleTest program ran: from its JSON, or, where it was ended early, from the lines it had
    printed."""
    run: set[str] = set()
    failed, skipped = set(), set()
    if asked_for.exists():
        for suite in json.loads(asked_for.read_text()).get("testsuites", []):
            for case in suite.get("testsuite", []):
                name = f"{suite['name']}.{case['name']}"
                run.add(name)
                if case.get("failures"):
                    failed.add(name)
                elif case.get("result") == "SKIPPED":
                    skipped.add(name)
    else:
        for word, name in re.findall(r"^\[ +(OK|FAILED|SKIPPED) +\] (\w+\.\w+)", log, re.MULTILINE):
            run.add(name)
            failed |= {name} if word == "FAILED" else set()
            skipped |= {name} if word == "SKIPPED" else set()
    return {"run": len(run), "failed": sorted(failed), "skipped": sorted(skipped)} if run else None


class Check:
    def __init__(
        self,
        root: pathlib.Path,
        folder: pathlib.Path | None,
        out: pathlib.Path,
        logs: pathlib.Path,
        machine: str | None,
    ) -> None:
        self.root, self.folder, self.out, self.logs = root, folder, out, logs
        self.results = out / "gpu.jsonl"
        self.results.unlink(missing_ok=True)  # results of an earlier check do not belong to this one
        self.before = gpu_state()
        self.machine = machine or re.sub(r"[^a-z0-9]+", "-", str(self.before.get("name", "gpu")).lower()).strip("-")
        self.built = provenance.of_folder(folder, root)
        self.ended: list[dict[str, object]] = []
        (out / "stages.jsonl").write_text("", encoding="utf-8")
        self.tasks: list[str] = []

    def build(self) -> bool:
        """Builds with this machine's tools. Returns whether there are programs now."""
        jobs = str(os.cpu_count() or 1)
        command = (f"cmake --preset device && cmake --build build/device -j {jobs} --target optgap optgap_cuda_tests",)
        self.run(stages.Stage("build", "tests", 420, ("bash", "-c", *command)))
        self.folder = self.root / "build/device"
        return self.ended[-1]["status"] == "passed"

    def environment(self) -> dict[str, str]:
        assert self.folder is not None
        own = dict(os.environ, OPTGAP_REQUIRE="cuda", PYTHONUNBUFFERED="1")
        if (self.folder / "lib").is_dir():
            own["LD_LIBRARY_PATH"] = f"{self.folder / 'lib'}:{own.get('LD_LIBRARY_PATH', '')}"
        if (self.folder / "package").is_dir():
            own["PYTHONPATH"] = f"{self.folder / 'package'}:{own.get('PYTHONPATH', '')}"
        return own

    def words(self, stage: stages.Stage, task: str) -> list[str]:
        assert self.folder is not None
        known = {
            "optgap": self.folder / "optgap",
            "tests": self.folder / "optgap_cuda_tests",
            "task": task,
            "python": sys.executable,
            "results": self.results,
            "logs": self.logs,
        }
        words = [word.format(**known) for word in stage.command]
        if "--record" in words:
            words += ["--machine", self.machine, "--commit", str(self.built["commit"] or "unknown")]
        return words

    def process(self, stage: stages.Stage, task: str, limit: float) -> tuple[int, str]:
        """Exit code, TIMED_OUT where it did not end in time, and the text of its log."""
        log = self.logs / (f"{stage.name}_{task}.log" if task else f"{stage.name}.log")
        environment = self.environment() if self.folder else None
        with log.open("wb") as to:
            running = subprocess.Popen(
                self.words(stage, task) if self.folder else stage.command,
                stdout=to,
                stderr=subprocess.STDOUT,
                cwd=self.root,
                env=environment,
                start_new_session=True,
            )
            try:
                code = running.wait(timeout=max(limit, 0.1))
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGKILL)
                running.wait()
                code = TIMED_OUT
        return code, log.read_text(encoding="utf-8", errors="replace")

    def run(self, stage: stages.Stage) -> None:
        begin = time.monotonic()
        line: dict[str, object] = {"stage": stage.name}
        if stage.tool and shutil.which(stage.tool) is None:
            line["status"] = "unavailable"
        elif stage.each_task:
            line |= self.over_tasks(stage, begin)
        else:
            code, log = self.process(stage, "", stage.limit)
            line["status"] = self.status_of(stage, code, log)
            if stage.name == "tests":
                line["tests"] = found = tests_of(log, self.logs / "tests.json")
                if line["status"] == "passed" and (found is None or found["failed"] or found["skipped"]):
                    line["status"] = "failed"  # it exited with 0, but no test ran, or some were left out
            if line["status"] not in ("passed", "unmet", "unavailable"):
                line["tail"] = log.splitlines()[-TAIL_LINES:]
        line["seconds"] = round(time.monotonic() - begin, 2)
        self.note(line)

    def note(self, line: dict[str, object]) -> None:
        self.ended.append(line)
        with (self.out / "stages.jsonl").open("a", encoding="utf-8") as to:
            to.write(json.dumps(line) + "\n")
        more = "".join(f", {name}: {line[name]}" for name in ("unfinished", "failed_tasks") if line.get(name))
        print(f"{line['stage']:22} {line['status']:12} {line['seconds']:8.2f} s{more}", flush=True)
        for text in line.get("tail", []):  # type: ignore[attr-defined]
            print("   ", text, flush=True)

    def status_of(self, stage: stages.Stage, code: int, log: str) -> str:
        if UNAVAILABLE.search(log):
            return "unavailable"
        if code == TIMED_OUT:
            return "timed_out"
        if code == 1 and stage.name == "goals":
            return "unmet"  # an unmet goal is no fault of the check
        if code != 0:
            return "failed"
        recorded = "--record" in stage.command
        return "failed" if recorded and not self.results.exists() else "passed"

    def over_tasks(self, stage: stages.Stage, begin: float) -> dict[str, object]:
        """Runs one process per task. A task's process may take what is left of the limit, or three of its equal
        shares."""
        if not self.tasks:
            listed = subprocess.run(
                [str(self.folder / "optgap"), "tasks", "--json", "--device", "cpu"],  # type: ignore[operator]
                capture_output=True,
                text=True,
                check=True,
            )
            self.tasks = [task["name"] for task in json.loads(listed.stdout)]
        share = 3 * stage.limit * stage.beside / len(self.tasks)

        def one(task: str) -> tuple[str, str, list[str]]:
            left = stage.limit - (time.monotonic() - begin)
            if left <= 0:
                return task, "timed_out", []
            code, log = self.process(stage, task, min(left, max(share, 5)))
            return task, self.status_of(stage, code, log), log.splitlines()[-TAIL_LINES // 4 :]

        with concurrent.futures.ThreadPoolExecutor(stage.beside) as pool:
            found = list(pool.map(one, self.tasks))
        bad = [task for task, status, _ in found if status == "failed"]
        late = [task for task, status, _ in found if status == "timed_out"]
        away = [task for task, status, _ in found if status == "unavailable"]
        status = "failed" if bad else "timed_out" if late else "unavailable" if away else "passed"
        tail = [f"{task}: {text}" for task, how, log in found if how == "failed" for text in log]
        return {"status": status, "tasks": len(found), "failed_tasks": bad, "unfinished": late} | (
            {"tail": tail[:TAIL_LINES]} if tail else {}
        )
