"""tests/compile/sass_loops.py on machine code that was written for it."""

import importlib.util
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("sass_loops", ROOT / "tests" / "compile" / "sass_loops.py")
assert spec is not None and spec.loader is not None
sass_loops = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sass_loops)


def loops(*lines):
    text = "\n".join(f"        /*{16 * k:04x}*/  {line} ;" for k, line in enumerate(lines))
    return sass_loops.innermost(sass_loops.instructions(text))


def test_the_inner_of_two_loops_is_counted():
    assert loops(
        "MOV R1, R2",
        "LD.E R3, desc[UR4][R4.64]",  # 0x10: the outer one's head
        "LDL R5, [R1]",  # 0x20: the inner one's
        "@!P0 BRA 0x20",
        "@P1 BRA 0x10",
        "EXIT",
        "BRA 0x60",
    ) == [["LDL", "BRA"]]


def test_a_branch_back_from_code_out_of_the_way_is_no_loop():
    assert (
        loops(
            "BRA.DIV UR4, 0x40",
            "MOV R1, R2",  # 0x10
            "STS [R1], R2",
            "EXIT",
            "SHFL.IDX PT, R1, R2, R3, R4",  # 0x40: what diverged
            "BRA 0x10",
        )
        == []
    )


def test_a_loop_of_a_called_function_is_one():
    assert loops(
        "CALL.REL.NOINC 0x30",
        "EXIT",
        "BRA 0x20",
        "IADD3 R1, R1, 0x1, RZ",  # 0x30
        "@P0 BRA 0x30",
        "RET.REL.NODEC R2 0x0",
    ) == [["IADD3", "BRA"]]


def test_a_loop_with_a_branch_inside_has_both_arms():
    assert loops(
        "@P0 BRA 0x30",  # the head
        "LDS R1, [R2]",
        "BRA 0x40",
        "LDG.E R1, [R2]",  # 0x30
        "@P1 BRA 0x0",
        "EXIT",
    ) == [["BRA", "LDS", "BRA", "LDG.E", "BRA"]]
