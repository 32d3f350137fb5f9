"""The curves of river_bandit as SVG, without a library."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

WIDTH, HEIGHT = 300, 170
"""Of a panel's plot; around it stand the labels."""
_LEFT, _TOP, _GAP = 40, 56, 46
_COLOURS = ("#b45309", "#d97706", "#a16207", "#7c3aed", "#0891b2", "#2563eb")
_DASHES = ("", "6 3", "2 3", "8 3 2 3", "5 2", "")
_STYLE = """svg{--ink:#1f2328;--soft:#6b7280;--faint:#c9ced6;font:10px ui-sans-serif,system-ui,sans-serif;color-scheme:light dark}
@media screen and (prefers-color-scheme:dark){svg{--ink:#e6e8eb;--soft:#9aa3af;--faint:#454c57}}
svg .line{stroke:var(--faint);stroke-width:.6;fill:none}
svg .axis{stroke:var(--soft);stroke-width:1;fill:none}
svg .run{stroke-width:1.6;fill:none;stroke-linejoin:round}
svg .label{fill:var(--ink)}
svg .note{fill:var(--soft);font-size:9px}"""


def _panel(panel: Mapping[str, Any], left: float, top: float) -> list[str]:
    base = top + HEIGHT
    parts = [f'<text class="label" x="{left}" y="{top - 8}">{panel["title"]}</text>']
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = base - tick * HEIGHT
        parts.append(f'<path class="line" d="M{left} {y:g}H{left + WIDTH}"/>')
        parts.append(f'<text class="note" x="{left - 5}" y="{y + 3:g}" text-anchor="end">{tick:g}</text>')
    for place, values in enumerate(panel["lines"].values()):
        across = WIDTH / max(1, len(values) - 1)
        points = " ".join(f"{left + k * across:.1f},{base - mean * HEIGHT:.1f}" for k, (mean, _) in enumerate(values))
        edges = [[f"{left + k * across:.1f},{base - min(1, max(0, mean + sign * half)) * HEIGHT:.1f}" for k, (mean, half) in enumerate(values)]
                 for sign in (-1, 1) if not any(math.isnan(half) for _, half in values)]  # fmt: skip
        if edges:
            area = " ".join([*edges[0], *reversed(edges[1])])
            parts.append(f'<polygon fill="{_COLOURS[place]}" fill-opacity=".12" points="{area}"/>')
        dash = f' stroke-dasharray="{_DASHES[place]}"' if _DASHES[place] else ""
        parts.append(f'<polyline class="run" stroke="{_COLOURS[place]}"{dash} points="{points}"/>')
    parts.append(f'<path class="axis" d="M{left} {top}V{base}H{left + WIDTH}"/>')
    parts.append(f'<text class="note" x="{left}" y="{base + 13}">0</text>')
    parts.append(
        f'<text class="note" x="{left + WIDTH}" y="{base + 13}" text-anchor="end">{panel["steps"]} steps</text>'
    )
    return parts


def draw(panels: Sequence[Mapping[str, Any]]) -> str:
    """The probability of the best program per step: panels of {title, steps, lines: {estimator: (mean, half its interval) a
    point}}, two in a row, at most six
    estimators, the same ones in each."""
    rows = (len(panels) + 1) // 2
    width, height = 2 * (WIDTH + _GAP) + 4, _TOP + rows * (HEIGHT + _GAP)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
             f"<title>Probability of the best program per step</title><style>{_STYLE}</style>"]  # fmt: skip
    parts.append(
        f'<text class="label" x="{_LEFT}" y="14">Probability of the best program, mean over seeds and its 95 % interval</text>'
    )
    for place, name in enumerate(panels[0]["lines"]):
        x = _LEFT + 105 * place
        dash = f' stroke-dasharray="{_DASHES[place]}"' if _DASHES[place] else ""
        parts.append(f'<path class="run" stroke="{_COLOURS[place]}"{dash} d="M{x} 28h22"/>')
        parts.append(f'<text class="note" x="{x + 26}" y="31">{name}</text>')
    for place, panel in enumerate(panels):
        parts += _panel(panel, _LEFT + place % 2 * (WIDTH + _GAP), _TOP + place // 2 * (HEIGHT + _GAP))
    return "\n".join([*parts, "</svg>"]) + "\n"
