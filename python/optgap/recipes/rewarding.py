"""Rewards of rows that are none of optgap's: mathematics, a judge, a reward model, a likelier reference; in the shape of each
trainer's functions. A row says its kind and what the reward reads in its ground truth: `{"maths": {"answer": "4"}}`."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from ..core.errors import misuse
from ..core.files.reading import rows_of
from ..measure.endpoint import Endpoint, RequestFailed

Truth = Mapping[str, Any]


class Paying(Protocol):
    """Rewards texts of one kind of row."""

    kind: str

    def reward_rows(self, texts: Sequence[str], truths: Sequence[Truth]) -> list[float]: ...


class Maths:
    """1 where math-verify finds the answer in the text's last 4,096 characters, else 0. Its deadlines are signals, which only the
    main thread has: in another thread it runs without."""

    kind = "maths"

    def __init__(self) -> None:
        try:
            self._verifier: Any = importlib.import_module("math_verify")
        except ImportError:
            raise misuse("maths", "needs math-verify: pip install 'math-verify[antlr4-13-2]'") from None

    def reward_rows(self, texts: Sequence[str], truths: Sequence[Truth]) -> list[float]:
        return [float(self._right(text[-4096:], str(truth["answer"]))) for text, truth in zip(texts, truths)]

    def _right(self, text: str, answer: str) -> bool:
        seconds = 5 if threading.current_thread() is threading.main_thread() else None
        gold = self._verifier.parse(f"\\boxed{{{answer}}}", parsing_timeout=seconds)
        said = self._verifier.parse(text, parsing_timeout=seconds)
        return bool(self._verifier.verify(gold, said, timeout_seconds=seconds))


class Judge:
    """A language model's score from 1 to 10 of an answer, by a rubric that the prompt states; (score − 1) / 9. A reply without
    one score is 0: a doubt earns nothing."""

    kind = "judged"
    PROMPT = (
        "Judge an answer to the request below. Compare it with the reference, which is one good answer among others. Weigh: is it "
        "right, does it hold what the reference holds, is it well ordered, does it do what was asked and no more.\n\n## Request\n\n"
        "{prompt}\n\n## Reference\n\n{reference}\n\n## Answer\n\n{text}\n\nReply with a sentence and then with "
        "<score>N</score>, N an integer from 1 to 10."
    )

    def __init__(self, base_url: str, model: str, *, api_key_env: str | None = None) -> None:
        self._endpoint = Endpoint(
            base_url, model, api_key_env=api_key_env, body={"temperature": 0.0, "max_tokens": 512}
        )

    def reward_rows(self, texts: Sequence[str], truths: Sequence[Truth]) -> list[float]:
        asked = [(row, [{"role": "user", "content": self.PROMPT.format(**truth, text=text)}])
                 for row, (text, truth) in enumerate(zip(texts, truths))]  # fmt: skip
        values = [0.0] * len(texts)
        for row, reply in self._endpoint.ask(asked):
            if not isinstance(reply, RequestFailed):
                values[row] = score_of(reply.text)
        return values


def score_of(text: str) -> float:
    """Of the one `<score>` of a judgement; 0 where there is none, there are several, or it is out of 1 to 10."""
    found = re.findall(r"<score>\s*(\d{1,2})\s*</score>", text)
    return (int(found[0]) - 1) / 9 if len(found) == 1 and 1 <= int(found[0]) <= 10 else 0.0


class Classifier:
    """A reward model's number for prompt and answer: a sequence classifier with one label, in this process."""

    kind = "modelled"

    def __init__(self, model: str, *, device: str | None = None) -> None:
        of_models = importlib.import_module("transformers")
        self._torch: Any = importlib.import_module("torch")
        self._tokenizer = of_models.AutoTokenizer.from_pretrained(model)
        self._model = of_models.AutoModelForSequenceClassification.from_pretrained(model, dtype="auto")
        if self._model.config.num_labels != 1:
            raise misuse("reward-model", f"{model} has {self._model.config.num_labels} labels, expected one")
        self._device = device or ("cuda" if self._torch.cuda.is_available() else "cpu")
        self._model.to(self._device).eval()

    def reward_rows(self, texts: Sequence[str], truths: Sequence[Truth]) -> list[float]:
        values = []
        with self._torch.no_grad():
            for text, truth in zip(texts, truths):
                said = [{"role": "user", "content": truth["prompt"]}, {"role": "assistant", "content": text}]
                ids = self._tokenizer.apply_chat_template(said, return_tensors="pt", return_dict=True).to(self._device)
                values.append(float(self._model(**ids).logits[0, 0]))
        return values


class Likelier:
    """RLPR's reward: the mean probability of the reference's tokens behind the reasoning that the text holds, less that behind
    none, cut to 0 and 1. The policy is asked itself: `policy` is set once the trainer has it."""

    kind = "likely"

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self.policy: Any = None

    def reward_rows(self, texts: Sequence[str], truths: Sequence[Truth]) -> list[float]:
        values = []
        for text, truth in zip(texts, truths):
            reasoning, ended, _ = text.partition("</think>")
            if not ended:
                values.append(0.0)
                continue
            gained = self._likely(truth, reasoning + ended) - self._likely(truth, "<think></think>")
            values.append(min(1.0, max(0.0, gained)))
        return values

    def _likely(self, truth: Truth, reasoning: str) -> float:
        torch: Any = importlib.import_module("torch")
        asked = [{"role": "user", "content": truth["prompt"]}]
        before = self._tokenizer.apply_chat_template(asked, tokenize=False, add_generation_prompt=True)
        head = self._tokenizer(f"{before}{reasoning}<answer>", add_special_tokens=False)["input_ids"]
        tail = self._tokenizer(str(truth["reference"]), add_special_tokens=False)["input_ids"]
        with torch.no_grad():
            ids = torch.tensor([head + tail], device=self.policy.device)
            shares = self.policy(input_ids=ids).logits[0, len(head) - 1 : -1].float().softmax(-1)
        return float(shares[range(len(tail)), tail].mean())


def right_answers(path: str | os.PathLike[str]) -> tuple[int, int]:
    """Of rows with `completion` and `answer`: how many are right, and how many there are. Raises Error with the line."""
    texts, truths = [], []
    for place, row in rows_of(path):
        if not isinstance(row.get("completion"), str) or "answer" not in row:
            raise misuse("rows", f"{place} has no completion or no answer")
        texts.append(row["completion"])
        truths.append({"answer": row["answer"]})
    return int(sum(Maths().reward_rows(texts, truths))), len(texts)


def for_trl(rewarding: Paying) -> Callable[..., list[float | None]]:
    """A reward function for TRL: None for rows of other kinds."""

    def function(
        completions: Sequence[Any], ground_truth: Sequence[str], data_source: Sequence[str], **_: Any
    ) -> list[float | None]:
        mine = [row for row, kind in enumerate(data_source) if kind == rewarding.kind]
        values: list[float | None] = [None] * len(completions)
        rewarded = rewarding.reward_rows(
            [_text(completions[row]) for row in mine], [_truth(ground_truth[row], rewarding) for row in mine]
        )
        for row, value in zip(mine, rewarded):
            values[row] = value
        return values

    function.__name__ = rewarding.kind
    return function


def for_verl(rewarding: Paying) -> Callable[..., float]:
    """`compute_score` for verl, which its reward manager `optgap` asks about rows of other kinds than optgap's."""

    def compute_score(
        data_source: str, solution_str: str, ground_truth: str, extra_info: Any = None, **_: Any
    ) -> float:
        return rewarding.reward_rows([solution_str], [_truth(ground_truth, rewarding)])[0]

    return compute_score


def for_slime(rewarding: Paying) -> Callable[..., Any]:
    """`optgap_fallback` for slime."""

    async def rm(args: Any, sample: Any) -> float:
        found = await asyncio.to_thread(rewarding.reward_rows, [sample.response], [_truth(sample.label, rewarding)])
        return found[0]

    return rm


def for_openrlhf(rewarding: Paying) -> Callable[..., dict[str, Any]]:
    """The `fallback` of optgap.trainers.openrlhf.reward.configured: of a query what stands behind its prompt is rewarded."""

    def reward_func(queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str], **_: Any) -> dict[str, Any]:
        texts = [
            query[query.find(prompt) + len(prompt) :] if prompt in query else ""
            for query, prompt in zip(queries, prompts)
        ]
        values = rewarding.reward_rows(texts, [_truth(label, rewarding) for label in labels])
        return {"rewards": values, "scores": values}

    return reward_func


def _truth(text: str, rewarding: Paying) -> Truth:
    truth: Truth = json.loads(text)[rewarding.kind]
    return truth


def _text(completion: Any) -> str:
    return completion if isinstance(completion, str) else str(completion[-1].get("content") or "")
