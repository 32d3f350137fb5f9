"""The report for people: a description of its page, which optgap.measure.report writes as HTML and Markdown."""

from __future__ import annotations

from typing import Any

from . import published

Row = dict[str, Any]

_WHOLE = "all tasks"


def described(report: Row) -> Row:
    """The page of a report that `report.made` made."""
    settings, whole = report["settings"], report["all"]
    lead = (
        f"{settings['model']}: {_percent(whole['sr'])} of {whole['rollouts']} answers to {whole['instances']} "
        f"instances are feasible, their mean quality against the best known objective is {_percent(whole['qr'])} (0 "
        "where infeasible), "
        f"{_percent(whole['optimal'])} are proven optimal."
    )
    sections = [_rates(report), _samples(report), _endings(report), _lengths(report)]
    if len(report["levels"]) > len(report["tasks"]):
        sections.insert(1, _levels(report))
    if report["twins"] is not None:
        sections.append(_twins(report["twins"]))
    if report["tasks"].keys() >= published.TASKS and {row["level"] for row in report["levels"]} == {"benchmark"}:
        sections.append(_published())
    return {
        "title": f"optgap bench-model: {settings['model']}",
        "lead": lead,
        "facts": _facts(report),
        "sections": sections,
        "command": settings["command"],
    }


def _facts(report: Row) -> list[list[str]]:
    settings = report["settings"]
    served = ", ".join(f"{name or 'not said'} ({count})" for name, count in report["models"].items())
    return [
        *settings_facts(settings),
        ["model that answered", served],
        ["fingerprint", report["fingerprint"]],
    ]


def settings_facts(settings: Row) -> list[list[str]]:
    """Each setting that says something, as a fact of a page."""
    shown = {name: value for name, value in settings.items() if name != "command" and value not in (None, {})}
    words = {name: ", ".join(value) if isinstance(value, list) else str(value) for name, value in shown.items()}
    return [[name.replace("_", " "), text] for name, text in words.items()]


def _rates(report: Row) -> Row:
    cells = [*report["tasks"].items(), (_WHOLE, report["all"])]
    shown = [*cells, *((f"category: {name}", cell) for name, cell in report["categories"].items())]
    for label, roll_up in (("class", report["classes"]), ("family", report["families"])):
        if len(roll_up) > 1:
            shown += [(f"{label}: {name}", cell) for name, cell in roll_up.items()]
    shown += [(f"suite: {cell['suite']} ({cell['training']})", cell) for cell in report["suites"]]
    columns = ["SR %", "QR %", "norm. QR %", "optimal %"]
    names = ["sr", "qr", "normalized", "optimal"]
    table = {
        "columns": [
            {"name": "task"},
            {"name": "rollouts", "align": "right"},
            *(
                {"name": name, "align": "right", "note": note}
                for name, note in zip(
                    columns,
                    (
                        "feasible answers",
                        "mean quality, 0 where infeasible",
                        "mean quality between a constant policy (0) and the best known (100)",
                        "proven optimal",
                    ),
                )  # fmt: skip
            ),
            {"name": "constant QR %", "align": "right", "note": "anchor: a constant policy"},
            {"name": "greedy QR %", "align": "right", "note": "anchor: one greedy pass"},
            {"name": "failed", "align": "right", "note": "requests without an answer, in no rate"},
        ],
        "rows": [
            [
                name,
                cell["rollouts"],
                *(_with_interval(cell, rate) for rate in names),
                _points(cell["anchors"]["floor"]["qr"]),
                _points(cell["anchors"]["greedy"]["qr"]),
                cell["errors"],
            ]
            for name, cell in shown
        ],
    }
    chart = {
        "kind": "bars",
        "title": "Quality beside the anchors",
        "x": {"label": "task"},
        "y": {"label": "QR %"},
        "series": [
            {"name": "model", "points": [_bar(name, cell) for name, cell in cells if cell["qr"] is not None]},
            *(
                {
                    "name": label,
                    "points": [
                        [name, _points(cell["anchors"][anchor]["qr"])]
                        for name, cell in cells
                        if cell["anchors"][anchor]["qr"] is not None
                    ],
                }
                for anchor, label in (("floor", "constant policy"), ("greedy", "greedy"))
            ),
        ],
    }
    text = "[low, high]: 95 % bootstrap interval over instances."
    return {"heading": "Rates", "text": text, "table": table, "charts": [chart]}


def _levels(report: Row) -> Row:
    rows = [
        [
            cell["task"],
            cell["level"],
            cell["rollouts"],
            *(_with_interval(cell, rate) for rate in ("sr", "qr", "optimal")),
        ]
        for cell in report["levels"]
    ]
    columns = [{"name": "task"}, {"name": "level"}, *_right("rollouts", "SR %", "QR %", "optimal %")]
    return {"heading": "Levels", "table": {"columns": columns, "rows": rows, "filter": 0}}


def _samples(report: Row) -> Row:
    rows = [
        [name, of["k"], *(_with_interval(of, rate) for rate in ("pass_feasible", "pass_optimal", "best"))]
        for name, cell in [*report["tasks"].items(), (_WHOLE, report["all"])]
        for of in cell["at"]
    ]
    columns = [{"name": "task"}, *_right("k", "pass@k feasible %", "pass@k optimal %", "best-of-k quality %")]
    text = (
        "The chance that one of k answers is feasible, or proven optimal (the unbiased estimator of Chen et al. 2021), "
        "and the expected best quality of k; over instances with at least k answers."
    )
    return {"heading": "Several answers", "text": text, "table": {"columns": columns, "rows": rows, "filter": 0}}


def _endings(report: Row) -> Row:
    cells = [*report["tasks"].items(), (_WHOLE, report["all"])]
    rows = [
        [
            name,
            cell["rollouts"],
            _share(cell["truncated"], cell["rollouts"]),
            _share(cell["format_broken"], cell["rollouts"]),
            ", ".join(
                f"{code} {count}" for code, count in sorted(cell["codes"].items(), key=lambda one: (-one[1], one[0]))
            ),
        ]
        for name, cell in cells
    ]
    columns = [{"name": "task"}, *_right("rollouts", "cut off %", "format broken %"), {"name": "codes"}]
    return {"heading": "How answers end", "table": {"columns": columns, "rows": rows}}


def _lengths(report: Row) -> Row:
    unit, width = report["lengths"]["unit"], report["lengths"]["width"]
    bins = report["quality_by_tokens"]
    cells = [*report["tasks"].items(), (_WHOLE, report["all"])]
    quality = {
        "kind": "lines",
        "title": "Quality against length",
        "x": {"label": unit, "log": True},
        "y": {"label": "%"},
        "series": [
            {"name": label, "points": [[max(1, one["from"]), _points(one[rate]), *_ends(one, rate)] for one in bins]}
            for rate, label in (("qr", "QR"), ("sr", "SR"))
        ],
    }
    histogram = {
        "kind": "histogram",
        "title": "Lengths of answers",
        "x": {"label": unit},
        "y": {"label": "rollouts"},
        "series": [
            {
                "name": "rollouts",
                "points": [[place * width, count] for place, count in enumerate(report["lengths"]["counts"])],
            }
        ],
    }
    rows = [[name, cell["tokens_mean"], cell["tokens_median"], cell["chars_median"]] for name, cell in cells]
    columns = [{"name": "task"}, *_right("mean tokens", "median tokens", "median characters")]
    return {
        "heading": "Lengths",
        "text": "Reasoning included. Each point of the curves covers lengths up to twice its own.",
        "table": {"columns": columns, "rows": rows},
        "charts": [quality, histogram],
    }


def _twins(twins: Row) -> Row:
    rows = [
        [
            _WHOLE if name == "all" else name,
            cell["pairs"],
            *(_change(cell[rate]) for rate in ("sr", "qr", "optimal") if rate in cell),
        ]
        for name, cell in twins.items()
    ]
    columns = [{"name": "task"}, *_right("pairs", "SR, points", "QR, points", "optimal, points")]
    text = (
        "The same instances with their elements renumbered: what a solver cannot notice. Rate on the twins less the "
        "rate on their originals, instance by instance, with 95 % intervals; below 0 the model did better on the first "
        "numbering."
    )
    return {"heading": "Relabelled twins", "text": text, "table": {"columns": columns, "rows": rows}}


def _published() -> Row:
    rows = [[name, _points(sr), _points(qr)] for name, sr, qr in published.RATES]
    columns = [{"name": "model"}, *_right("SR %", "QR %, to a heuristic")]
    heading = f"Published figures ({published.SOURCE})"
    return {"heading": heading, "text": published.REMARK, "table": {"columns": columns, "rows": rows}}


def _right(*names: str) -> list[Row]:
    return [{"name": name, "align": "right"} for name in names]


def _points(value: float | None) -> float | None:
    return None if value is None else round(100 * value, 2)


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def _share(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None


def _ends(cell: Row, rate: str) -> list[float]:
    ends = cell["intervals"][rate]
    return [] if ends is None else [round(100 * end, 2) for end in ends]


def _bar(name: str, cell: Row) -> list[Any]:
    return [name, _points(cell["qr"]), *_ends(cell, "qr")]


def _with_interval(cell: Row, rate: str) -> str | None:
    if cell[rate] is None:
        return None
    low, high = cell["intervals"][rate]
    return f"{100 * cell[rate]:.1f} [{100 * low:.1f}, {100 * high:.1f}]"


def _change(of: Row) -> str | None:
    if of["change"] is None:
        return None
    low, high = of["interval"]
    return f"{100 * of['change']:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]"
