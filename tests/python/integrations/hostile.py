"""Texts and other things that no trainer should hand over, and that must become rows."""

HOSTILE = [
    "",
    "<think>",
    "<answer>" * 1000,
    "<think>x</think><answer>[" + "[" * 10_000,
    "<think>x</think><answer>[99999999999999999999]</answer>",
    "<think>x</think><answer>[0, -1, 2147483647]</answer>",
    "\ud800 lone surrogate",
    "\0\x01\xff",
    "<think>１</think><answer>［１］</answer>",
    b"\xff\xfe<think>x</think><answer>[0]</answer>",
    None,
    17,
    ["a", "list"],
]
