"""Every estimator in NumPy, written from its formula, independent of optgap's code.

A batch is a list of rows: dicts with `group` and the fields that the estimator reads. Each function returns one float64
per row. NaN rewards are masked rows: they have no part in any statistic, and advantage 0.
"""

import math

import numpy as np


def column(rows, name, default=np.nan):
    return np.array([default if row.get(name) is None else float(row[name]) for row in rows])


def by_group(rows, name="group"):
    """Index lists of the rows that have a reward, one per group, in order of appearance."""
    rewards = column(rows, "reward")
    groups = {}
    for i, row in enumerate(rows):
        if not math.isnan(rewards[i]):
            groups.setdefault(repr(row[name]), []).append(i)
    return list(groups.values())


def std1(values):
    return 0.0 if np.all(values == values[0]) else float(np.std(values, ddof=1))


def per_group(rows, form):
    rewards = np.float64(np.float32(column(rows, "reward")))
    out = np.zeros(len(rows))
    for members in by_group(rows):
        out[members] = form(rewards[members], members)
    return out


def centred(r):
    return np.zeros(len(r)) if np.all(r == r[0]) else r - r.mean()


def grpo(rows, epsilon=1e-6, lone=False):
    def form(r, _):
        if len(r) == 1:
            return r / (1 + epsilon) if lone else 0.0
        return centred(r) / (std1(r) + epsilon)

    return per_group(rows, form)


def grpo_trl_batch(rows, epsilon=1e-4):
    rewards = np.float64(np.float32(column(rows, "reward")))
    scale = std1(rewards[~np.isnan(rewards)]) + epsilon
    return per_group(rows, lambda r, _: centred(r) / scale)


def dr_grpo(rows, lone=False):
    return per_group(rows, lambda r, _: r if len(r) == 1 and lone else centred(r))


def rloo(rows, lone=False):
    def form(r, _):
        n = len(r)
        if n == 1:
            return r if lone else 0.0
        return np.array([r[i] - np.delete(r, i).mean() for i in range(n)]) if not np.all(r == r[0]) else np.zeros(n)

    return per_group(rows, form)


def grpo_nemo(rows, epsilon=1e-6):
    def form(r, _):
        n = len(r)
        out = np.zeros(n)
        for i in range(n):
            others = np.delete(r, i)
            if len(others) == 0 or np.all(r == r[0]):
                continue
            apart = r[i] - others.mean()
            spread = std1(others) if len(others) > 1 else 0.0
            out[i] = apart / (spread + epsilon) if spread > 0 else apart
        return out

    return per_group(rows, form)


def max_rl(rows):
    return per_group(rows, lambda r, _: centred(r) / r.mean() if r.mean() > 0 else np.zeros(len(r)))


def pass_k(rows, epsilon=1e-6):
    def form(r, _):
        out = np.zeros(len(r))
        best = int(np.argmax(r))
        out[best] = (r[best] - np.delete(r, best).max()) / (std1(r) + epsilon)
        return out

    return per_group(rows, form)


def gpg(rows):
    rewards = column(rows, "reward")
    present = rewards[~np.isnan(rewards)]
    alpha = len(present) / max(int(np.count_nonzero(present)), 1)
    return per_group(rows, lambda r, _: alpha * r if len(r) == 1 else alpha * centred(r))


def opo(rows):
    length = column(rows, "length")

    def form(r, members):
        if len(r) == 1:
            return r
        if np.all(r == r[0]) or length[members].sum() == 0:
            return np.zeros(len(r))
        return r - (length[members] * r).sum() / length[members].sum()

    return per_group(rows, form)


def whitened(rows, values, parts, epsilon, token):
    length = column(rows, "length", 1.0) if token else np.ones(len(rows))
    out = np.zeros(len(rows))
    for members in parts:
        x, w = values[members], length[members]
        if np.all(x == x[0]) or w.sum() <= 1:
            continue
        mean = (w * x).sum() / w.sum()
        variance = (w * (x - mean) ** 2).sum() / (w.sum() - 1)
        out[members] = (x - mean) / math.sqrt(variance + epsilon)
    return out


def everything(rows):
    return [[i for members in by_group(rows) for i in members]] if by_group(rows) else []


def reinforce_pp(rows, token=False):
    return whitened(rows, np.float64(np.float32(column(rows, "reward"))), everything(rows), 1e-8, token)


def reinforce_pp_baseline(rows, token=False):
    return whitened(rows, dr_grpo(rows), everything(rows), 1e-8, token)


def task_reinforce_pp(rows, token=False):
    return whitened(rows, np.float64(np.float32(column(rows, "reward"))), by_group(rows, "cohort"), 1e-8, token)


def decoupled(rows, weights):
    total = np.zeros(len(rows))
    for name, weight in weights.items():
        total += weight * grpo([{"group": row["group"], "reward": row[name]} for row in rows])
    return total


def gdpo(rows, weights):
    masked = np.isnan(column(rows, "reward"))
    total = decoupled(rows, weights)
    total[masked] = 0.0
    return whitened(rows, total, everything(rows), 1e-6, False)


def midranks(scores):
    """1 is best; NaN stays NaN."""
    out = np.full(len(scores), np.nan)
    for i, x in enumerate(scores):
        if not math.isnan(x):
            out[i] = 1 + np.sum(scores > x) + (np.sum(scores == x) - 1) / 2
    return out


def matrix_of(rows, members):
    return np.array([[np.nan if x is None else float(x) for x in rows[i]["scores"]] for i in members])


def over_matrices(rows, form):
    out = np.zeros(len(rows))
    groups = {}
    for i, row in enumerate(rows):
        groups.setdefault(repr(row["group"]), []).append(i)
    for members in groups.values():
        minimise = rows[members[0]].get("sense") == "minimise"
        out[members] = form(matrix_of(rows, members), minimise) if len(members) > 1 else 0.0
    return out


def river(rows):
    def form(matrix, minimise):
        size = len(matrix)
        total = np.zeros(size)
        for column_of in (-matrix if minimise else matrix).T:
            rank = midranks(column_of)
            inner = np.clip((size - 1 - rank) / (size - 3), 0, 1) - 0.5
            total += np.where(np.isnan(rank), -1.0, np.where(rank == 1, 1.0, inner))
        return total / matrix.shape[1]

    return over_matrices(rows, form)


def rank_uniform(rows):
    def form(matrix, minimise):
        total = np.zeros(len(matrix))
        for column_of in (-matrix if minimise else matrix).T:
            rank = midranks(column_of)
            total += np.where(np.isnan(rank), -1.0, 1 - 2 * (rank - 1) / (len(matrix) - 1))
        return total / matrix.shape[1]

    return over_matrices(rows, form)


def filled(matrix, minimise):
    """The value for invalid entries, larger is better: 0 where more is better, else one range below the worst."""
    matrix = -matrix if minimise else matrix.copy()
    for m in range(matrix.shape[1]):
        valid = matrix[:, m][~np.isnan(matrix[:, m])]
        stand_in = 0.0 if not minimise else (valid.min() - (valid.max() - valid.min()) if len(valid) else -1.0)
        matrix[np.isnan(matrix[:, m]), m] = stand_in
    return matrix


def standardised(values, epsilon=1e-6):
    spread = std1(values)
    return (values - values.mean()) / (spread + epsilon) if spread > 0 else np.zeros(len(values))


def instance_norm(rows):
    return over_matrices(rows, lambda m, lo: np.mean([standardised(c) for c in filled(m, lo).T], axis=0))


def raw(rows):
    return over_matrices(rows, lambda m, lo: standardised(filled(m, lo).mean(axis=1)))


def raw_binary(rows):
    def form(matrix, minimise):
        mean = filled(matrix, minimise).mean(axis=1)
        return standardised((mean == mean.max()).astype(float))

    return over_matrices(rows, form)


def rs_grpo(rows, beta=2.0):
    def form(matrix, minimise):
        mean = filled(matrix, minimise).mean(axis=1)
        weight = np.exp(beta * (mean - mean.max()))
        return np.zeros(len(mean)) if np.all(mean == mean[0]) else (weight / weight.mean() - 1) / beta

    return over_matrices(rows, form)


PLAIN = {
    "grpo": grpo,
    "exact": grpo,
    "grpo_verl": lambda rows: grpo(rows, lone=True),
    "grpo_slime": grpo,
    "grpo_trl": lambda rows: grpo(rows, 1e-4),
    "grpo_trl_batch": grpo_trl_batch,
    "grpo_nemo": grpo_nemo,
    "dr_grpo": dr_grpo,
    "dr_grpo_verl": lambda rows: dr_grpo(rows, lone=True),
    "rloo": rloo,
    "rloo_verl": lambda rows: rloo(rows, lone=True),
    "max_rl": max_rl,
    "gpg": gpg,
    "opo": opo,
    "reinforce_pp": reinforce_pp,
    "reinforce_pp_baseline": reinforce_pp_baseline,
    "task_reinforce_pp": task_reinforce_pp,
}
NO_LONE_ROWS = {"grpo_openrlhf": lambda rows: grpo(rows, 1e-9), "pass_k": pass_k}
WHITENED = {
    "reinforce_pp": reinforce_pp,
    "reinforce_pp_baseline": reinforce_pp_baseline,
    "task_reinforce_pp": task_reinforce_pp,
}
COMBINED = {"decoupled": decoupled, "gdpo": gdpo}
RANKED = {
    "river": river,
    "rank_uniform": rank_uniform,
    "instance_norm": instance_norm,
    "raw": raw,
    "raw_binary": raw_binary,
    "rs_grpo": rs_grpo,
}
