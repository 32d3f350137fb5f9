"""examples/quick_start.py prints what its docstring says, and README.md's Python block runs."""

import pathlib
import re
import runpy
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_quick_start_prints_what_it_says(tmp_path):
    script = ROOT / "examples" / "quick_start.py"
    promised = runpy.run_path(str(script), run_name="quick_start")["__doc__"].split("Prints\n\n", 1)[1]
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == promised and promised.count("\n") == 5, done.stderr


def test_the_block_of_the_readme_runs(engine):
    """Its `completions` come from a policy that knows nothing of the optimum, four an instance."""
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    assert len(blocks) == 1
    posed = engine.generate(["tsp", "knapsack"], level="easy", count=4, seed=1)
    texts = [f"<think>hm</think><answer>{answer}</answer>" for answer in engine.noisy_greedy(posed, 4).tolist()]
    session = {"completions": texts}
    exec(compile(blocks[0], "README.md", "exec"), session)
    assert session["instances"].keys == posed.keys and session["baselines"].proven.all()
    scores = session["scores"]
    assert scores.feasible.all() and len(scores.advantage) == len(texts)
    assert (scores.quality > 0.5).all() and not scores.optimal.all()
