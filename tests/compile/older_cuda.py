#!/usr/bin/env python3
"""Compiles tasks' kernels with CUDA 12.9's own compiler, for drivers from 525 on, on machines that have no nvcc of CUDA 12.

    older_cuda.py TOOLKIT_INCLUDE               every fourth task, for sm_90 (15 s); --all: every task, for sm_80 too
    older_cuda.py TOOLKIT_INCLUDE clique tsp    these

NVRTC is nvcc's front end and ptxas in one library, a wheel on PyPI. It compiles only device code: launches, the reward
kernels (CUB) and host code are not tried. The standard library's headers are libcu++'s. Exit code 77 where PyPI cannot
be reached, unless OPTGAP_REQUIRE=oracle.
"""

import ctypes
import os
import pathlib
import shutil
import subprocess
import sys
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOME = ROOT / "build" / "cuda12"
WHEELS = {
    "nvidia-cuda-nvrtc-cu12": "12.9.86",
    "nvidia-cuda-runtime-cu12": "12.9.79",
    "nvidia-cuda-cccl-cu12": "12.9.27",
}

FROM_LIBCUXX = (
    "array bit cassert climits cmath compare cstddef cstdint functional initializer_list iterator limits "
    "numeric optional span tuple type_traits utility"
).split()
# Stand-ins for the parts of task code that only the host uses: enough for declarations.
OF_THE_HOST = {
    "algorithm": "#include <cstdint>\n#include <initializer_list>\n#include <utility>\nnamespace std {\n"
    "template <class T> constexpr T const& min(T const& a, T const& b) { return b < a ? b : a; }\n"
    "template <class T> constexpr T const& max(T const& a, T const& b) { return a < b ? b : a; }\n"
    "template <class T> T min(initializer_list<T>);\ntemplate <class T> T max(initializer_list<T>);\n"
    + "".join(
        f"template <class T, class... More> T {name}(T, More const&...);\n"
        for name in (
            "copy copy_n fill fill_n find find_if lower_bound max_element min_element nth_element partial_sort remove "
            "remove_if reverse rotate sort stable_sort swap_ranges transform unique upper_bound"
        ).split()
    )
    + "".join(
        f"template <class T, class... More> bool {name}(T, More const&...);\n"
        for name in ("all_of any_of binary_search equal is_sorted next_permutation none_of").split()
    )
    + "}",
    "cstring": "namespace std { using ::memcpy; using ::memset; int memcmp(void const*, void const*, decltype(sizeof 1)); }",
    "string_view": "namespace std { struct string_view { constexpr string_view() {} constexpr string_view(char const*) {} }; }",
    **dict.fromkeys("cstdlib map memory random set stdexcept string vector".split(), ""),
}
KERNELS = {"generate": "generate", "verify": "verify", "floor": "anchor", "greedy": "anchor", "improve": "improve"}


def fetch():
    """The wheels' folders, unpacked; None where PyPI cannot be reached."""
    mark = HOME / "versions.txt"
    wanted = "\n".join(f"{name}=={version}" for name, version in WHEELS.items())
    if not mark.exists() or mark.read_text() != wanted:
        shutil.rmtree(HOME, ignore_errors=True)
        HOME.mkdir(parents=True)
        print("older_cuda: fetching NVRTC 12.9 (95 MB) into build/cuda12", flush=True)
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "pip",
                "download",
                "--quiet",
                "--disable-pip-version-check",
                "--no-deps",
                "--only-binary",
                ":all:",
                "--dest",
                HOME,
                *wanted.split("\n"),
            ]
        )
        if done.returncode != 0:
            return None
        for wheel in HOME.glob("*.whl"):
            zipfile.ZipFile(wheel).extractall(HOME)
            wheel.unlink()
        mark.write_text(wanted)
    return HOME / "nvidia"


def write_headers(folder, toolkit):
    """The standard headers that kernels include, and cuRAND's Philox, which is one header."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in FROM_LIBCUXX:
        (folder / name).write_text(
            f"#pragma once\n#if __has_include(<cuda/std/{name}>)\n#include <cuda/std/{name}>\n#endif\n"
            "namespace cuda { namespace std {} }\nnamespace std { using namespace cuda::std; }\n"
        )
    for name, text in OF_THE_HOST.items():
        (folder / name).write_text(f"#pragma once\n{text}\n")
    shutil.copy(pathlib.Path(toolkit) / "curand_philox4x32_x.h", folder)


def source_of(task):
    unit = (ROOT / "kernels" / "tasks" / task / f"{task}.cu").read_text()
    light = "OPTGAP_DEFINE_DECLARATIVE_TASK(" in unit
    lines = ['#include "kernels/launch/row_kernels.cuh"']
    lines += [line for line in unit.splitlines() if line.startswith("#include") and "define_task" not in line]
    lines.append(f"OPTGAP_KERNELS_BEGIN\nusing the_task = tasks::{task}::task;")
    for kernel, batch in KERNELS.items():
        if kernel != "improve" or not light:
            places = [""] if kernel == "improve" else [", scratch_in::shared", ", scratch_in::global"]
            lines += (
                f"template __global__ void {kernel}_kernel<the_task{place}>(shared_rows, scratch_space, {batch}_batch);"
                for place in places
            )
    return "\n".join([*lines, "OPTGAP_KERNELS_END\n"])


def compiled(nvrtc, name, source, options):
    """The number of bytes of machine code, and the compiler's messages."""
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), f"{name}.cu".encode(), 0, None, None)
    words = [option.encode() for option in options]
    code = nvrtc.nvrtcCompileProgram(program, len(words), (ctypes.c_char_p * len(words))(*words))
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    size.value = 0
    if code == 0:
        nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size))
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return size.value, log.value.decode()


def main(arguments):
    named = [word for word in arguments[1:] if not word.startswith("-")]
    if not arguments or set(arguments[1:]) - set(named) - {"--all"}:
        sys.exit(__doc__)
    tasks = sorted(
        folder.name for folder in (ROOT / "kernels" / "tasks").iterdir() if (folder / f"{folder.name}.cu").exists()
    )
    everything = "--all" in arguments or os.environ.get("OPTGAP_LONG") == "1"
    packages = fetch()
    if packages is None:
        print("SKIPPED: PyPI cannot be reached, which has CUDA 12.9's compiler")
        return 1 if "oracle" in os.environ.get("OPTGAP_REQUIRE", "").split() else 77
    write_headers(HOME / "headers", arguments[0])
    nvrtc = ctypes.CDLL(str(packages / "cuda_nvrtc" / "lib" / "libnvrtc.so.12"))
    failed = 0
    for task in named or (tasks if everything else tasks[::4]):
        for arch in ("sm_80", "sm_90") if everything else ("sm_90",):
            options = [
                f"--gpu-architecture={arch}",
                "--std=c++20",
                "--device-int128",
                "-default-device",
                "--fmad=false",
                "--diag-suppress=1097",  # gnu::may_alias: this front end does not know g++'s attributes
                "-D__extension__=",
                "-DOPTGAP_ISA=isa_cuda",
                "-DOPTGAP_HAVE_CURAND",
                f"-I{HOME / 'headers'}",
                f"-I{packages / 'cuda_cccl' / 'include'}",
                f"-I{packages / 'cuda_runtime' / 'include'}",
                f"-I{ROOT}",
                f"-I{ROOT / 'include'}",
            ]
            start = time.process_time()
            size, log = compiled(nvrtc, task, source_of(task), options)
            print(f"{task:20} {arch}  {size:8} bytes  {time.process_time() - start:5.1f} s", flush=True)
            if size == 0:
                failed += 1
                print(log[:4000])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
