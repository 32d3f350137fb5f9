"""Checkers of other projects, loaded from their wheels with our text rules instead of NLTK's data: evalscope (IFEval,
IFBench) and lm-evaluation-harness (IFEval). The wheels are unpacked into build/check-peers and never imported as
packages."""

import importlib.util
import pathlib
import random
import subprocess
import sys
import types
import unittest.mock
import zipfile

import text_rules

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = ROOT / "build/check-peers"
WHEELS = {"evalscope": "1.14.1", "lm_eval": "0.4.13"}


def set_up():
    """Fetches the two wheels with pip, without their dependencies."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, version in WHEELS.items():
        if (FOLDER / name).is_dir():
            continue
        subprocess.run(
            [
                sys.executable,
                "-m",
                "pip",
                "download",
                "--quiet",
                "--no-deps",
                "--disable-pip-version-check",
                "--only-binary",
                ":all:",
                "-d",
                str(FOLDER),
                f"{name.replace('_', '-')}=={version}",
            ],
            check=True,
        )
        with zipfile.ZipFile(next(FOLDER.glob(f"{name}-{version}-*.whl"))) as wheel:
            for member in wheel.namelist():
                if "/ifeval/" in member or "/ifbench/" in member:
                    wheel.extract(member, FOLDER)


def is_set_up():
    return all((FOLDER / name).is_dir() for name in WHEELS)


def stand_ins(splitter):
    """Modules that the checkers import: NLTK with our tokens, a language detector without data, no syllables."""
    nltk = types.ModuleType("nltk")
    nltk.word_tokenize = text_rules.tokens
    nltk.ngrams = lambda items, n: zip(*[list(items)[k:] for k in range(n)])
    nltk.pos_tag = lambda words: [(word, "NN") for word in words]
    nltk.tokenize = types.SimpleNamespace(
        RegexpTokenizer=lambda pattern: types.SimpleNamespace(tokenize=__import__("re").compile(pattern).findall)
    )
    nltk.download = lambda *_, **__: None
    nltk.data = types.SimpleNamespace(find=lambda *_: True, load=lambda *_: types.SimpleNamespace(tokenize=splitter))
    resources = types.ModuleType("evalscope.utils.resource_utils")
    resources.check_nltk_data = lambda *_, **__: None
    langdetect = types.ModuleType("langdetect")
    langdetect.LangDetectException = type("LangDetectException", (Exception,), {})
    langdetect.DetectorFactory = types.SimpleNamespace(seed=0)
    langdetect.detect = lambda text: "en"
    syllapy = types.ModuleType("syllapy")
    syllapy.count = len
    version = types.ModuleType("packaging.version")
    version.parse = lambda text: tuple(int(part) for part in text.split("."))
    stand = {
        "nltk": nltk,
        "packaging": types.ModuleType("packaging"),
        "packaging.version": version,
        "evalscope.utils.resource_utils": resources,
        "langdetect": langdetect,
        "syllapy": syllapy,
        "immutabledict": types.SimpleNamespace(immutabledict=dict),
    }
    try:
        import emoji  # noqa: F401
    except ImportError:
        stand["emoji"] = types.SimpleNamespace(is_emoji=is_emoji)
    return stand


def is_emoji(text):
    """Without the package: the ranges that the generated texts use."""
    return len(text) == 1 and (0x1F300 <= ord(text) <= 0x1FAFF or text in "☺❤⭐✅")


def load(project, module, splitter):
    """The registry of types of one project's folder of checkers."""
    folder = FOLDER / {"evalscope": f"evalscope/benchmarks/{module}", "lm_eval": "lm_eval/tasks/ifeval"}[project]
    package = f"{project}.{'benchmarks' if project == 'evalscope' else 'tasks'}.{module}"
    sys.modules.update(stand_ins(splitter))
    parts = package.split(".")
    for k in range(1, len(parts) + 1):
        sys.modules.setdefault(".".join(parts[:k]), types.ModuleType(".".join(parts[:k])))
    sys.modules[package].__path__ = [str(folder)]
    for name in ("instructions_util", "instructions", "instructions_registry"):
        full = f"{package}.{name}"
        spec = importlib.util.spec_from_file_location(full, folder / f"{name}.py")
        loaded = importlib.util.module_from_spec(spec)
        sys.modules[full] = loaded
        setattr(sys.modules[package], name, loaded)
        with unittest.mock.patch("importlib.metadata.version", lambda _: "3.9.1"):  # of nltk
            spec.loader.exec_module(loaded)
        if name == "instructions_util":
            loaded.split_into_sentences = splitter
            loaded.count_sentences = lambda text: len(splitter(text))
    return sys.modules[f"{package}.instructions_registry"].INSTRUCTION_DICT


def verdict(registry, name, arguments, text):
    """The published verdict: a blank text and an exception fail."""
    if not text.strip():
        return False
    random.seed(0)
    checker = registry[name](name)
    checker.build_description(**arguments)
    try:
        return bool(checker.check_following(text))
    except Exception:  # noqa: BLE001  the published loop would stop here
        return False
