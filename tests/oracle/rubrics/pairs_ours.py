"""Random rubrics of preset `ours` and texts for them: fences, reasoning, hidden and mixed letters, copied prompts,
checks."""

import random

import pairs

SENTENCES = """The Moon pulls on the ocean. Its gravity raises two bulges, and the Earth turns below them! Why twice a day?
Machine learning needs data. A model of risk is no model of gain, e.g. a deep net. Dr. Smith saw C++ at 3.14 p.m. today.
机器学习 needs 数据。東京 is a capital。 Paris lies on the Seine. The Seine flows through Paris to the sea. Deep “nets” learn… slowly.
- First point: data
- Second point: risk
# A heading
It costs 5 μm, or 5 µm. Наука и data. Сolour with a Cyrillic letter. As an AI I cannot say.""".split("\n")  # fmt: skip
TRICKS = ["```\nMoon ocean data\n```\n", "~~~py\nParis\n", "<!-- Seine sea -->", "[risk](data model) ", "\u200b", "\u2060\u00ad", "раris ",
          "ＤＡＴＡ ", "data\u3000model ", "data\u00a0model ", "<think>", "</think>", "DATA, RISK; ", "   ```", "](", "machine\n\nlearning ", "\u0345",
          "data_model ", "é", "e\u0301", "ι", "ß"]  # fmt: skip
KEYWORDS = [
    "Moon",
    "ocean",
    "data",
    "model",
    "machine learning",
    "deep",
    "Seine",
    "sea",
    "Paris",
    "risk",
    "C++",
    "3.14",
    "机器",
    "机器学习",
    "東京",
    "5 μm",
    "Наука",
    "AI",
    "e.g.",
    "the Seine",
    "bulges",
    "bulge",
    "learning",
    "learns",
    "pulling",
    "capital",
    "net",
    "+",
    "“nets”",
    "data  model",
    "STRASSE",
    "ſun",
]
CHECKS = [("words", 5, 60), ("sentences", 1, 6), ("commas", 0, 4), ("bullets", 1, 9), ("characters", 20, 400), ("paragraphs", 1, 3),
          ("headings", 0, 1), ("questions", 0, 1), ("longest_word", 3, 9), ("fences", 0, 0), ("nonempty_lines", 1, 6), ("pieces", 4, 80)]  # fmt: skip


def a_text(draw, sentences):
    out = ""
    for _ in range(sentences):
        out += draw.choice(SENTENCES) + draw.choice([" ", " ", " ", "\n", "\n\n", "  "])
        if draw.random() < 0.12:
            out += draw.choice(TRICKS)
    return out + (pairs.words(draw, draw.randint(1, 12)) if draw.random() < 0.3 else "")


def a_list(draw):
    found = []
    for _ in range(draw.choice([1, 2, 3, 4, 6, 8])):
        one = draw.choice(KEYWORDS) if draw.random() < 0.8 else draw.choice(pairs.WORDS)
        if one in ("\u0345", "zero\u200bwidth"):
            one = "zero"
        found.append([one, draw.choice(KEYWORDS)] if draw.random() < 0.2 else one)
    return found


def a_check(draw, depth=0):
    kind = draw.random()
    if kind < 0.12 and depth < 2:
        name = draw.choice(["all", "any"])
        return {name: [a_check(draw, depth + 1) for _ in range(draw.randint(1, 3))]}
    if kind < 0.22 and depth < 2:
        return {"not": a_check(draw, depth + 1)}
    if kind < 0.35:
        return {
            "check": "contains",
            "texts": draw.sample(["data", "as an AI", "Moon", "zzz"], 2),
            "min": draw.randint(1, 2),
        }
    if kind < 0.45:
        return {"check": "upper_letters", draw.choice(["ratio_max", "ratio_min"]): draw.choice([20, 60, 120])}
    name, low, high = draw.choice(CHECKS)
    bound = draw.choice(["in", "min", "max", "equals"])
    return {
        "check": name,
        bound: {"in": [low, high], "min": low, "max": high, "equals": draw.choice([low, high])}[bound],
    }


def weighed(draw, one):
    return {**one, "weight": draw.choice([1, 0.5, 0.3, 0.25, 2.000001])} if draw.random() < 0.6 else one


def changed(draw, reference, prompt):
    kind = draw.random()
    if kind < 0.25:
        text = reference
    elif kind < 0.5:
        text = pairs.changed(draw, reference)
    elif kind < 0.75:
        text = a_text(draw, draw.randint(0, 9))
    elif kind < 0.85:
        text = prompt + " " + reference
    else:
        text = " ".join(draw.choice(KEYWORDS) for _ in range(draw.randint(0, 30)))
    for _ in range(draw.choice([0, 0, 1, 2])):
        at = draw.randint(0, len(text))
        text = text[:at] + draw.choice(TRICKS) + text[at:]
    return text


def row(seed):
    """A rubric, the row's own prompt (or None) and a completion."""
    draw = random.Random(f"ours {seed}")
    references = [a_text(draw, draw.randint(1, 6)) for _ in range(draw.choice([1, 1, 2, 3]))]
    rubric = {"chain": 1, "references": references}
    if seed % 5 == 0:
        rubric["text"] = {"stem": "snowball:english"}
    if draw.random() < 0.6:
        rubric["prompt"] = a_text(draw, 2) if draw.random() < 0.5 else references[0][:60]
    if draw.random() < 0.9:
        lists = [[{"keywords": a_list(draw), **({"of": draw.randrange(len(references))} if draw.random() < 0.2 else {})}
                  for _ in range(draw.randint(1, len(references)))] for _ in range(draw.choice([1, 2, 3, 5]))]  # fmt: skip
        rubric["content"] = {"points": [weighed(draw, {"references": one}) for one in lists]}
    if "content" not in rubric or draw.random() < 0.8:
        rubric["style"] = [weighed(draw, a_check(draw)) for _ in range(draw.randint(1, 5))]
    if "content" in rubric and draw.random() < 0.4:
        rubric["gates"] = [
            gate for gate in ("density", "length", "repetition", "copy", "hidden") if draw.random() < 0.5
        ]
    if "copy" in rubric.get("gates", []):
        rubric.setdefault("prompt", references[0][:60])  # the gate compares with it
    if "content" in rubric and "style" in rubric and draw.random() < 0.3:
        rubric["total"] = draw.choice([{"content": 2, "style": 1}, {"content": 0.75, "style": 0.25, "grid": 0}, {"grid": 0.01},
                                      {"content": 1, "style": 1, "divide": 1}])  # fmt: skip
    prompt = rubric.get("prompt", "")
    return (
        rubric,
        draw.choice([None, None, a_text(draw, 3), references[-1][:150]]),
        changed(draw, references[0], prompt),
    )
