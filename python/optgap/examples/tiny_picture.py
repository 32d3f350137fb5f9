"""The curves of train_tiny's runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")


def draw(path: str, runs: Sequence[Mapping[str, Any]], title: str) -> None:
    """Writes a PNG: mean normalised quality of sampled answers on val instances per step, a line a run, and the best
    constant answer. `runs` as in the results of train_tiny."""
    figure = Figure(figsize=(7.2, 3.8), dpi=130, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    constant = sum(run["constant"] for run in runs) / len(runs)
    names = list(dict.fromkeys(run["reward"] for run in runs))
    for run in runs:
        steps, values = zip(*run["curve"])
        colour = _COLOURS[names.index(run["reward"]) % len(_COLOURS)]
        first = run is next(other for other in runs if other["reward"] == run["reward"])
        axes.plot(steps, values, color=colour, alpha=0.8, linewidth=1.6, label=run["reward"] if first else None)
        axes.plot(steps[:1], values[:1], marker="o", markersize=4, color="#444444")
    axes.axhline(constant, color="#444444", linewidth=1.0, linestyle="--")
    axes.annotate("best constant answer", (0.995, constant), xycoords=("axes fraction", "data"), ha="right",
                  va="bottom", fontsize=8, color="#444444")  # fmt: skip
    axes.set(xlabel="steps of GRPO (0: after the supervised start)", ylabel="normalised quality on val instances",
             title=title, ylim=(min(0.0, constant - 0.05), 1.0))  # fmt: skip
    axes.title.set_fontsize(10)
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(title="reward", loc="upper left", frameon=False, fontsize=8, title_fontsize=8)
    figure.savefig(path)
