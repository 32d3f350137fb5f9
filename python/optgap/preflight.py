"""optgap preflight: before a training run, does a right answer get paid?

Renders prompts with the model's chat template, finds the answer format that fits, sends proven optima through the
tokenizer and back the way the trainer reads them, scores them, and counts prompt tokens. A run whose known optimum
earns nothing learns nothing.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .engine import Engine
from .errors import misuse
from .keys import formats

REASONING = "The shortest way is found by looking at the instance."
_EMPTY_REASONING = re.compile(r"<think>\s*</think>\s*$")
_OTHER_REASONING = ("<|channel|>", "[THINK]", "<seed:think>", "<|begin_of_thought|>", "<|START_THINKING|>")
"""What other families write around their reasoning; no answer format has these tags."""


def read_as_text(tokenizer: Any, prompt: str, ids: list[int], format_name: str) -> str:
    """verl's compute_score: special tokens are gone."""
    return tokenizer.decode(ids, skip_special_tokens=True)


def read_as_manager(tokenizer: Any, prompt: str, ids: list[int], format_name: str) -> str:
    """verl with our reward manager: only the end of the turn is gone."""
    from .integrations.turns import end_tokens
    from .integrations.verl import decode_response

    return decode_response(tokenizer, ids, end_tokens(tokenizer))


def read_as_trl(tokenizer: Any, prompt: str, ids: list[int], format_name: str) -> str:
    """TRL: parsed into a message where the tokenizer can, else special tokens are gone."""
    from .integrations.trl import text_of

    if getattr(tokenizer, "response_schema", None) is None and getattr(tokenizer, "response_template", None) is None:
        return tokenizer.decode(ids, skip_special_tokens=True)
    try:
        from trl.chat_template_utils import parse_response
    except ImportError:
        message = tokenizer.parse_response(ids)
    else:
        message = parse_response(tokenizer, ids, prefix=tokenizer(prompt, add_special_tokens=False)["input_ids"])
    return text_of([{"role": "assistant", **message}], format_name)


def read_as_slime(tokenizer: Any, prompt: str, ids: list[int], format_name: str) -> str:
    """slime: SGLang keeps special tokens and the end of the turn, which our reward model cuts off."""
    from .integrations.turns import without_end

    return without_end(tokenizer.decode(ids, skip_special_tokens=False))


def read_as_openrlhf(tokenizer: Any, prompt: str, ids: list[int], format_name: str) -> str:
    """OpenRLHF: prompt and response are decoded together, with special tokens."""
    from .integrations.openrlhf import response_of

    tokens = tokenizer(prompt, add_special_tokens=False)["input_ids"]
    return response_of(tokenizer.decode(tokens + ids, skip_special_tokens=False), prompt) or ""


TRAINERS: dict[str, Callable[[Any, str, list[int], str], str]] = {
    "verl": read_as_text,
    "verl-manager": read_as_manager,
    "trl": read_as_trl,
    "slime": read_as_slime,
    "openrlhf": read_as_openrlhf,
}


@dataclass
class Payment:
    """What became of a known optimum."""

    trainer: str
    format: str
    paid: bool
    code: str
    sent: str
    received: str
    others: list[str]
    """Formats in which the optimum would have been paid."""


@dataclass
class PromptTokens:
    task: str
    level: str
    least: int
    median: int
    most: int


@dataclass
class Preflight:
    """Everything that was found."""

    model: str
    has_template: bool
    prompt_tail: str
    format: str
    why: str
    round_trip: bool
    """Does the tokenizer give back every text it was given?"""
    payments: list[Payment]
    prompt_tokens: list[PromptTokens]

    @property
    def passed(self) -> bool:
        return all(payment.paid for payment in self.payments)


def render(tokenizer: Any, prompt: str, options: Mapping[str, Any] | None = None) -> str:
    """The text a trainer feeds to the model."""
    if not getattr(tokenizer, "chat_template", None):
        return prompt
    messages = [{"role": "user", "content": prompt}]
    return tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True, **(options or {}))


def format_for(rendered: str, template: str = "") -> tuple[str, str]:
    """The format that fits what stands before the model's first token, and why."""
    tail = rendered.rstrip()
    other = next((marker for marker in _OTHER_REASONING if marker in template), None)
    if other is not None:
        return "answer_only", f"the template knows {other}: the model reasons between tags of its own"
    if tail.endswith("<think>"):
        return "forge_prefilled", "the template opens the reasoning part itself"
    if _EMPTY_REASONING.search(tail):
        return "answer_only", "the template closes an empty reasoning part: the model does not reason in one"
    return "forge", "the template leaves the reasoning part to the model"


def completion_for(answer: str, format_name: str, opened: bool = False) -> str:
    """What a perfect model would write; `opened`: its reasoning part began in the prompt, whatever the format asks."""
    reasoning = f"<think>{REASONING}</think>\n" if format_name == "forge" else f"{REASONING}\n"
    if opened or format_name == "forge_prefilled":
        reasoning = f"{REASONING}</think>\n"
    tail = {"boxed": f"\\boxed{{{answer}}}", "answer_line": f"Answer: {answer}"}
    return reasoning + tail.get(format_name, f"<answer>{answer}</answer>")


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
) -> Preflight:
    """Runs the checks with a loaded tokenizer; `format` "auto" reads the rendered prompt's end."""
    unknown = [name for name in trainers if name not in TRAINERS]
    if unknown:
        raise misuse("trainer", f"is '{unknown[0]}', expected one of {', '.join(TRAINERS)}")
    by = engine or Engine("cpu")
    instances = by.generate(tasks, "easy", 1)
    baselines = by.solve(instances)
    sample = render(tokenizer, by.prompts(instances[0])[0], template_options)
    template = str(getattr(tokenizer, "chat_template", None) or "")
    chosen, why = (format, "given") if format != "auto" else format_for(sample, template)
    assert baselines.answers is not None
    optima = [json.dumps(answer) for answer in baselines.answers.tolist()]
    opened = format_for(sample)[0] == "forge_prefilled"

    def pay(trainer: str, name: str) -> list[Payment]:
        prompts = [render(tokenizer, prompt, template_options) for prompt in by.prompts(instances, name)]
        sent = [completion_for(answer, name, opened) for answer in optima]
        ids = [tokenizer(text, add_special_tokens=False)["input_ids"] + [tokenizer.eos_token_id] for text in sent]
        received = [TRAINERS[trainer](tokenizer, *row, name) for row in zip(prompts, ids)]
        scores = by.score(instances, received, baselines, format=name, finish=["stop"] * len(sent))
        paid = scores.format & scores.feasible & (scores.quality == 1)
        return [
            Payment(trainer, name, bool(ok), code, *texts, [])
            for ok, code, *texts in zip(paid.tolist(), scores.codes, sent, received)
        ]

    payments = []
    for trainer in trainers:
        found = pay(trainer, chosen)
        # One payment stands for all of its tasks: the first that failed, if any.
        worst = next((payment for payment in found if not payment.paid), found[0])
        if not worst.paid:
            worst.others = [name for name in formats() if all(payment.paid for payment in pay(trainer, name))]
        payments.append(worst)
    lengths = []
    for level in levels:
        made = by.generate(tasks, level, count)
        texts = [render(tokenizer, prompt, template_options) for prompt in by.prompts(made, chosen)]
        tokens = [len(tokenizer(text, add_special_tokens=False)["input_ids"]) for text in texts]
        for start in range(0, len(tokens), count):
            mine = sorted(tokens[start : start + count])
            name = by.tasks[int(made.task[start])].name
            lengths.append(PromptTokens(name, level, mine[0], mine[len(mine) // 2], mine[-1]))
    sent = [completion_for(answer, chosen, opened) for answer in optima]
    ids = [tokenizer(text, add_special_tokens=False)["input_ids"] for text in sent]
    round_trip = [tokenizer.decode(each, skip_special_tokens=False) for each in ids] == sent
    return Preflight(model, bool(template), sample[-60:], chosen, why, round_trip, payments, lengths)


def report(found: Preflight) -> str:
    """For people."""
    tokens = f"{'decode' if found.round_trip else 'DO NOT DECODE'} to the text they were made of"
    lines = [
        f"model    {found.model}{'' if found.has_template else ' (no chat template: prompts are given as they are)'}",
        f"prompt   ends with {found.prompt_tail!r}",
        f"format   {found.format}: {found.why}",
        f"         optgap dataset --answer-format {found.format} …",
        f"tokens   {tokens}",
    ]
    for payment in found.payments:
        lines.append(f"{payment.trainer:<13}{'paid' if payment.paid else 'NOT PAID: ' + payment.code}")
        if not payment.paid:
            lines.append(f"             sent     {payment.sent!r}")
            lines.append(f"             received {payment.received!r}")
            advice = f"would be paid in: {', '.join(payment.others)}" if payment.others else "no format would be paid"
            manager = "; or use the reward manager optgap" if payment.trainer == "verl" else ""
            lines.append(f"             {advice}{manager}")
    lines.append(f"\n{'task':<18}{'level':<11}{'prompt tokens: least':>21}{'median':>9}{'most':>9}")
    lines.extend(
        f"{row.task:<18}{row.level:<11}{row.least:>21}{row.median:>9}{row.most:>9}" for row in found.prompt_tokens
    )
    return "\n".join(lines)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", required=True, metavar="DIR", help="a model's folder; its tokenizer is read")
    parser.add_argument("--trainer", action="append", choices=list(TRAINERS), help="repeatable; default: all")
    parser.add_argument("--format", default="auto", choices=["auto", *formats()])
    parser.add_argument("--task", action="append", metavar="TASK", help="repeatable; default: all")
    parser.add_argument("--levels", default="easy,medium,hard", help="whose prompts are counted (default %(default)s)")
    parser.add_argument("--count", type=int, default=4, help="prompts per task and level (default %(default)s)")
    parser.add_argument("--template-options", default="{}", metavar="JSON", help='such as {"enable_thinking": false}')
    parser.add_argument("--json", action="store_true")


def run(options: argparse.Namespace) -> int:
    """Exit code 0: every optimum is paid; 1: one is not."""
    try:
        from transformers import AutoTokenizer
    except ImportError:
        raise misuse("model", "its tokenizer needs transformers: pip install transformers") from None
    tokenizer = AutoTokenizer.from_pretrained(options.model, local_files_only=True)
    found = check(
        tokenizer,
        options.trainer or tuple(TRAINERS),
        options.format,
        options.task or "all",
        options.levels.split(","),
        options.count,
        json.loads(options.template_options),
        options.model,
    )
    print(json.dumps({**asdict(found), "passed": found.passed}) if options.json else report(found))
    return 0 if found.passed else 1


def main(arguments: Sequence[str] | None = None) -> int:
    """`optgap preflight` by itself."""
    parser = argparse.ArgumentParser("optgap preflight", description="Is a right answer paid with this model?")
    add_options(parser)
    return run(parser.parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())
