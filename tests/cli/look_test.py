"""Pages and pictures in a real browser, light and dark, narrow and wide: no console error, no request leaves the page,
nothing overflows or is cut off, colours are distinguishable, sorting and filtering work. Skipped without Chromium.

OPTGAP_SCREENSHOTS=DIR writes what it saw as PNG files.
"""

import itertools
import json
import math
import os
import pathlib
import sys
import tempfile
import unittest

from chromium import NAMES, PROGRAM, Chromium
from optgap_process import TSP4, run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCREENSHOTS = os.environ.get("OPTGAP_SCREENSHOTS")
VIEWS = list(itertools.product((400, 1400), ("light", "dark")))
HOSTILE = (
    "</script><script>alert(1)</script><img src='http://example.org/x'>\x1b[31m & a name without an end " + "x" * 90
)
TASKS = [task["name"] for task in json.loads(run("tasks", "--json").stdout) if task["direct"]]

# Words outside of their drawing; for charts also overlapping words.
MISPLACED = """(() => {
  const found = [];
  for (const svg of document.querySelectorAll("svg")) {
    const frame = svg.getBoundingClientRect(), words = [...svg.querySelectorAll("text")];
    const boxes = words.map(word => word.getBoundingClientRect());
    boxes.forEach((box, k) => {
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
        found.push("outside: " + words[k].textContent);
      if (!svg.classList.contains("chart")) return;
      boxes.slice(0, k).forEach((other, j) => {
        const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
        const tall = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
        if (wide > 1 && tall > 3) found.push("on one another: " + words[j].textContent + " / " + words[k].textContent);
      });
    });
  }
  return found;
})()"""
SERIES = """(() => {
  const probe = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  document.querySelector("svg.chart").append(probe);
  const colours = [0, 1, 2, 3, 4, 5].map(s => {
    probe.setAttribute("class", "column s" + s);
    return getComputedStyle(probe).fill;
  });
  probe.remove();
  return [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color, ...colours];
})()"""


def sample_page():
    """Every kind of chart, more than one of each, with contents that tend to overflow."""
    words = {"x": {"label": "steps, and a label that goes on until somebody stops it"}, "y": {"label": "share of rows"}}
    logs = {"x": {"label": "steps", "log": True}, "y": {"label": "loss", "log": True}}
    curve = [[2**k, 1 - 0.9**k, 0.9 - 0.9**k, 1.1 - 0.9**k] for k in range(12)]
    names = [f"model {k}" for k in range(10)] + [HOSTILE, "模型" * 20]
    charts = [
        {"kind": "lines", "title": "One curve", **words, "series": [{"name": "a", "points": curve}]},
        {
            "kind": "lines",
            "title": HOSTILE,
            **logs,
            "series": [
                {"name": name, "points": [[x, y + k + 0.01] for x, y, *_ in curve]} for k, name in enumerate(names)
            ],
        },
        {
            "kind": "lines",
            "title": "Long",
            **words,
            "series": [{"name": "a", "points": [[k, math.sin(k / 40)] for k in range(3000)]}],
        },
        {"kind": "lines", "title": "Empty", **words, "series": [{"name": "a", "points": []}]},
        {
            "kind": "points",
            "title": "Points",
            **logs,
            "series": [
                {"name": name, "points": [[10.0 ** (k - 5), k + 1, k + 0.5, k + 2] for k in range(9)]} for name in "ab"
            ],
        },
        {
            "kind": "bars",
            "title": "Bars",
            **words,
            "series": [{"name": name, "points": [[task, len(task) / 20] for task in TASKS]} for name in names[:3]],
        },
        {
            "kind": "bars",
            "title": "Below zero",
            **words,
            "series": [{"name": "a", "points": [[HOSTILE, -1e6], ["b", 3e6, 1e6, 4e6], ["c", None]]}],
        },
        *(
            {"kind": "histogram", "title": how, **words, "bins": how, "series": [{"name": "a", "values": values}]}
            for how, values in (
                ("whole", list(range(999))),
                ("doubling", [4**k for k in range(13)]),
                ("share", [0.5, 1]),
            )
        ),
    ]
    table = {
        "columns": [{"name": "task", "note": "its name"}, {"name": "rate", "align": "right"}, {"name": "completion"}],
        "rows": [["b", 0.5, HOSTILE], ["a", 10, "plain"], ["b", None, "none"], ["c", -2, "x"]],
        "filter": 0,
    }
    return {
        "title": "Every kind of chart",
        "lead": HOSTILE,
        "command": "optgap page " + HOSTILE,
        "facts": [["rows", 5], ["nothing", None], [HOSTILE, HOSTILE]],
        "sections": [
            {"heading": "Table", "table": table},
            {"heading": "Charts", "charts": charts},
            {"heading": HOSTILE, "sections": [{"heading": "Within", "text": "`code`\n\nmore"}]},
        ],
    }


def channel(value):
    value /= 255
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def colour(text):
    return [channel(float(part)) for part in text[text.index("(") + 1 : -1].split(",")[:3]]


def luminance(rgb):
    """WCAG 2.2, relative luminance."""
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


# Machado, Oliveira, Fernandes 2009, severity 1: the vision of protanopes, deuteranopes and tritanopes.
VISIONS = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def lab(rgb):
    """CIE L*a*b* of linear sRGB, D65."""
    rgb = [min(1, max(0, part)) for part in rgb]
    weights = ((0.4124, 0.3576, 0.1805, 0.9505), (0.2126, 0.7152, 0.0722, 1), (0.0193, 0.1192, 0.9505, 1.089))
    x, y, z = (sum(w * part for w, part in zip(row, rgb)) / row[3] for row in weights)
    x, y, z = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


class Look(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Chromium's own processes end a moment after it, and still write into its profile.
        cls.scratch = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        cls.here = pathlib.Path(cls.scratch.name)
        (cls.here / "sample.json").write_text(json.dumps(sample_page()), encoding="utf-8")
        (cls.here / "rows.jsonl").write_text(
            "".join(
                json.dumps(row) + "\n"
                for row in (
                    {"key": "tsp@1:test:hard:7", "published": 1},
                    {"key": "clique@1:test:d12:0", "published": 1},
                    {"task": "tsp", "instance": TSP4, "answer": [0, 1, 2, 3]},
                )
            ),
            encoding="utf-8",
        )
        store, frozen = str(cls.here / "store.db"), str(cls.here / "frozen.db")
        for arguments in (
            ("recompute", "--store", store, "--spec", "all:d2:test:0-1", "--budget", "2"),
            ("store", "import", store, str(cls.here / "rows.jsonl"), "--name", HOSTILE, "--budget", "1"),
            ("store", "snapshot", store, "-o", frozen),
            ("recompute", "--store", store, "--spec", "all:d2:test:0-2", "--budget", "40"),
            ("report", store, "--against", frozen, "--times", "-o", str(cls.here / "store.html")),
            ("page", str(cls.here / "sample.json"), "-o", str(cls.here / "sample.html")),
            ("bench-set", "--out", str(cls.here / "set"), "--count", "8", "--signal-count", "2"),
            ("curriculum", "simulate", "--svg", str(cls.here / "set/curriculum.svg"), "--steps", "60"),
        ):
            done = run(*arguments)
            assert done.returncode == 0, done.stderr
        cls.browser = Chromium(cls.here / "profile")

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.scratch.cleanup()

    def show(self, path, width, scheme):
        self.browser.show(path, width, scheme)
        if SCREENSHOTS:
            self.browser.screenshot(pathlib.Path(SCREENSHOTS, f"{path.stem}-{width}-{scheme}.png"))

    def check(self, path):
        """Checks that apply to every page and picture in every view."""
        papers = set()
        for width, scheme in VIEWS:
            with self.subTest(page=path.name, width=width, scheme=scheme):
                self.show(path, width, scheme)
                self.assertEqual(self.browser.value(MISPLACED), [])
                self.assertEqual(self.browser.complaints, [])
                self.assertEqual(set(self.browser.requests), {f"file://{path}"})
                paper = "getComputedStyle(document.querySelector('svg')).getPropertyValue('--paper')"
                papers.add((scheme, self.browser.value(paper)))
        self.assertEqual(len(papers), 2, f"{path.name}: one look in light and one in dark")

    def test_pages(self):
        for path in (self.here / "sample.html", self.here / "set/card.html", self.here / "store.html"):
            self.check(path)
            for width, _ in VIEWS[::2]:
                self.show(path, width, "light")
                self.browser.value("document.querySelectorAll('details').forEach(one => { one.open = true; })")
                self.assertEqual(self.browser.value("document.documentElement.scrollWidth"), width, path.name)

    def test_pictures(self):
        pictures = sorted((self.here / "set").glob("*.svg"))
        self.assertEqual(len(pictures), len(TASKS) + 1)
        for path in pictures:
            self.check(path)

    def test_what_is_wrong_is_found(self):
        page = self.here / "wrong.html"
        page.write_text(
            "<!DOCTYPE html><meta charset=utf-8><body><div style='width:500px'>x</div>"
            "<img src='http://127.0.0.1:9/x.png'><script>console.error('oh'); throw new Error('no')</script>"
            "<svg class=chart width=100 height=40 style='--paper:#fff'><text x=90 y=25>outside</text>"
            "<text x=2 y=25>one</text><text x=4 y=25>two</text></svg>",
            encoding="utf-8",
        )
        self.browser.show(page, 400, "light")
        self.assertIn("oh", "".join(self.browser.complaints))
        self.assertIn("Uncaught", "".join(self.browser.complaints))
        self.assertIn("http://127.0.0.1:9/x.png", self.browser.requests)
        self.assertGreater(self.browser.value("document.documentElement.scrollWidth"), 400)
        self.assertEqual(self.browser.value(MISPLACED), ["outside: outside", "on one another: one / two"])

    def test_series_can_be_told_apart_by_every_eye(self):
        for scheme in ("light", "dark"):
            self.browser.show(self.here / "sample.html", 1400, scheme)
            page, words, *series = map(colour, self.browser.value(SERIES))
            self.assertGreaterEqual(contrast(page, words), 7)
            for one in series:
                self.assertGreaterEqual(contrast(page, one), 3, f"WCAG 1.4.11, in {scheme}")
            for vision, rows in VISIONS.items():
                seen = [lab([sum(w * part for w, part in zip(row, one)) for row in rows]) for one in series]
                for a, b in itertools.combinations(range(len(seen)), 2):
                    self.assertGreater(math.dist(seen[a], seen[b]), 18, f"series {a} and {b}, {vision}, {scheme}")

    def test_tables_sort_by_a_click_and_filter_by_a_word(self):
        self.browser.show(self.here / "sample.html", 1400, "light")
        column = "[...document.querySelectorAll('table.data tbody tr')].filter(r => !r.hidden).map(r => r.cells[{}].textContent)"
        click = "document.querySelectorAll('table.data thead button')[{}].click()"
        self.assertEqual(self.browser.value(column.format(0)), ["b", "a", "b", "c"])
        for place, shown in ((0, ["a", "b", "b", "c"]), (0, ["c", "b", "b", "a"])):
            self.browser.value(click.format(place))
            self.assertEqual(self.browser.value(column.format(0)), shown)
        for shown in (["10.00", "0.50", "-2.00", "–"], ["-2.00", "0.50", "10.00", "–"]):
            self.browser.value(click.format(1))
            self.assertEqual(
                [float(x) if x != "–" else x for x in self.browser.value(column.format(1))],
                [float(x) if x != "–" else x for x in shown],
            )
        self.browser.value("(() => { const s = document.querySelector('select'); s.value = 'b'; s.onchange(); })()")
        self.assertEqual(set(self.browser.value(column.format(0))), {"b"})
        self.assertEqual(self.browser.complaints, [])

    def test_everything_is_readable_without_script(self):
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        self.browser.show(self.here / "sample.html", 1400, "light")
        self.browser.call("Emulation.setScriptExecutionDisabled", value=False)
        self.assertEqual(self.browser.value("document.querySelectorAll('button').length"), 0)
        self.assertEqual(
            self.browser.value("document.querySelectorAll('svg.chart + details, svg.chart ~ details').length"),
            self.browser.value("document.querySelectorAll('svg.chart').length"),
        )


if __name__ == "__main__":
    if PROGRAM is None:
        print(f"SKIPPED: no Chromium on this machine ({', '.join(NAMES)}); tools/setup.sh --with tests installs it")
        sys.exit(77)
    unittest.main()
