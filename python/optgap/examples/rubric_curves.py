"""The curves of rubric_tiny as SVG, without a library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

WIDTH, HEIGHT = 210, 150
"""Of a panel's plot; around it stand the labels."""
_LEFT, _TOP, _GAP = 34, 58, 44
_COLOURS = {"found": "#d97706", "repo": "#7c3aed", "paper": "#b91c1c", "ours": "#2563eb"}
_DASHES = {"found": "2 3", "repo": "6 3", "paper": "", "ours": ""}
_STYLE = """svg{--ink:#1f2328;--soft:#6b7280;--faint:#c9ced6;font:10px ui-sans-serif,system-ui,sans-serif;color-scheme:light dark}
@media screen and (prefers-color-scheme:dark){svg{--ink:#e6e8eb;--soft:#9aa3af;--faint:#454c57}}
svg .line{stroke:var(--faint);stroke-width:.6;fill:none}
svg .axis{stroke:var(--soft);stroke-width:1;fill:none}
svg .run{stroke-width:1.8;fill:none;stroke-linejoin:round}
svg .label{fill:var(--ink)}
svg .note{fill:var(--soft);font-size:9px}"""


def draw(curves: Mapping[str, Mapping[str, Sequence[Sequence[float]]]], steps: Sequence[int], reference: float) -> str:
    """Reward, true score and words per step: {arm: {measure: a curve for each seed}}; `reference`: its words, as a line. A line is the
    mean over seeds, the area around it goes from the lowest seed to the highest."""
    highest = max(max(map(max, values["words"])) for values in curves.values())
    top = 20 * (int(highest) // 20 + 1)
    quarters = (0.0, 0.25, 0.5, 0.75, 1.0)
    panels = (("reward, of what a reference earns", "reward", 1.0, quarters), ("true score, held out", "true", 1.0, quarters),
              ("words", "words", float(top), tuple(range(0, top + 1, 20))))  # fmt: skip
    width, height = _LEFT + len(panels) * (WIDTH + _GAP) - _GAP + 8, _TOP + HEIGHT + 22
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
             f"<title>Reward, true score and length per step under four presets</title><style>{_STYLE}</style>"]  # fmt: skip
    parts.append(
        f'<text class="label" x="{_LEFT}" y="14">On prompts that were never trained on: mean over seeds, and their range</text>'
    )
    for place, arm in enumerate(curves):
        x = _LEFT + 90 * place
        parts.append(
            f'<path class="run" stroke="{_COLOURS[arm]}"{_dash(arm)} d="M{x} 30h22"/><text class="note" x="{x + 27}" y="33">{arm}</text>'
        )
    for place, (title, name, most, ticks) in enumerate(panels):
        left, base = _LEFT + place * (WIDTH + _GAP), _TOP + HEIGHT
        parts.append(f'<text class="label" x="{left}" y="{_TOP - 8}">{title}</text>')
        for tick in ticks:
            y = base - tick / most * HEIGHT
            parts.append(f'<path class="line" d="M{left} {y:g}H{left + WIDTH}"/>')
            parts.append(f'<text class="note" x="{left - 5}" y="{y + 3:g}" text-anchor="end">{tick:g}</text>')
        if name == "words":
            y = base - reference / most * HEIGHT
            parts.append(f'<path class="axis" stroke-dasharray="1 3" d="M{left} {y:.1f}H{left + WIDTH}"/>'
                         f'<text class="note" x="{left + WIDTH}" y="{y - 9:.1f}" text-anchor="end">a reference</text>')  # fmt: skip
        across = [left + step / steps[-1] * WIDTH for step in steps]
        for arm, values in curves.items():
            each = list(zip(*values[name]))
            parts.append(band(across, [base - min(point) / most * HEIGHT for point in each],
                              [base - max(point) / most * HEIGHT for point in each], _COLOURS[arm]))  # fmt: skip
            points = " ".join(
                f"{x:.1f},{base - sum(point) / len(point) / most * HEIGHT:.1f}" for x, point in zip(across, each)
            )
            parts.append(f'<polyline class="run" stroke="{_COLOURS[arm]}"{_dash(arm)} points="{points}"/>')
        parts.append(f'<path class="axis" d="M{left} {_TOP}V{base}H{left + WIDTH}"/><text class="note" x="{left}" y="{base + 13}">0</text>'
                     f'<text class="note" x="{left + WIDTH}" y="{base + 13}" text-anchor="end">{steps[-1]} steps</text>')  # fmt: skip
    return "\n".join([*parts, "</svg>"]) + "\n"


def band(across: Sequence[float], low: Sequence[float], high: Sequence[float], colour: str) -> str:
    """The area between two curves."""
    edge = [*zip(across, low), *reversed([*zip(across, high)])]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in edge)
    return f'<polygon fill="{colour}" fill-opacity=".13" points="{points}"/>'


def _dash(arm: str) -> str:
    return f' stroke-dasharray="{_DASHES[arm]}"' if _DASHES[arm] else ""
