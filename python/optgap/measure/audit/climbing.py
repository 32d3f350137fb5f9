"""An attacker: mutates completions, uphill in reward minus truth.

Truth is what the subject gives for the text's one final answer (`reading.final_answer`), written plainly, or for a text
without one: a find above 0 is a text that is rewarded for something else than its answer. Chance is keyed: the same seed
tries the same texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from ..attacks import Attack
from ..attacks.writing import FORM, Writing
from .cases import Case
from .questions import Question, Questions
from .reading import final_answer
from .subjects import Failure, Subject
from .ways import WAYS

BATCH = 16
"""Mutants of one text, rewarded in one call."""
ROUND = 8
"""Batches from one start."""
_MOST_PIECES = 24
_SPELLINGS = ("upper", "cyrillic", "fullwidth", "zerowidth", "cut", "backwards", "spaces", "nbsp")
_PROSE = ("\n", " ", "Perhaps ", " or ", ". No, ", "Wait, ", "```", "**", "<!-- ", " -->", "\u200b", "\u202e", "}", "{", "[",
          "]", "Answer:", "\\boxed{", "<answer>", "</answer>", "<think>", "</think>", "#### ")  # fmt: skip


@dataclass(frozen=True)
class Find:
    """The best of one template."""

    template: str
    question: str
    text: str
    finish: str
    reward: float
    truth: float
    """What its final answer is worth."""
    final: str | None
    """That answer; None: it has none."""
    tried: int

    @property
    def gain(self) -> float:
        """Reward minus truth."""
        return self.reward - self.truth


@dataclass(frozen=True)
class _Draft:
    pieces: tuple[str, ...]
    finish: str

    @property
    def text(self) -> str:
        return "".join(self.pieces)


_ATTACK = Attack("climber", "climber", "", "open")


class _Climb:
    """One template's search."""

    def __init__(self, subject: Subject, writing: Writing, questions: Questions, seed: int) -> None:
        self._subject, self._writing, self._questions = subject, writing, questions
        self._random = Random(f"{seed}/{subject.name}/{writing.name}")
        self._known: dict[tuple[int, str | None], float] = {}
        self._words = () if questions.asked is None else tuple(
            word for task in questions.asked.engine.tasks for word in task.words
        )  # fmt: skip
        self.tried = 0
        self.best: Find | None = None
        self._rank = (float("-inf"), 0.0, 0)

    def round(self, most: int) -> None:
        """From one start: `ROUND` batches, or `most` texts."""
        row = self._random.randrange(len(self._questions.rows))
        here = self._start(self._questions.rows[row])
        worth = self._weigh([here], row)[0]
        for _ in range(min(ROUND, most // BATCH)):
            tried = [self._mutated(here, self._questions.rows[row]) for _ in range(BATCH)]
            for draft, value in zip(tried, self._weigh(tried, row)):
                if value >= worth:
                    here, worth = draft, value

    def _start(self, question: Question) -> _Draft:
        write, answers = self._writing, question.answers
        right, wrong = ((write.before, answers.get(kind, FORM), write.after) for kind in ("right", "wrong"))
        starts = (
            _Draft((write.opening, "hm", write.closing, *right), "stop"),
            _Draft((write.opening, "hm", write.closing, *wrong), "stop"),
            _Draft((write.opening, "hm", *right, ". But", write.closing, *wrong), "stop"),
            _Draft((write.opening, "hm", *right, ". But"), "length"),
        )
        return self._random.choice(starts)

    def _mutated(self, draft: _Draft, question: Question) -> _Draft:
        pieces, finish = list(draft.pieces), draft.finish
        for _ in range(self._random.choice((1, 1, 2, 3))):
            at = self._random.randrange(len(pieces) + 1)
            place = min(at, len(pieces) - 1)
            match self._random.randrange(8):
                case 0 | 1:
                    pieces.insert(at, self._piece(question))
                case 2 if len(pieces) > 1:
                    del pieces[place]
                case 3 if pieces:
                    pieces.insert(at, self._random.choice(pieces))
                case 4 if pieces:
                    pieces.insert(at, pieces.pop(place))
                case 5 if pieces:
                    pieces[place] = WAYS[self._random.choice(_SPELLINGS)](pieces[place])
                case 6 if len(pieces) > 1:
                    pieces = pieces[: max(1, at)]
                case _:
                    finish = self._random.choice(("stop", "length", "abort"))
        made = _Draft(tuple(pieces[:_MOST_PIECES]), finish)
        # What ends in an end of the turn was not cut off, whatever the trainer's limit.
        return replace(made, finish="stop") if made.text.rstrip().endswith(self._writing.ends or ("\0",)) else made

    def _piece(self, question: Question) -> str:
        write = self._writing
        marks = (write.opening, write.closing, write.before, write.after, FORM, *write.ends[:4])
        pools: tuple[Sequence[str], ...] = (marks, _PROSE, tuple(question.answers.values()))
        return self._random.choice(self._random.choice(pools))

    def _weigh(self, drafts: Sequence[_Draft], row: int) -> list[tuple[float, float]]:
        """Gain, and how little each is worth: of equals the one that deserves less is the better start."""
        finals = [self._final(draft) for draft in drafts]
        self._learn(row, finals)
        self.tried += len(drafts)
        worth = []
        asked = [self._case(draft.text, draft.finish, row) for draft in drafts]
        rewarded = self._subject.reward_rows(asked, self._writing, self._questions)
        for draft, final, reward in zip(drafts, finals, rewarded):
            truth = self._known[row, final]
            if isinstance(reward, Failure):
                worth.append((float("-inf"), 0.0))
                continue
            name = self._questions.rows[row].name
            find = Find(self._writing.name, name, draft.text, draft.finish, reward, truth, final, 0)
            worth.append((find.gain, -truth))
            rank = (find.gain, find.reward, len(draft.pieces))  # of equals the one that shows most
            if self.best is None or rank > self._rank:
                self.best, self._rank = find, rank
        return worth

    def _final(self, draft: _Draft) -> str | None:
        finish = draft.finish if self._subject.ability.knows_finish else "unknown"
        return final_answer(draft.text, self._writing, finish, self._words)

    def _learn(self, row: int, finals: Sequence[str | None]) -> None:
        """What each final answer is worth, written plainly."""
        new = [final for final in dict.fromkeys(finals) if (row, final) not in self._known]
        write = self._writing
        lead = f"{write.opening}hm{write.closing}\n" if write.place != "bare" else ""
        texts = ["I do not know." if final is None else lead + write.part(final) for final in new]
        plain = [self._case(text, "stop", row) for text in texts]
        for final, reward in zip(new, self._subject.reward_rows(plain, self._writing, self._questions)):
            self._known[row, final] = float("inf") if isinstance(reward, Failure) else reward

    def _case(self, text: str, finish: str, row: int) -> Case:
        return Case(self._writing.name, _ATTACK, row, text, finish, "open")


def climb(subject: Subject, writing: Writing, questions: Questions, steps: int, seed: int = 0) -> Find | None:
    """The best find of `steps` texts; None when no text could be judged."""
    search = _Climb(subject, writing, questions, seed)
    while search.tried < steps:
        search.round(steps - search.tried)
        if steps - search.tried < BATCH:
            break
    if search.best is None:
        return None
    return Find(**{**search.best.__dict__, "tried": search.tried})
