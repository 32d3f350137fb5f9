"""Algorithm 1 of Multi-Agent Evolve again, in one function of plain Python, with a judge that is a function of its text."""

import hashlib
import math
import random
import re

import roles_twin as twin

SHARE = {"zero": 0.5, "none": 0.0, "half": 0.5, "with": 1.0}


def digest(text):
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)


def propose(prompts):
    """Most write one question; some several, some none, some a draft before the mark."""
    out = []
    for place, prompt in enumerate(prompts):
        n = digest(f"{place} {prompt}")
        one = f"[Your designed task] <question>What is {n % 97} + {place}?</question>"
        out.append(
            ["no idea", one + "<question>And then?</question>", "<question>draft</question> " + one, one, one][n % 5]
        )
    return out


def solve(prompts):
    return [f"<answer>{digest(p) % 11}</answer>" * (1 + (digest(p) % 7 == 0)) for p in prompts]


def judge(prompts):
    out = []
    for place, prompt in enumerate(prompts):
        n = digest(f"{place % 3} {prompt}")
        out.append([f"<score>{7 + n % 4}</score>", f"<score>{1 + n % 10}</score>", "<score>8/10</score>", "hm",
                    f"<score>{n % 9}.5</score><score>2</score>", f"<score>{6 + n % 5}</score>"][n % 6])  # fmt: skip
    return out


def question_of(text):
    found = re.findall(r"<question>(.*?)</question>", text.split("[Your designed task]")[-1], re.S)
    return found[-1].strip() if found else None


def units(value):
    return round(value * twin.UNIT)


def run(seeds, steps, batch, n, setting, without, rewards, seed):
    """Rows of each step as (role, completion, reward, advantage), and the pool at the end."""
    pool = list(seeds[:16] if setting == "zero" else seeds)
    out = []
    for step in range(steps):
        draw = random.Random(f"{seed}:{step}")
        shown = round(batch * SHARE[setting])
        prompts = []
        for row in range(batch):
            start = f"A question to start from:\n{draw.choice(pool)}\n\n" if row < shown else ""
            prompts.append(start + "Write one new question that is clear, solvable and hard. "
                           "Write [Your designed task], then <question>...</question>.")  # fmt: skip
        proposals = propose(prompts)
        questions = [question_of(text) for text in proposals]
        posed = ["The question is a invalid question" if q is None else q for q in questions]
        rate = ("Score the question from 1 (unsolvable) over 4 to 7 (ambiguous) to 10 (clear), an integer between <score> "
                "and </score>.\n\nQuestion:\n")  # fmt: skip
        grade = ("Score the answer: 1 to 3 with any error, 4 to 7 with omissions, 8 to 10 flawless, an integer between "
                 "<score> and </score>.\n\nQuestion:\n{}\n\nAnswer:\n{}")  # fmt: skip
        ask = "{}\n\nWrite the final answer between <answer> and </answer>."
        quality = [twin.repository(text) for text in judge([rate + q for q in posed for _ in range(n)])]
        tried = solve([ask.format(q) for q in posed for _ in range(n)])
        graded = [twin.repository(text) for text in
                  judge([grade.format(posed[at // n], text) for at, text in enumerate(tried) for _ in range(n)])]  # fmt: skip
        rewarded = []
        for row in range(batch):
            q = sum(quality[row * n : row * n + n]) / n
            answers = [sum(graded[(row * n + k) * n : (row * n + k) * n + n]) / n for k in range(n)]
            mean = sum(answers) / n
            f = twin.form(proposals[row], "question")
            columns = dict(code=0 if questions[row] is not None else 2, rows=1, sum=units(mean), sum_sq=units(mean) ** 2, feasible=1,
                           kind=2, before=0, equal=1, greedy_gap=0, reference_gap=twin.UNIT, prompt=0, prompt_target=0,
                           prompt_limit=1, quality=units(q), form=units(f), cluster=0, batch=1, solved=0)  # fmt: skip
            value = twin.proposer(rewards, columns)[0]
            if without == "format":
                low = rewards == "mae_repo" and 10 * units(q) < 7 * twin.UNIT
                low = low or questions[row] is None
                value = (units(q) if low else units(q) + twin.UNIT - units(mean)) // 2
                value = 0 if rewards == "mae_repo" and questions[row] is None else value
            rewarded.append(value / twin.UNIT)
            if questions[row] is not None and (q >= 0.7 or without == "filter"):
                pool.append(questions[row])
        asked = [draw.choice(pool) for _ in range(batch)]
        answers = solve([ask.format(q) for q in asked])
        pairs = [grade.format(q, a) for q, a in zip(asked, answers)]
        values = [twin.repository(text) for text in judge(pairs)]
        judgements = judge(pairs)
        plain = without == "format"
        solver = [v if plain else (v + twin.form(a, "answer")) / 2 for v, a in zip(values, answers)]
        form = [0.0 if plain or not twin.is_readable(text) else twin.form(text) for text in judgements]
        rows = []
        for role, texts, rewards_of in (
            ("proposer", proposals, rewarded),
            ("solver", answers, solver),
            ("judge", judgements, form),
        ):
            if role != without:
                rows += list(zip([role] * batch, texts, rewards_of, twin.whitened(rewards_of)))
        out.append(rows)
    assert all(math.isfinite(row[3]) for rows in out for row in rows)
    return out, pool
