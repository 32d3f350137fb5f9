"""Everything that needs a GPU: tests over the real runtime, sanitizers, benchmarks, counters of hot kernels.

Each stage has a limit, and its results are on disk as soon as they are found: a line for each stage in stages.jsonl, a
line for each measurement in gpu.jsonl (docs/performance.md). A machine that is taken away loses only the current row.
Changes no GPU setting.

Exit codes: 0 all stages passed; 1 one did not; 2 bad usage; 3 no GPU.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import provenance  # noqa: E402
import report  # noqa: E402
import runs  # noqa: E402
import stages  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = """examples:
  tools/gpu_check.sh                                        what is built here, everything, some minutes
  tools/gpu_check.sh --folder build/device/folder.tar.xz --part tests,kernels,calls
  tools/gpu_check.sh --quick                                a minute or two, nothing is kept in the results
"""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="tools/gpu_check.sh",
        description=(__doc__ or "").split("\n")[0],
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--folder",
        help="of the build target device_folder, or packed (folder.tar.xz); default: "
        "build/device/folder, then build/device, then a build with this machine's nvcc and cmake",
    )
    parser.add_argument("--part", default=",".join(stages.PARTS), help="some of %(default)s, with commas")
    parser.add_argument("--machine", help="as people call this machine, in the results; default: its GPU's name")
    parser.add_argument("--quick", action="store_true", help="few stages, and nothing goes into the results")
    parser.add_argument(
        "--provenance", action="store_true", help="print what a device folder keeps of its sources, and end"
    )
    given = parser.parse_args()
    given.part = given.part.split(",")
    for part in given.part:
        if part not in stages.PARTS:
            parser.error(f"no part '{part}'; expected some of {', '.join(stages.PARTS)}")
    return given


def has_gpu() -> str:
    """The reason for having no GPU; empty where there is one."""
    if shutil.which("nvidia-smi") is None:
        return "nvidia-smi is not installed"
    listed = subprocess.run(["nvidia-smi", "--list-gpus"], capture_output=True, text=True, check=False)
    return (
        ""
        if listed.returncode == 0 and "GPU" in listed.stdout
        else f"nvidia-smi: {listed.stdout.strip() or 'no answer'}"
    )


def holds_programs(folder: pathlib.Path) -> bool:
    return all(os.access(folder / name, os.X_OK) for name in ("optgap", "optgap_cuda_tests"))


def unpacked(path: pathlib.Path, to: pathlib.Path) -> pathlib.Path:
    """The folder itself, or its packed content."""
    if path.is_dir():
        return path
    with tarfile.open(path) as packed:
        packed.extractall(to / "folder", filter="data")
    return to / "folder"


def find_folder(named: str | None, logs: pathlib.Path) -> pathlib.Path | None:
    """The folder of the programs; None: they have to be built. Exits with code 2 where the named one has none."""
    if named is not None:
        path = pathlib.Path(named)
        folder = unpacked(path, logs) if path.exists() else path
        if not holds_programs(folder):
            print(f"gpu_check: {named} holds no optgap and optgap_cuda_tests", file=sys.stderr)
            sys.exit(2)
        return folder
    return next((f for f in (ROOT / "build/device/folder", ROOT / "build/device") if holds_programs(f)), None)


def main() -> int:
    given = arguments()
    if given.provenance:
        print(provenance.text(ROOT))
        return 0
    os.environ["PATH"] += ":/usr/local/cuda/bin:/usr/local/nvidia/bin"
    if why := has_gpu():
        print(f"gpu_check: no GPU on this machine ({why}); nothing was checked", file=sys.stderr)
        return 3
    out = pathlib.Path(os.environ.get("OUT") or ROOT / "build/gpu_check")
    logs = ROOT / "build/gpu_check/logs"
    shutil.rmtree(logs, ignore_errors=True)
    logs.mkdir(parents=True)
    out.mkdir(parents=True, exist_ok=True)
    folder = find_folder(given.folder, logs)
    check = runs.Check(ROOT, folder, out, logs, given.machine)
    if folder is None and not check.build():
        return report.finish(check, given)
    for stage in stages.STAGES:
        if stage.part in (*given.part, stages.ALWAYS) and (stage.quick or not given.quick):
            check.run(stage)
    return report.finish(check, given)


if __name__ == "__main__":
    sys.exit(main())
