"""A decoder that is small enough for NumPy: the next token from the last two, the number of sentences and of words so far."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from optgap.examples.rubric_facts import BEGIN, COPY, END, NUMBER, STOP, TOKENS

Numbers = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

WIDTH = 48
LONGEST = 72
"""Tokens of a text; one that is longer is cut off."""
_SENTENCES, _BUCKETS, _BUCKET = 8, 12, 6
_INPUTS = (len(TOKENS), len(TOKENS), _SENTENCES, _BUCKETS)


@dataclass(frozen=True)
class Rollouts:
    """Texts as tokens, with what each was drawn from: row t of text i is `text == i`."""

    rows: list[list[str]]
    ended: npt.NDArray[np.bool_]
    """[texts], False where it was cut off."""
    states: Places
    """[tokens, inputs]."""
    taken: Places
    """[tokens]."""
    text: Places
    """[tokens], the text."""


class Decoder:
    """softmax(U tanh(sum of one row of each table) + c), trained by Adam."""

    def __init__(self, seed: int) -> None:
        draw = np.random.default_rng(seed)
        self.parts = [draw.normal(0, 0.3, (size, WIDTH)) for size in _INPUTS]
        self.parts += [draw.normal(0, 0.1, (WIDTH, len(TOKENS))), np.zeros(len(TOKENS))]
        self._first = [np.zeros_like(part) for part in self.parts]
        self._second = [np.zeros_like(part) for part in self.parts]
        self._steps = 0

    def copy(self) -> Decoder:
        """The same weights; the optimiser begins anew."""
        made = Decoder(0)
        made.parts = [part.copy() for part in self.parts]
        return made

    def _forward(self, states: Places) -> tuple[Numbers, Numbers]:
        hidden = np.tanh(sum(table[states[:, k]] for k, table in enumerate(self.parts[: len(_INPUTS)])))
        logits = hidden @ self.parts[-2] + self.parts[-1]
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, powers / powers.sum(axis=1, keepdims=True)

    def chances(self, states: Places) -> Numbers:
        """[states, tokens]."""
        return self._forward(states)[1]

    def gradient(self, states: Places, taken: Places, weight: Numbers) -> list[Numbers]:
        """Of the sum of weight × log probability, by every part."""
        hidden, chances = self._forward(states)
        above = -chances * weight[:, None]
        above[np.arange(len(taken)), taken] += weight
        below = (above @ self.parts[-2].T) * (1 - hidden**2)
        tables = [np.eye(size)[states[:, k]].T @ below for k, size in enumerate(_INPUTS)]
        return [*tables, hidden.T @ above, above.sum(axis=0)]

    def step(self, states: Places, taken: Places, weight: Numbers, rate: float) -> None:
        """Adam's, uphill."""
        self._steps += 1
        for part, grad, first, second in zip(
            self.parts, self.gradient(states, taken, weight), self._first, self._second
        ):
            first += 0.1 * (grad - first)
            second += 0.01 * (grad**2 - second)
            part += rate * (first / (1 - 0.9**self._steps)) / (np.sqrt(second / (1 - 0.99**self._steps)) + 1e-8)

    def sample(self, count: int, draw: np.random.Generator) -> Rollouts:
        """Texts at temperature 1."""
        state = np.zeros((count, len(_INPUTS)), np.int64)
        state[:, :2] = NUMBER[BEGIN]
        alive = np.arange(count)
        states, taken, of = [], [], []
        for length in range(LONGEST):
            chances = self.chances(state[alive])
            chosen = (draw.random(len(alive))[:, None] > chances.cumsum(axis=1)[:, :-1]).sum(axis=1)
            states.append(state[alive])
            taken.append(chosen)
            of.append(alive)
            state[alive] = advanced(state[alive], chosen, length + 1)
            alive = alive[chosen != NUMBER[END]]
            if not len(alive):
                break
        flat, whose = np.concatenate(taken), np.concatenate(of)
        rows: list[list[str]] = [[] for _ in range(count)]
        for token, row in zip(flat.tolist(), whose.tolist()):
            rows[row].append(TOKENS[token])
        return Rollouts(rows, ~np.isin(np.arange(count), alive), np.concatenate(states), flat, whose)


def advanced(state: Places, chosen: Places, length: int) -> Places:
    """The states behind a token: the last two, sentences so far, words so far by sixes."""
    sentences = np.minimum(state[:, 2] + (chosen == NUMBER[STOP]), _SENTENCES - 1)
    bucket = np.full(len(chosen), min(length // _BUCKET, _BUCKETS - 1))
    return np.stack([chosen, state[:, 0], sentences, bucket], axis=1)


def supervise(decoder: Decoder, rows: list[list[str]], steps: int, rate: float, draw: np.random.Generator) -> None:
    """Steps on drafts, 64 at a time."""
    walked = [walk(row) for row in rows]
    for _ in range(steps):
        chosen = [walked[place] for place in draw.integers(0, len(rows), 64)]
        states, taken = (np.concatenate(part) for part in zip(*chosen))
        decoder.step(states, taken, np.full(len(taken), 1 / len(taken)), rate)


def walk(row: list[str]) -> tuple[Places, Places]:
    """The states that a row of tokens goes through, and its tokens."""
    taken = np.array([NUMBER[token] for token in row])
    state = np.array([[NUMBER[BEGIN], NUMBER[BEGIN], 0, 0]])
    states = []
    for length, token in enumerate(taken, 1):
        states.append(state)
        state = advanced(state, np.array([token]), length)
    return np.concatenate(states), taken


__all__ = ["COPY", "LONGEST", "Decoder", "Rollouts", "supervise", "walk"]
