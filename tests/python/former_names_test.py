"""Names that modules had before: each leads to the same object as the present one, and says so once."""

import copyreg
import importlib
import importlib.util
import pathlib
import pickle
import re
import subprocess
import sys
import warnings

import pytest

import optgap
from optgap import _former

PAGE = (pathlib.Path(__file__).resolve().parents[2] / "docs/migration.md").read_text(encoding="utf-8")
MODULES = {former: now for former, now in _former.MODULES.items() if now}
WITHIN = {
    "optgap.benchmark.measures": "optgap.measure.benchmark.measures",
    "optgap.external.settings": "optgap.rows.external.settings",
    "optgap.external.sources.rg": "optgap.rows.external_sources.rg",
    "optgap.pool.mixed": "optgap.trainers.pool.mixed",
    "optgap.roles.prompts": "optgap.trainers.roles.prompts",
}


def present(module):
    """The module by its present name; skipped where it needs a package that is not here."""
    try:
        return importlib.import_module(module)
    except ImportError as absent:
        if (absent.name or "").startswith("optgap"):
            raise
        pytest.skip(str(absent))


def fresh(module):
    """The former name imported as for the first time, and what was warned of."""
    sys.modules.pop(module, None)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        found = importlib.import_module(module)
    return found, [str(one.message) for one in seen if one.category is DeprecationWarning]


@pytest.mark.parametrize("former", [*MODULES, *WITHIN])
def test_a_former_name_is_the_same_module(former):
    now = {**MODULES, **WITHIN}[former]
    current = present(now)
    found, said = fresh(former)
    assert found is current and current.__name__ == now == current.__spec__.name
    assert f"{former} is {now} now" in said
    assert importlib.import_module(former) is current


def test_every_former_name_is_on_the_page():
    rows = dict(re.findall(r"^\| `(optgap\.[\w.]+)` \| `(optgap\.[\w.]+)` \|$", PAGE, re.M))
    assert {former: rows.get(former) for former in MODULES} == MODULES


def test_the_warning_names_the_line_that_imports(tmp_path):
    script = tmp_path / "mine.py"
    script.write_text("import os\nfrom optgap.results import Scores\nprint(Scores.__module__)\n")
    done = subprocess.run([sys.executable, "-W", "always", script], capture_output=True, text=True, check=False)
    assert done.stdout == "optgap.core.results\n"
    assert f"{script}:2: DeprecationWarning: optgap.results is optgap.core.results now" in done.stderr


def test_pickles_of_older_versions_are_read():
    class Older:
        def __reduce_ex__(self, protocol):
            return copyreg.__newobj__, (optgap.Pool,)

    made = pickle.dumps(Older(), 0).replace(b"optgap.trainers.pool", b"optgap.pool")
    assert b"optgap.pool" in made and type(pickle.loads(made)) is optgap.Pool


def test_a_name_within_a_module_is_found_by_its_former_name():
    from optgap.data import rubrics
    from optgap.trainers import roles

    with pytest.warns(DeprecationWarning, match="pay_judges is optgap.trainers.roles.reward_judges now"):
        assert roles.pay_judges is roles.reward_judges
    with pytest.warns(DeprecationWarning, match="Chains is optgap.data.rubrics.Rubrics now"):
        assert rubrics.Chains is rubrics.Rubrics
    for module in (roles, rubrics):
        with pytest.raises(AttributeError, match="has no attribute 'Chain'"):
            module.Chain  # noqa: B018


def test_a_keyword_is_taken_by_its_former_name(engine):
    scheduler = optgap.Scheduler(engine)
    with pytest.warns(DeprecationWarning, match=r"Scheduler.problem\(of=…\) is instance=… now") as seen:
        problem = scheduler.problem(of="tsp@1:train:easy:1")
    assert pathlib.Path(seen[0].filename).name == "former_names_test.py"
    with pytest.warns(DeprecationWarning, match=r"pose\(of=…\) is problem=… now"):
        posed = scheduler.pose(of=problem, answers=2)
    assert len(posed.answers) == 2
    with pytest.raises(TypeError, match="both instance and of"):
        scheduler.problem("tsp@1:train:easy:1", instance="tsp@1:train:easy:1", of="tsp@1:train:easy:1")
    scheduler.shutdown()


def test_a_former_module_is_an_attribute_of_the_package():
    script = "import optgap\nprint(optgap.errors.Error is optgap.Error, hasattr(optgap, 'errata'))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout == "True False\n", done.stderr


def test_a_program_starts_by_its_former_name():
    former = [sys.executable, "-m", "optgap.external.worker"]
    now = [sys.executable, "-m", "optgap.rows.external.worker"]
    ended = [
        subprocess.run(words, capture_output=True, text=True, check=False, input="", timeout=60)
        for words in (former, now)
    ]
    assert ended[0].returncode == ended[1].returncode
    assert ended[0].stderr.splitlines()[-1:] == ended[1].stderr.splitlines()[-1:]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_unknown_modules_are_unknown():
    for name in ("optgap.engines", "optgap.integrations.nothing", "optgap.pool.nothing"):
        assert _former.current("optgap.engines") is None
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module(name)


@pytest.mark.parametrize(("file", "name"), [("verl.py", "compute_score"), ("openrlhf.py", "reward_func")])
def test_a_file_s_path_serves_as_well(file, name):
    path = pathlib.Path(optgap.__file__).parent / "integrations" / file
    spec = importlib.util.spec_from_file_location("custom_module", path)  # as verl's custom_reward_function.path
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert callable(getattr(module, name))
    if name == "compute_score":
        row = module.compute_score("optgap/tsp/easy", "<think>x</think><answer>[0]</answer>", "tsp@1:train:easy:1")
        assert row["score"] == -0.5


def test_the_package_alone_imports_nothing():
    script = (
        "import sys; before = set(sys.modules); import optgap; print(sorted(one for one in set(sys.modules) - before"
        " if one.startswith(('optgap', 'numpy', 'typing'))))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", script], capture_output=True, text=True, check=False,
                          env={"PYTHONPATH": str(pathlib.Path(optgap.__file__).parents[1])})  # fmt: skip
    assert done.stdout == "['optgap']\n", done.stderr
