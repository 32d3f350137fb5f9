"""The CUDA part is a library that is found at run time: what is said when it is missing, not one, or of another build."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from optgap.__main__ import native_program

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = "liboptgap_cuda.so"
BESIDE_CORE = native_program().parents[1] / "lib" / LIBRARY

pytestmark = pytest.mark.skipif(BESIDE_CORE.exists(), reason="SKIPPED: this package was built with its CUDA part")


def why_not(library, **more):
    """What `optgap info` says of CUDA with this OPTGAP_CUDA_LIBRARY."""
    environment = {**os.environ, "OPTGAP_CUDA_LIBRARY": str(library), **more}
    done = subprocess.run([native_program(), "info"], env=environment, capture_output=True, text=True, check=True)
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("cuda")]
    return line.removeprefix("cuda").strip()


def compiled(path, text):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("SKIPPED: no C compiler")
    subprocess.run([compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", path], input=text, text=True, check=True)
    return path


def test_a_missing_library_names_the_package_to_install():
    said = why_not("")
    assert said.startswith("no: cuda: optgap's CUDA part is not installed: pip install optgap-cuda13=="), said


def test_a_named_library_that_is_not_there_is_named(tmp_path):
    assert f"{tmp_path}/none.so: cannot open shared object file" in why_not(tmp_path / "none.so")


def test_a_file_that_is_no_library_is_refused(tmp_path):
    (tmp_path / "text.so").write_text("text\n" * 100)
    assert f"{tmp_path}/text.so: " in why_not(tmp_path / "text.so")


def test_a_library_without_the_entry_is_refused(tmp_path):
    other = compiled(tmp_path / "other.so", "int other(void) { return 1; }\n")
    assert f"{other} is no CUDA part of optgap: it has no optgap_cuda_library" in why_not(other)


def test_a_library_of_another_build_is_refused_by_name(tmp_path):
    other = compiled(
        tmp_path / LIBRARY,
        "static struct { unsigned layout; char const *version, *build; void* make; } const library ="
        ' {1, "9.9.9", "0123456789abcdef", 0};\n'
        "void const* optgap_cuda_library(void) { return &library; }\n",
    )
    said = why_not(other)
    assert f"{other} is of optgap 9.9.9, build 0123456789abcdef, and this is optgap " in said, said
    assert "; pip install optgap-cuda13==" in said


def test_a_library_of_another_layout_is_refused_unread(tmp_path):
    other = compiled(
        tmp_path / LIBRARY,
        "static unsigned const library = 77;\nvoid const* optgap_cuda_library(void) { return &library; }\n",
    )
    assert f"{other} is of another optgap, and this is optgap " in why_not(other)


@pytest.mark.parametrize("package", ["optgap_cuda13", "optgap_cuda12"])
def test_a_package_beside_this_one_is_found_by_program_and_module(tmp_path, package):
    shutil.copytree(native_program().parents[1], tmp_path / "optgap", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / package).mkdir()
    library = tmp_path / package / LIBRARY
    library.write_text("text\n" * 100)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    environment.pop("OPTGAP_CUDA_LIBRARY", None)
    program = [tmp_path / "optgap" / "bin" / "optgap", "info"]
    module = [sys.executable, "-c", "import optgap; print(optgap.__file__, optgap.Engine().device_status())"]
    for command in (program, module):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert f"{library}: " in done.stdout, done.stdout


def test_the_library_of_these_sources_is_taken():
    """Of a build with nvcc; without a GPU it says so itself."""
    built = ROOT / "build" / "cuda" / LIBRARY
    if not built.exists():
        pytest.skip(f"SKIPPED: no {built}")
    said = why_not(built)
    assert said == "yes" or "no NVIDIA driver is installed" in said or "no CUDA device is visible" in said, said


ON_THE_FAKE = """
import optgap


def call(verb, *given, **more):
    try:
        return verb(*given, **more)
    except optgap.Error as fault:  # of the batch before, which was finished on the CPU
        assert fault.status == "device_failed", fault
        return verb(*given, **more)


gpu, cpu = optgap.Engine(device="cuda"), optgap.Engine(device="cpu")
print(gpu)
for here in (gpu, cpu):
    made = call(here.generate, "all", level="easy", count=3, seed=9)
    better = call(here.improve, made, call(here.noisy_greedy, made, 1), steps=50)
    found = call(here.verify, made, better.answers)
    print([column.tobytes().hex() for column in (made.words, better.answers.words, found.objective, found.code)])
print(gpu.device_status()["state"], gpu.device_status()["failed"])
"""


@pytest.mark.parametrize("fault_after, end", [("", "ready 0"), ("1200", "failed 1")])
def test_calls_and_faults_pass_through_the_library(fault_after, end):
    """With the tests' stand-in for the CUDA runtime: the bytes are the CPU's, and a fault moves the call there."""
    fake = ROOT / "build" / "release" / "liboptgap_fake_cuda.so"
    if not fake.exists():
        pytest.skip(f"SKIPPED: no {fake}")
    done = subprocess.run(
        [sys.executable, "-c", ON_THE_FAKE],
        env={**os.environ, "OPTGAP_CUDA_LIBRARY": str(fake), "OPTGAP_FAKE_FAULT_AFTER": fault_after},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    device, ours, theirs, status = done.stdout.splitlines()
    assert ours == theirs and "cuda" in device and status == end
