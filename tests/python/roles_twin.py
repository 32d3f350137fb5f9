"""What roles earn, again in plain Python: whole numbers by //, patterns by re, pairs by two loops."""

import math
import re
from collections import Counter
from fractions import Fraction

UNIT = 2**20
GATES = range(10000, 10012)  # not_json ... trivial
NOT_RUN, OVER_QUOTA = 10012, 10013


def isqrt_share(before, equal):
    return math.isqrt(UNIT * UNIT // (1 + before)) // equal


def signal(rows, total, squares):
    return 0 if rows < 2 else min(UNIT, 4 * (rows * squares - total * total) // (rows * (rows - 1) * UNIT))


def gate(code):
    if code == 0:
        return UNIT
    if code == OVER_QUOTA:
        return 0
    if code not in GATES:
        return -UNIT
    return round((-0.5 + Fraction(3, 8) * (code - 10000) / 11) * UNIT)


def toward_zero(value, by):
    return value // by if value >= 0 else -(-value // by)


def proposer(preset, row):
    """reward, signal, novelty, hardness and price in units, and whether it has none."""
    code, rows, total, squares = row["code"], row["rows"], row["sum"], row["sum_sq"]
    if code == NOT_RUN:
        return (0, 0, 0, 0, 0, True)
    formed, sound = code == 0 or code in GATES or code == OVER_QUOTA, code == 0
    parts = dict(signal=0, novelty=0, hardness=0, price=0)
    if sound:
        parts["signal"] = signal(rows, total, squares)
        if row["kind"] != 1:
            parts["novelty"] = isqrt_share(row["before"], row["equal"])
            parts["hardness"] = min(UNIT, row["greedy_gap"] * UNIT // row["reference_gap"])
        parts["price"] = min(4 * UNIT, max(0, row["prompt"] - row["prompt_target"]) * UNIT // row["prompt_limit"])
    p = total // rows if rows else 0
    q = row["quality"] if row["quality"] >= 0 else UNIT * sound
    f = row["form"]
    if preset == "proof":
        mean = ((parts["signal"] if row["feasible"] else 0) + parts["novelty"] + parts["hardness"]) // 3
        reward = max(0, min(UNIT, mean - parts["price"])) if sound else gate(code)
    elif preset == "mae_paper":
        reward = (q + (UNIT - p if sound else 0) + f) // 3
    elif preset == "mae_repo":
        reward = 0 if not formed else (q + f) // 3 if Fraction(q, UNIT) < Fraction(7, 10) else (q + UNIT - p + f) // 3
    elif preset == "azr":
        reward = -UNIT if not formed else -UNIT // 2 if not sound else UNIT - p if p > 0 else 0
    elif preset == "r_zero":
        reward = min(p, UNIT - p) - row["cluster"] * UNIT // row["batch"] if formed else -UNIT
    elif preset == "r_zero_paper":
        reward = UNIT - abs(2 * p - UNIT) if sound else 0
    elif preset == "sqlm":
        reward = UNIT if sound and 0 < row["solved"] < rows else 0
    else:
        reward = UNIT - p if sound and rows else 0
    return (reward, *parts.values(), False)


def form(text, tag="score"):
    opens, closes = text.count(f"<{tag}>"), text.count(f"</{tag}>")
    return (1.0 if opens == 1 else 0.5) if opens == closes and opens else 0.0


def strict(text):
    """code and value."""
    opens, closes = text.count("<score>"), text.count("</score>")
    if not opens or not closes:
        return "no_score", None
    if opens > 1 or closes > 1:
        return "several", None
    found = re.fullmatch(r".*<score>[ \t\r\n]*(-?(?:0|[1-9][0-9]*))[ \t\r\n]*</score>.*", text, re.S)
    if not found:
        return "no_score", None
    score = int(found[1])
    return ("ok", (score - 1) / 9) if 1 <= score <= 10 and found[1][0] != "-" else ("out_of_range", None)


def is_readable(text):
    """Does a pair of tags hold a number, which is no fraction with denominator 0?"""
    return repository(text, None) is not None


def repository(text, unread=0.5):
    """As the code of Multi-Agent Evolve: the first tag with a number; ASCII digits."""
    for inside in re.findall(r"<score>(.*?)</score>", text, re.I | re.S):
        fraction = re.search(r"\b([0-9]+)/([0-9]+)\b", inside)
        decimal = re.search(r"\b([0-9]+\.[0-9]+)\b", inside)
        integer = re.search(r"\b([0-9]+)\b", inside)
        if fraction:
            if int(fraction[2]) == 0:
                continue
            number = int(fraction[1]) / int(fraction[2])
        elif decimal or integer:
            number = float((decimal or integer)[1])
        else:
            continue
        return min(1.0, max(0.0, (number - 1) / 9))
    return unread


def band(value):
    score = 1 + 9 * value
    return 0 if score < 3.5 else 1 if score < 7.5 else 2


def judge(by, rows):
    """Rewards of (value or None, form, band or -1, truth, group); None where there is none."""
    known = [row for row in rows if row[2] >= 0]

    def earned(value, row):
        return 1 - abs(band(value) - row[2]) / 2 if by == "band" else 1 - (value - row[3]) ** 2

    if by == "format":
        return [row[1] for row in rows]
    if by == "pairs":
        out = []
        for value, _, own, truth, group in rows:
            others = [(v, t) for v, _, b, t, g in rows if b >= 0 and v is not None and g == group and t != truth]
            if own < 0 or not others:
                out.append(None)
            elif value is None:
                out.append(-0.5)
            else:
                right = sum(
                    2 if (value > v) == (truth > t) and value != v else 1 if value == v else 0 for v, t in others
                )
                out.append(right / (2 * len(others)) - 0.5)
        return out
    best = max((sum(earned((s - 1) / 9, row) for row in known) / len(known) for s in range(1, 11)), default=0)
    return [None if row[2] < 0 else (0.0 if row[0] is None else earned(row[0], row)) - best for row in rows]


def report(rows):
    """confusion, kappa, auc, calibration."""
    known = [(row[0], row[2], row[3]) for row in rows if row[0] is not None and row[2] >= 0]
    confusion = [
        [sum(1 for v, b, _ in known if b == t and band(round(9 * v) / 9) == s) for s in range(3)] for t in range(3)
    ]
    n = len(known)
    seen = sum(confusion[t][s] * (t - s) ** 2 for t in range(3) for s in range(3))
    chance = sum(
        sum(confusion[t]) * sum(row[s] for row in confusion) * (t - s) ** 2 for t in range(3) for s in range(3)
    )
    pairs = [(round(9 * a[0]), round(9 * b[0])) for a in known for b in known if a[1] > b[1]]
    right = sum(1 if a > b else 0.5 if a == b else 0 for a, b in pairs)
    means = [[t for v, _, t in known if round(9 * v) == s] for s in range(10)]
    return (
        confusion,
        1 - n * seen / chance if chance else math.nan,
        right / len(pairs) if pairs else math.nan,
        [sum(own) / len(own) if own else math.nan for own in means],
    )


class SpiralBaseline:
    """SPIRAL's moving average of one role: read, then moved; starts at 0, or (start None) at the first reward."""

    def __init__(self, alpha=0.95, start=0.0):
        self.alpha, self.value = alpha, start

    def advantage(self, reward):
        before = self.value = reward if self.value is None else self.value
        self.value = self.alpha * self.value + (1 - self.alpha) * reward
        return reward - before


def whitened(rewards):
    n = len(rewards)
    if n < 2 or min(rewards) == max(rewards):
        return [0.0] * n
    mean = math.fsum(rewards) / n
    var = math.fsum((r - mean) ** 2 for r in rewards) / (n - 1)
    return [(r - mean) / math.sqrt(var + 1e-8) for r in rewards]


def bleu_units(text, reference):
    """NLTK's sentence_bleu with method1, in units; ASCII white space parts words."""
    mine, theirs = text.split(), reference.split()
    logarithm = 0.0
    for width in range(1, 5):
        own, other = (
            Counter(tuple(words[i : i + width]) for i in range(len(words) - width + 1)) for words in (mine, theirs)
        )
        matched = sum((own & other).values())
        if width == 1 and matched == 0:
            return 0
        logarithm += 0.25 * math.log((matched or 0.1) / max(1, len(mine) - width + 1))
    brevity = 1.0 if len(mine) > len(theirs) else math.exp(1 - len(theirs) / len(mine))
    return min(UNIT, math.floor(brevity * math.exp(logarithm) * UNIT + 0.5))


def clusters(texts, threshold):
    """Average linkage by its definition: the mean over all pairs of texts of two clusters."""
    n = len(texts)
    far = [[UNIT - bleu_units(texts[min(i, j)], texts[max(i, j)]) for j in range(n)] for i in range(n)]
    groups = [[i] for i in range(n)]
    while len(groups) > 1:
        mean, a, b = min(
            (Fraction(sum(far[i][j] for i in groups[a] for j in groups[b]), len(groups[a]) * len(groups[b])), a, b)
            for a in range(len(groups))
            for b in range(a + 1, len(groups))
        )
        if mean >= threshold * UNIT:
            break
        groups[a] += groups.pop(b)
    return [next(k for k, group in enumerate(groups) if i in group) for i in range(n)]
