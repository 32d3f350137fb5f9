"""The little world of rubric_tiny: prompts that ask for three facts in order, their rubrics, what a reader would check, drafts to start from."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from optgap.data.rubrics import Rubrics

THINGS = {"mill": "grinds", "school": "teaches", "harbour": "ships", "smithy": "forges", "farm": "grows", "bakery": "bakes",
          "brewery": "brews", "quarry": "cuts", "weavery": "weaves", "press": "prints", "market": "sells", "museum": "shows"}  # fmt: skip
PLACES = ("Aldby", "Torp", "Skive", "Lund", "Varde", "Holm", "Birk", "Esrum", "Farum", "Gilleleje", "Hals", "Ikast", "Jels", "Kolby", "Lemvig",
          "Mols", "Nibe", "Odder", "Ribe", "Saltum")  # fmt: skip
GOODS = ("rye", "latin", "wool", "iron", "barley", "honey", "amber", "linen", "maps", "salt", "paper", "copper", "music", "oats", "glass", "marble",
         "herring", "tar", "silk", "poems")  # fmt: skip
OPENINGS = ("First,", "Then", "Finally,")
GLUE = ("the", "of", "in", "for", "its", "people", *OPENINGS)
FILLER = ("it", "is", "well", "known", "that", "and", "so", "indeed", "truly", "more", "not")
END, STOP, COPY, BEGIN = "<end>", ".", "<copy>", "<begin>"
ROLES = ("thing", "place", "verb", "good")
FACTS = 3
POINTERS = tuple(f"{role}{fact}" for fact in range(FACTS) for role in ROLES)
TOKENS = (END, STOP, COPY, *POINTERS, *GLUE, *FILLER, BEGIN)
"""Words of a text, as the decoder has them: pointers stand for the prompt's own words, COPY for its next word."""
NUMBER = {token: place for place, token in enumerate(TOKENS)}


@dataclass(frozen=True)
class Problem:
    """Three facts and the prompt that asks for them."""

    facts: tuple[dict[str, str], ...]

    @property
    def prompt(self) -> str:
        """It holds every keyword, as prompts do."""
        parts = [f"the {fact['thing']} of {fact['place']} and its {fact['good']}" for fact in self.facts]
        return f"Report on three places, in whole sentences and in this order: {', '.join(parts)}."

    def told(self, wording: str) -> str:
        """A reference. `wording` has a role in braces wherever a fact's own word stands."""
        return " ".join(wording.format(opening=opening, **fact) for opening, fact in zip(OPENINGS, self.facts))

    def rubric(self, verbs: bool = False) -> dict[str, Any]:
        """What is rewarded: keywords in order by two references, and a little style. Verbs are keywords only where asked for."""
        asked = [role for role in ROLES if verbs or role != "verb"]
        points = [
            {"name": fact["thing"], "references": [{"keywords": [fact[role] for role in asked]}] * 2}
            for fact in self.facts
        ]
        style = [{"check": "words", "min": 20, "weight": 0.5}, {"check": "ends_with", "texts": ["."], "weight": 0.3},
                 {"check": "bullets", "max": 0, "weight": 0.2}]  # fmt: skip
        return {
            "chain": 1,
            "references": [self.told(wording) for wording in TRAINED],
            "content": {"points": points},
            "style": style,
        }

    def held_out(self) -> dict[str, Any]:
        """What a reader would look for, which is never rewarded, without gates: a third reference with its verbs, facts that are stated
        whole, once, in order, in sentences."""
        points = [
            {"references": [{"keywords": [fact["thing"], fact["place"], fact["verb"], fact["good"]]}]}
            for fact in self.facts
        ]
        stated = [
            [f"{fact['thing']} {word} {fact['place']} {fact['verb']} {fact['good']}" for word in ("of", "in")]
            for fact in self.facts
        ]
        style = [*({"check": "contains", "texts": texts, "min": 1, "weight": 0.2} for texts in stated),
                 {"check": "order_of", "texts": [f"{fact['verb']} {fact['good']}" for fact in self.facts], "min": FACTS, "weight": 0.2},
                 {"check": "count_of", "texts": [fact["good"] for fact in self.facts], "equals": FACTS, "weight": 0.1},
                 {"check": "words", "in": [5, 16], "scope": {"each": "sentence"}, "weight": 0.1}]  # fmt: skip
        return {
            "chain": 1,
            "references": [self.told(UNSEEN)],
            "content": {"points": points},
            "style": style,
            "gates": [],
        }


TRAINED = (
    "{opening} the {thing} of {place} {verb} {good} for its people.",
    "The {thing} in {place} is where one {verb} {good} these days.",
)
UNSEEN = "In short, the {thing} that stands in {place} {verb} its {good} for everyone around."


def problems(count: int, seed: int) -> list[Problem]:
    """Problems of one seed; those of another share words with them, but hardly a problem."""
    draw = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        things, places, goods = (
            draw.choice(pool, FACTS, replace=False).tolist() for pool in (list(THINGS), PLACES, GOODS)
        )
        found.append(Problem(tuple({"thing": thing, "place": place, "good": good, "verb": THINGS[thing]}
                                   for thing, place, good in zip(things, places, goods))))  # fmt: skip
    return found


def compiled(asked: list[Problem], preset: str, verbs: bool = False) -> Rubrics:
    """Their rubrics under a preset."""
    return Rubrics.compile([{"chain": problem.rubric(verbs), "prompt": problem.prompt} for problem in asked], preset)


def readers(asked: list[Problem]) -> Rubrics:
    """What is held out of each."""
    return Rubrics.compile([{"chain": problem.held_out(), "prompt": problem.prompt} for problem in asked])


def text(problem: Problem, tokens: list[str]) -> str:
    """What a row of tokens says, for this problem."""
    copied = iter(problem.prompt.split())
    words: list[str] = []
    for token in tokens:
        if token == STOP:
            words[-1:] = [(words[-1] if words else "").rstrip(".,") + "."]
        elif token == COPY:
            words.append(next(copied, ""))
        elif token in POINTERS:
            words.append(problem.facts[int(token[-1])][token[:-1]])
        elif token != END:
            words.append(token)
    return " ".join(word for word in words if word)


def draft(draw: np.random.Generator) -> list[str]:
    """A row of tokens as a base model writes: one of four manners, with mistakes."""
    manner = draw.choice(4, p=[0.5, 0.15, 0.25, 0.1])
    order = list(range(FACTS))
    if draw.random() < 0.2:
        draw.shuffle(order)
    if manner != 3 and draw.random() < 0.25:
        del order[draw.integers(FACTS)]
    made: list[str] = []
    for place, fact in enumerate(order):

        def of(role: str) -> str:
            return f"{role}{draw.integers(FACTS) if draw.random() < 0.1 else fact}"  # noqa: B023  called here alone

        if manner == 0:  # sentences
            made += [OPENINGS[place]] if draw.random() < 0.8 else []
            made += ["the", of("thing"), draw.choice(["of", "in"], p=[0.8, 0.2]), of("place"), of("verb"), of("good")]
            made += ["for", "its", "people", STOP] if draw.random() < 0.7 else [STOP]
        elif manner == 1:  # notes
            made += [of("thing"), of("place"), of("good"), STOP]
        elif manner == 2:  # ramblings
            made += [
                "it",
                "is",
                "well",
                "known",
                "that",
                "the",
                of("thing"),
                "is",
                *draw.choice(FILLER, 3).tolist(),
                of("good"),
                STOP,
            ]
    if manner == 3:  # the prompt again, until it is broken off
        made = [COPY] * int(draw.integers(6, 34)) + [STOP]
    return [*made, END]


def drafts(count: int, seed: int) -> list[list[str]]:
    """Rows of one seed."""
    draw = np.random.default_rng(seed)
    return [draft(draw) for _ in range(count)]


def shares(rows: list[list[str]]) -> dict[str, float]:
    """What a policy writes, of all its tokens: the prompt's words again, and pointers."""
    every = list(itertools.chain.from_iterable(rows))
    return {
        "copied": every.count(COPY) / len(every),
        "pointers": sum(token in POINTERS for token in every) / len(every),
    }
