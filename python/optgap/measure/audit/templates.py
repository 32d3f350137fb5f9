"""Which templates a subject is audited in: ways to write a completion around an answer."""

from __future__ import annotations

import importlib.util
import pathlib
from collections.abc import Sequence
from dataclasses import replace

from ...core.arguments import Spec
from ...core.errors import misuse
from ...core.keys import formats
from ..attacks import attacks, families
from ..attacks.writing import Writing, format_for
from .cases import cases
from .judging import LOW, RIGHT
from .questions import Questions
from .subjects import Failure, Subject


def ours(names: Sequence[Spec]) -> list[Writing]:
    """Of formats by name or JSON; all named ones where none is given."""
    return [Writing.in_format(name) for name in names or formats()]


def _others() -> list[Writing]:
    """Places where rewards of other projects look for an answer."""
    known = [Writing.in_format(name) for name in ("answer_only", "boxed", "answer_line")]
    line = known[-1]
    hash_line = replace(line, name="hash", format=None, before="#### ")
    return [*known, hash_line, replace(line, name="bare", format=None, opening="", closing="", before="", place="bare")]


def _unmarked(writing: Writing) -> Writing:
    """Of a model that marks no reasoning."""
    return replace(writing, name=f"{writing.name} without tags", opening="", closing="", reasoning="none")


def of_subject(subject: Subject, questions: Questions) -> tuple[list[Writing], str]:
    """The templates in which a subject tells its right answer from a wrong one and from none, of those that are usual;
    all of them where it tells them apart in none. The second is a sentence that says which case it was."""
    found = [
        next((one for one in (marked, _unmarked(marked)) if _tells(subject, one, questions)), None)
        for marked in _others()
    ]
    chosen = [writing for writing in found if writing is not None]
    if chosen:
        return chosen, "templates in which its right answer earns more than a wrong one and than none"
    return _others(), "its right answer earns no more than a wrong one and none in any template: all are tried"


def _tells(subject: Subject, writing: Writing, questions: Questions) -> bool:
    """Over all questions: a right answer earns more in at least half of them."""
    plain = [attack for attack in attacks() if attack.name in (RIGHT, *LOW)]
    asked = list(cases(plain, writing, questions, subject.ability))
    rewards: dict[int, dict[str, float]] = {}
    for case, rewarded in zip(asked, subject.reward_rows(asked, writing, questions)):
        if not isinstance(rewarded, Failure):
            rewards.setdefault(case.question, {})[case.attack.name] = rewarded
    told = sum(RIGHT in of and of[RIGHT] > max([of[name] for name in LOW if name in of], default=of[RIGHT])
               for of in rewards.values())  # fmt: skip
    return 2 * told >= len(questions.rows) > 0


def of_families() -> list[Writing]:
    """A template of each family in the table of optgap.measure.attacks: its markers of reasoning, and the strings it stops on."""
    found = []
    for family in families():
        writing = Writing.in_format(format_for("", " ".join(family.markers))[0], name=f"family/{family.family}")
        found.append(replace(writing, ends=tuple(family.stops) or writing.ends[:1]))
    return found


def trl_is_here() -> bool:
    """Whether TRL is installed. Only its files are looked for, since an import would load PyTorch."""
    return importlib.util.find_spec("trl") is not None


_EXCHANGE = [{"role": "user", "content": "QUESTION"}]


def of_trl() -> list[Writing]:
    """A template of each chat template that TRL ships, with thinking and without, in the format that preflight picks.
    Raises Error without TRL."""
    package = importlib.util.find_spec("trl")
    try:
        from transformers.utils.chat_template_utils import render_jinja_template
    except ImportError:
        package = None
    if package is None or package.origin is None:
        raise misuse("templates", "TRL's chat templates need TRL: pip install trl")
    found = []
    for path in sorted((pathlib.Path(package.origin).parent / "chat_templates").glob("*.jinja")):
        if path.stem.endswith("_training"):
            continue
        template = path.read_text(encoding="utf-8")
        for thinking in (True, False):
            rendered = render_jinja_template(
                [_EXCHANGE], chat_template=template, add_generation_prompt=True, enable_thinking=thinking,
                bos_token="", eos_token="", pad_token="", unk_token="",
            )[0][0]  # fmt: skip
            format = format_for(rendered, template)[0]
            opened = format_for(rendered)[0] == "forge_prefilled"
            name = f"trl/{path.stem}{'' if thinking else ' plain'}"
            writing = Writing.in_format(format, opened, reasons=opened or format != "answer_only", name=name)
            ends = tuple(end for end in writing.ends if end in template)
            found.append(replace(writing, ends=ends or writing.ends[:1]))
    return found
