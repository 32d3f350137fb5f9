"""Curves of the tiny decoder's runs: a line a seed, and the mean over seeds with its interval."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from optgap.examples.seeds import interval

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")


def framed() -> tuple[Figure, Any]:
    """A figure of one panel."""
    figure = Figure(figsize=(7.2, 3.8), dpi=130, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    plain(axes)
    return figure, axes


def plain(axes: Any) -> None:
    """Title, grid and frame of a panel."""
    axes.title.set_fontsize(10)
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def spread(axes: Any, steps: Sequence[float], curves: Sequence[Sequence[float]], colour: int, label: str) -> None:
    """Curves of several seeds over the same steps: each one thin, their mean thick, its 95 % interval as a band."""
    shade = COLOURS[colour % len(COLOURS)]
    for curve in curves:
        axes.plot(steps, curve, color=shade, alpha=0.35, linewidth=0.8)
    points = [interval(values) for values in zip(*curves)]
    means = [mean for mean, _ in points]
    axes.plot(steps, means, color=shade, linewidth=2.0, label=label)
    if not any(math.isnan(half) for _, half in points):
        low, high = ([mean + sign * half for mean, half in points] for sign in (-1, 1))
        axes.fill_between(steps, low, high, color=shade, alpha=0.15, linewidth=0)


def draw(path: str, runs: Sequence[Mapping[str, Any]], title: str) -> None:
    """Writes a PNG: mean normalised quality of sampled answers on val instances per step, for each reward, and the best
    constant answer. `runs` as in the results of train_tiny."""
    figure, axes = framed()
    constant = sum(run["constant"] for run in runs) / len(runs)
    for colour, name in enumerate(dict.fromkeys(run["reward"] for run in runs)):
        curves = [run["curve"] for run in runs if run["reward"] == name]
        spread(axes, [step for step, _ in curves[0]], [[value for _, value in curve] for curve in curves], colour, name)
    axes.axhline(constant, color="#444444", linewidth=1.0, linestyle="--")
    axes.annotate("best constant answer", (0.995, constant), xycoords=("axes fraction", "data"), ha="right",
                  va="bottom", fontsize=8, color="#444444")  # fmt: skip
    axes.set(xlabel="steps of GRPO (0: after the supervised start)", ylabel="normalised quality on val instances",
             title=title, ylim=(min(0.0, constant - 0.05), 1.0))  # fmt: skip
    axes.legend(title="reward", loc="upper left", frameon=False, fontsize=8, title_fontsize=8)
    figure.savefig(path)


def panels(path: Any, runs: Sequence[Any], arms: Sequence[str], measures: Sequence[str]) -> None:
    """Writes a PNG of coevolve_tiny's runs: a panel a measure, a line a seed, and the means with their 95 % intervals."""
    figure = Figure(figsize=(15, 3.2), dpi=100, layout="constrained")
    FigureCanvasAgg(figure)
    for panel, name in zip(figure.subplots(1, len(measures)), measures):
        first = 0 if name == "val" else 1
        for colour, arm in enumerate(arms):
            mine = [run for run in runs if run.arm == arm and any(run.measures[name])]
            if mine:
                points = min(len(run.rollouts) for run in mine)
                curves = [run.measures[name][first:points] for run in mine]
                spread(panel, mine[0].rollouts[first:points], curves, colour, arm)
        panel.set(title=name, xlabel="rollouts")
        plain(panel)
    figure.axes[-1].legend(frameon=False, fontsize=8)
    figure.savefig(path)
