"""What a run ends with on the terminal: aligned tables."""

from __future__ import annotations

from typing import Any


def rates(made: dict[str, Any]) -> str:
    """Of a report: a row a task, of all, and of each suite."""
    rows = [["task", "rollouts", "SR %", "QR %", "norm. QR %", "optimal %", "greedy QR %", "cut off", "failed"]]
    of_suites = [(f"{cell['suite']} ({cell['training']})", cell) for cell in made["suites"]]
    for name, cell in [*made["tasks"].items(), ("all", made["all"]), *of_suites]:
        shares = [
            "-" if cell[rate] is None else f"{100 * cell[rate]:.1f}" for rate in ("sr", "qr", "normalized", "optimal")
        ]
        anchor = cell["anchors"]["greedy"]["qr"]
        greedy = "-" if anchor is None else f"{100 * anchor:.1f}"
        rows.append([name, str(cell["rollouts"]), *shares, greedy, str(cell["truncated"]), str(cell["errors"])])
    return aligned(rows)


def bands(made: dict[str, Any]) -> str:
    """Of a calibration: a row a task."""
    rows = [["task", *made["bands"], "remark"]]
    for name, of in made["tasks"].items():
        steps = ["-" if band is None else f"d{band[0]}-d{band[1]}" for band in of["bands"].values()]
        rows.append([name, *steps, of["remark"] or "-"])
    return aligned(rows)


def aligned(rows: list[list[str]]) -> str:
    """A table for a terminal: the first row is the head, the first column stands left, all others right."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = [rows[0], ["-" * width for width in widths], *rows[1:]]
    return "".join(
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]) + "\n"
        for row in lines
    )
