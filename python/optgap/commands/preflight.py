"""Before a training run: does a right answer get rewarded, and a draft not?

Renders prompts with the model's chat template, finds the answer format that fits, sends proven optima in the texts of
optgap.measure.attacks through the tokenizer and back the way the trainer reads them, scores them, and counts prompt tokens. A run
whose known optimum earns nothing learns nothing; one that rewards a draft learns to guess and ramble. With --candidate program
the texts hold programs, which are run: a right one is rewarded, a hostile one is not. With --candidate proposal the prompts are a
proposer's and the texts pose problems; with --candidate judgement they are a judge's and the texts hold scores.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..core.engine import Engine
from ..core.errors import misuse, one_of
from ..core.keys import formats, task_indices
from ..measure.attacks import Text, texts
from ..measure.attacks.writing import FORM, Writing, format_for
from ..measure.preflight import judges as of_judges, programs as of_programs, proposals as of_proposals
from ..measure.preflight.readers import (
    READERS,
    TRAINERS,
    Found,
    Outcome,
    finish_of,
    opening_lines,
    outcome_lines,
    render,
    require_trainers,
    stop_ids,
    token_ids,
    token_lines,
    tokens_of,
)
from . import Options


@dataclass
class Preflight(Found):
    """Of answers."""

    format: str
    why: str
    round_trip: bool
    """Whether the tokenizer gives back every text it was given."""


def _writing(format: str, opened: bool) -> Writing:
    """`answer_only` is for models whose tags are not known, or that do not reason."""
    return Writing.in_format(format, opened, reasons=opened or format != "answer_only")


def _written(writing: Writing, attack: Text, answer: str) -> str:
    reasoning = attack.reasoning
    for name, written in (("wrong", "[7]"), ("form", FORM), ("answer", answer)):
        reasoning = reasoning.replace(f"{{{name}}}", writing.part(written))
    if attack.behind is None:
        return f"{writing.opening}{reasoning}"
    begin, end = writing.wrapper
    return f"{writing.opening}{reasoning}{writing.closing}\n{begin}{writing.part(answer)}{attack.behind}{end}"


def completion_for(answer: str, format_name: str, opened: bool = False) -> str:
    """What a perfect model would write; `opened`: its reasoning part began in the prompt, whatever the format asks."""
    perfect = next(text for text in texts() if text.name == "perfect")
    return _written(_writing(format_name, opened), perfect, answer)


def check(
    tokenizer: Any,
    trainers: Sequence[str] = tuple(TRAINERS),
    format: str = "auto",
    tasks: Sequence[str] | str = "all",
    levels: Sequence[str] = ("easy", "medium", "hard"),
    count: int = 4,
    template_options: Mapping[str, Any] | None = None,
    model: str = "",
    engine: Engine | None = None,
    generation_config: Any = None,
) -> Preflight:
    """Runs the checks with a loaded tokenizer; `format` "auto" reads the rendered prompt's end. `generation_config`: what
    generation stops on, as transformers loads it; None: the tokenizer's end of a turn."""
    require_trainers(trainers)
    by = engine or Engine("cpu")
    asked = [by.tasks[index].name for index in task_indices(tasks, direct=True)]
    instances = by.generate(asked, "easy", 1)
    baselines = by.solve(instances)
    sample = render(tokenizer, by.prompts(instances[0])[0], template_options)
    template = str(getattr(tokenizer, "chat_template", None) or "")
    chosen, why = (format, "given") if format != "auto" else format_for(sample, template)
    assert baselines.answers is not None
    optima = [json.dumps(answer) for answer in baselines.answers.tolist()]
    opened = format_for(sample)[0] == "forge_prefilled"
    stops = stop_ids(tokenizer, generation_config)

    def reward_rows(trainer: str, name: str, attack: Text, stop: int) -> list[Outcome]:
        writing = _writing(name, opened)
        prompts = [render(tokenizer, prompt, template_options) for prompt in by.prompts(instances, name)]
        sent = [_written(writing, attack, answer) for answer in optima]
        end = [stop] if attack.ends else []
        ids = [token_ids(tokenizer, text) + end for text in sent]
        received = [READERS[trainer](tokenizer, *row, name, generation_config) for row in zip(prompts, ids)]
        finish = [finish_of(trainer, attack.ends)] * len(sent)
        scores = by.score(instances, received, baselines, format=name, finish=finish)
        rewarded = scores.format & scores.feasible & (scores.quality == 1)
        wanted = attack.rewarded == "always" or (attack.rewarded == "lenient" and writing.lenient)
        title = attack.name if attack.needs != "stop" else f"stop {tokenizer.decode([stop])}"
        return [
            Outcome(trainer, title, name, bool(ok), wanted, code, *written, [])
            for ok, code, *written in zip(rewarded.tolist(), scores.codes, sent, received)
        ]

    def worst(found: list[Outcome]) -> Outcome:
        """One outcome stands for all of its tasks: the first that is not as it must be, if any."""
        return next((outcome for outcome in found if not outcome.right), found[0])

    reasons = bool(_writing(chosen, opened).closing)
    outcomes = []
    for trainer in trainers:
        for attack in texts():
            if attack.needs == "reasoning" and not reasons:
                continue
            for stop in stops if attack.needs == "stop" else stops[:1]:
                outcomes.append(worst(reward_rows(trainer, chosen, attack, stop)))
                if attack.name == "perfect" and not outcomes[-1].rewarded:
                    others = [name for name in formats() if worst(reward_rows(trainer, name, attack, stop)).rewarded]
                    outcomes[-1].others = others
    lengths = []
    for level in levels:
        made = by.generate(asked, level, count)
        rendered = [render(tokenizer, prompt, template_options) for prompt in by.prompts(made, chosen)]
        for start in range(0, len(rendered), count):
            name = by.tasks[int(made.task[start])].name
            lengths.append(tokens_of(tokenizer, name, level, rendered[start : start + count]))
    sent = [completion_for(answer, chosen, opened) for answer in optima]
    ids = [token_ids(tokenizer, text) for text in sent]
    round_trip = [tokenizer.decode(each, skip_special_tokens=False) for each in ids] == sent
    return Preflight(model, bool(template), sample[-60:], outcomes, lengths, chosen, why, round_trip)


def _advice(outcome: Outcome) -> str:
    if outcome.rewarded:
        return "take a trainer's path that knows how generation ended, or a strict tail"
    manager = "; or use the reward manager optgap" if outcome.trainer == "verl" else ""
    if outcome.trainer == "openrlhf" and outcome.text.startswith("stop "):
        return "give the run's model: reward_func = configured(model=...)"
    if outcome.text != "perfect":
        return f"see docs/formats.md for what this format reads{manager}"
    advice = f"would be rewarded in: {', '.join(outcome.others)}" if outcome.others else "no format would be rewarded"
    return advice + manager


def report(found: Preflight) -> str:
    """For people."""
    tokens = f"{'decode' if found.round_trip else 'DO NOT DECODE'} to the text they were made of"
    lines = [
        *opening_lines(found),
        f"format   {found.format}: {found.why}",
        f"         optgap dataset --format {found.format} …",
        f"tokens   {tokens}",
    ]
    lines += outcome_lines(found.outcomes, _advice) + token_lines(found.prompt_tokens)
    return "\n".join(lines)


def run(options: Options) -> int:
    """Exit code 0: every text earns what it must; 1: one does not."""
    if options.candidate != "program" and options.language is not None:
        raise misuse("language", "has no effect without --candidate program")
    if options.candidate == "judgement" and options.format != "auto":
        raise misuse("format", "has no effect with --candidate judgement: a score has one form")
    try:
        from transformers import AutoTokenizer, GenerationConfig
    except ImportError:
        raise misuse("model", "its tokenizer needs transformers: pip install transformers") from None
    tokenizer = AutoTokenizer.from_pretrained(options.model, trust_remote_code=options.trust_remote_code)
    try:
        generation = GenerationConfig.from_pretrained(options.model)
    except OSError:  # a folder of a tokenizer alone
        generation = None
    for name in options.trainer or ():
        one_of("trainer", name, READERS)
    trainers, tasks = options.trainer or tuple(TRAINERS), options.task or "all"
    given: dict[str, Any] = {
        "template_options": json.loads(options.template_options), "model": options.model, "generation_config": generation,
    }  # fmt: skip
    sizes = options.levels.split(","), options.count
    found: Any
    shown: Any
    if options.candidate == "program":
        found = of_programs.check(tokenizer, trainers, options.format, options.task or of_programs.TASKS, *sizes,
                                  language=options.language or "python", **given)  # fmt: skip
        shown = of_programs.report
    elif options.candidate == "proposal":
        found, shown = of_proposals.check(tokenizer, trainers, options.format, tasks, **given), of_proposals.report
    elif options.candidate == "judgement":
        found, shown = of_judges.check(tokenizer, trainers, tasks, **given), of_judges.report
    else:
        found, shown = check(tokenizer, trainers, options.format, tasks, *sizes, **given), report
    if options.json:
        made = asdict(found)
        print(json.dumps({**made, "payments": made["outcomes"], "passed": found.passed}))  # by the former name, too
    else:
        print(shown(found))
    return 0 if found.passed else 1
