"""docs/recipes.md as it stands: its commands and Python run in one folder, what it prints is what they print, and its table of
prices is the functions'. `python tests/python/recipes_page_test.py --write` writes table and output."""

import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import sysconfig

from completion import complete

import optgap
from optgap import recipes
from optgap.recipes.price import price

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "recipes.md"
BEGIN, END = "<!-- tests/python/recipes_page_test.py --write writes from here -->\n", "<!-- to here -->\n"
MAIN = (("forge", "main"), ("forge", "sft"), ("forge", "tsp-541"), ("rlve", "sorting-adaptive"), ("rlve", "c256"), ("rlve", "all"),
        ("river", "river"), ("rlvrr", "rlvrr"), ("mae", "half-reference"))  # fmt: skip


def millions(number):
    return f"{number / 1e6:,.0f} M"


def prices():
    lines = ["| recipe | arm | steps | prompts | rollouts | response tokens, expected | at most | core-seconds | GPU hours, stated |",
             "|---|---|---|---|---|---|---|---|---|"]  # fmt: skip
    for name, arm_name in MAIN:
        arm = recipes.load(name).arm(arm_name)
        found = price(arm)
        expected, most = (sum(call.response_tokens[at] for call in found.calls) for at in (0, 1))
        hours = (
            "–"
            if found.stated_gpu_hours is None
            else " to ".join(dict.fromkeys(f"{one:,.0f}" for one in found.stated_gpu_hours))
        )
        spent = sum(found.core_seconds.values())
        steps = f"{arm.used('steps')}{'' if arm['steps'].value else ', assumed'}" if "rl" in arm.stages else "–"
        lines.append(
            f"| {name} | {arm_name} | {steps} | {sum(call.prompts for call in found.calls):,.0f} | {found.rollouts:,.0f} | "
            f"{millions(expected)} | {millions(most)} | {spent:,.0f} | {hours} |"
        )
    return "".join(line + "\n" for line in lines)


def environment():
    return {**os.environ, "PATH": f"{sysconfig.get_path('scripts')}:/usr/bin:/bin"}


def printed(command):
    done = subprocess.run(["/bin/sh", "-ec", command], env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout


@functools.cache
def optima():
    """By prompt, of what the page generates for its teacher."""
    engine = optgap.Engine("cpu", threads=1)
    rows = [json.loads(line) for line in pathlib.Path("prompts.jsonl").read_text(encoding="utf-8").splitlines()]
    answers = engine.solve(engine.instances([row["key"] for row in rows])).answers.tolist()
    return {row["prompt"]: complete(answer) for row, answer in zip(rows, answers)}


def teacher(request):
    """Knows the optimum of every prompt in prompts.jsonl."""
    return optima()[request.prompt] if pathlib.Path("prompts.jsonl").is_file() else complete([0])


def test_everything_on_the_page_runs_and_prints_what_it_says(tmp_path, monkeypatch):
    from stand_in_server import StandIn

    blocks = re.findall(r"^```(console|python)\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) > 5
    monkeypatch.chdir(tmp_path)
    with StandIn(teacher) as server:
        for kind, text in blocks:
            text = text.replace("http://localhost:8000/v1", server.base_url)
            if kind == "python":
                exec(compile(text, PAGE.name, "exec"), {"__name__": "docs"})
                continue
            first, _, shown = text.partition("\n")
            for command in re.findall(r"^\$ (.*)$", text, re.MULTILINE):
                assert printed(command) == shown or "$ " in shown or not shown, first
    assert (tmp_path / "sft.jsonl").read_text().count("\n") == 40, (
        "an optimum for each problem, the second one repeats it"
    )


def test_the_tables_prices_are_computed():
    page = PAGE.read_text(encoding="utf-8")
    assert page.partition(BEGIN)[2].partition(END)[0] == prices(), "python tests/python/recipes_page_test.py --write"


def write():
    page = PAGE.read_text(encoding="utf-8")
    before, begin, rest = page.partition(BEGIN)
    page = before + begin + prices() + END + rest.partition(END)[2]
    for verb in ("show", "show river"):
        block = re.compile(rf"(?<=```console\n\$ optgap recipe {verb}\n).*?(?=```)", re.DOTALL)
        page = block.sub(lambda _, verb=verb: printed(f"optgap recipe {verb}"), page)
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__" and "--write" in sys.argv:
    write()
