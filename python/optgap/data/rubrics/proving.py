"""Proposals of `recognising`, held against the codes' own verdicts: at least 200 texts, the codes in the sandbox, a hundred of them
in one call of `optgap score`, one process for one code and a list of texts."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.errors import Error
from .recognising import Unknown, recognise

MIN_TEXTS = 200
_SEED = 20110
_CODES_AT_ONCE = 100
"""Of one call, so that a data set's codes with their texts are never all in memory."""

ScoreRows = Callable[[list[dict[str, Any]]], list[dict[str, Any]]]
"""What `optgap score --isolation auto` makes of rows (optgap.score)."""

PLAIN = ("", " ", "\n", "Pst", "One sentence. Another one! A third?", "- a\n- b\n* c\n1. d\n2) e\n• f", "# Title\n\n## Part\n\nText.",
         "first\n\nsecond\n\n\nthird\n \nfourth\n\t\nfifth\n", "a\r\nb\rc\x0bd\x0ce\x1cf\x85g\u2028h\u2029i",
         "\u3000\u4e2d\u6587\uff0c\u5b57\u3002\n\n\u7b2c\u4e8c\u6bb5\u3002", "\u0130\u0131\u017f\u212a\u1e9e\u00df\u03a3\u03c2 \u01c5 \u2160 \u00b2 \u0663",
         "**bold** *italic* `code` ~~~\n```python\nx = 1\n```\n| a | b |\n|---|---|\n| 1 | 2 |", "I think my answer is mine. We, however, do not.",
         "YES! \"Quoted\" (aside) [link](https://a.b/c) 3.14 1,000 50% \U0001f600", "x" * 500, "word " * 400, "Line.\n" * 120,
         "\n- a\n\n- b\n", "  - a\n\t* b\n-c\n--\n- \n*\n", "...\n!?\n", "a.b.c...d", "In conclusion, all is well.\nP.S. Hello",
         "Dear reader,\n\nthank you.\n\nBest regards", "\x00\x1f\x7f", "e\u0301 \u00e9 \ufeff\u200b")  # fmt: skip
"""Of every proof: empty and blank texts, marks, all line ends, letters whose case is odd, CJK, long ones."""


@dataclass
class Coverage:
    """Of a data set's checks in Python."""

    checks: int = 0
    weight: float = 0
    recognised: int = 0
    recognised_weight: float = 0
    unequal: int = 0
    """Shapes that were recognised, and refused because some verdict differs."""
    reasons: dict[str, int] | None = None
    """Why others were not, with counts."""

    def sentence(self) -> str:
        share = 100 * self.recognised / self.checks if self.checks else 0
        by_weight = 100 * self.recognised_weight / self.weight if self.weight else 0
        return (f"{self.recognised} of {self.checks} checks in Python are data now ({share:.1f} %, by weight {by_weight:.1f} %); "
                f"the others run in the sandbox, {self.unequal} of them since some verdict of {MIN_TEXTS} or more texts differed")  # fmt: skip


def texts_for(codes: Sequence[str], references: Iterable[str], seed: int = _SEED) -> list[str]:
    """Texts that tell checks apart: references, cut, shuffled, joined, and those of PLAIN; at least 200, the same every time.

    Texts of a code's own constants stand in them, so that the rare ones are met.
    """
    drawn = random.Random(seed)
    known = [one[:20000] for one in dict.fromkeys(references)]
    known = drawn.sample(known, 40) if len(known) > 40 else known
    found = dict.fromkeys([*PLAIN, *known])
    own = [piece for code in codes for piece in _constants(code)]
    base = [*known, *PLAIN]
    for piece in own:
        place = drawn.choice(base)
        for text in (
            piece,
            f"{piece} {place}",
            f"{place}\n{piece}",
            f"{place[: len(place) // 2]} {piece.upper()} x",
            f"a{piece}b",
        ):
            found.setdefault(text)
    while len(found) < max(MIN_TEXTS, 260) or len(found) < MIN_TEXTS + len(own):
        text = drawn.choice(base)
        how = drawn.randrange(8)
        if how == 0:
            text = text[: drawn.randrange(len(text) + 1)]
        elif how == 1:
            words = text.split()
            drawn.shuffle(words)
            text = " ".join(words)
        elif how == 2:
            text = text + drawn.choice(("\n", "\n\n", " ")) + drawn.choice(base)
        elif how == 3:
            lines = text.split("\n")
            drawn.shuffle(lines)
            text = "\n".join(lines)
        elif how == 4:
            text = "\n".join(drawn.choice(("- ", "* ", "1. ", "# ", "  - ", "")) + " ".join(text.split()[at : at + 7])
                             for at in range(0, 7 * drawn.randrange(1, 9), 7))  # fmt: skip
        elif how == 5:
            text = drawn.choice((text.upper(), text.lower(), text.title(), text.swapcase()))
        elif how == 6:
            at = drawn.randrange(len(text) + 1)
            text = text[:at] + drawn.choice("\n.,!?*-#:;\u3002\u00a0\u2028\u0130\u017f\u212a9") + text[at:]
        else:
            text = " ".join(f"{drawn.choice(('word', 'Word', 'data', 'the', 'I'))}{drawn.choice(('', '.', ',', '!', '?'))}"
                            for _ in range(drawn.choice((5, 20, 49, 50, 51, 99, 100, 101, 149, 150, 151, 199, 200, 201, 299, 300, 301))))  # fmt: skip
        found.setdefault(text)
    return list(found)


def _constants(code: str) -> list[str]:
    """Texts that a code names, the first twenty."""
    import ast

    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    found = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [one.encode(errors="replace").decode() for one in dict.fromkeys(found) if one][:20]


def proposals(codes: Iterable[str]) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """Checks for codes, and why there is none for others."""
    found: dict[str, dict[str, Any]] = {}
    refused: dict[str, str] = {}
    for code in dict.fromkeys(codes):
        try:
            found[code] = recognise(code)
        except Unknown as unknown:
            refused[code] = str(unknown)
    return found, refused


def proven(
    codes: Iterable[str], references: Iterable[str], score: ScoreRows
) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """The proposals whose verdicts are the codes' own on every text, and why others are not. Raises Error without a sandbox."""
    proposed, refused = proposals(codes)
    known = list(references)
    sound = {}
    trials = score([{"chain": _one(check), "completion": "x"} for check in proposed.values()]) if proposed else []
    for code, trial in zip(proposed, trials, strict=True):
        if "error" in trial:
            refused[code] = f"refused: {trial['error']['rule']}"
    codes = [code for code in proposed if code not in refused]
    for first in range(0, len(codes), _CODES_AT_ONCE):
        rows, places = [], []
        for code in codes[first : first + _CODES_AT_ONCE]:
            for text in texts_for([code], known):
                # A blank completion has no text for any check; the rubric reads all of it.
                rows.append({"chain": _one(proposed[code], {"check": "code", "code": code}), "completion": text})
                places.append(code)
        for code, row in zip(places, score(rows), strict=True):
            if "error" in row:
                if row["error"].get("field") == "isolation":
                    raise Error(
                        f"nothing can be proven: {row['error']['rule']}",
                        "sandbox_unavailable",
                        "isolation",
                        row["error"]["rule"],
                    )
                refused[code] = f"refused: {row['error']['rule']}"
            elif row["checks"][0] != row["checks"][1]:
                refused.setdefault(code, f"unequal: {row['completion'][:60]!r}")
    for code, check in proposed.items():
        if code not in refused:
            sound[code] = check
    return sound, refused


def _one(*checks: dict[str, Any]) -> dict[str, Any]:
    return {"chain": 1, "text": {"part": "all"}, "style": list(checks)}


def with_recognised(rows: list[dict[str, Any]], score: ScoreRows) -> Coverage:
    """Puts recognised checks into the rows' rubrics, where they stood as code; reports how many."""
    coded = [check for row in rows for check in row.get("chain", {}).get("style", ()) if check.get("check") == "code"]
    references = [text for row in rows for text in row.get("chain", {}).get("references", ())]
    sound, refused = proven((check["code"] for check in coded), references, score)
    out = Coverage(reasons={})
    assert out.reasons is not None
    for check in coded:
        code, weight = check["code"], float(check.get("weight", 1))
        out.checks += 1
        out.weight += weight
        if code in sound:
            out.recognised += 1
            out.recognised_weight += weight
            del check["check"], check["code"]
            check.update({**sound[code], **check})
        else:
            why = refused[code].partition(":")[0]
            out.unequal += why == "unequal"
            out.reasons[why] = out.reasons.get(why, 0) + 1
    return out
