"""An environment that imports torch itself is held by an isolation level as any other."""

import json

import pytest

from optgap.rows.external import Pool, confinement, rows
from optgap.rows.external.calls import Call, Code
from optgap.rows.external.naming import settings_with
from optgap.rows.external.settings import ISOLATION_LEVELS, Settings

pytest.importorskip("torch")

DRAWING = """
import torch


class Drawing:
    version = "1"

    def generate(self, rng, difficulty):
        torch.manual_seed(rng.getrandbits(31))
        return torch.randint(0, 1000, (4,)).tolist()

    def prompt(self, problem):
        return f"Add {problem}."

    def verify(self, problem, text):
        return bool(torch.tensor(problem).sum().item() == int(text))
"""


@pytest.mark.parametrize("level", ISOLATION_LEVELS)
def test_torch_is_imported_and_draws_at_every_isolation_level(level, tmp_path):
    held, why = confinement._held(level, ())
    if held is None:
        pytest.skip(why)
    (tmp_path / "drawing.py").write_text(DRAWING)
    # torch reserves address space for its threads and its libraries.
    given = Settings(generate_seconds=120, verify_seconds=120, memory_mib=16384, isolation=level)
    (task,), settings = settings_with(given, [f"{tmp_path}/drawing.py:Drawing"])
    pool = Pool(settings)
    try:
        first, again = (rows(task, ["d0"], [7], pool=pool)[0] for _ in range(2))
        assert first == again
        problem = json.loads(first.ground_truth)["problem"]
        (verdict,) = pool.run([Call(task, "verify", (json.dumps(problem), str(sum(problem))))])
        assert verdict.code is Code.OK and verdict.value[0]["correct"], verdict
    finally:
        pool.close()
