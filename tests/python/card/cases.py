"""Rows of all tasks, what the engine's calls on the CPU make of them, and the same calls on a store."""

import functools

import numpy as np
from completion import complete

STEPS, SEED = 120, 5  # more steps than a launch has
BY_TASK = {"default": "forge", "tasks": {"tsp": {"shape": "power", "exponent": 3}, "clique": "binary"}}
SCORED = ("reward", "format", "feasible", "quality", "raw_ratio", "normalized", "optimal", "length_penalty")


class Case:
    """Answers to instances, some an instance and in any order: a noisy policy's, some backwards, some another instance's."""

    def __init__(self, cpu, made, baselines, lists, instance_of):
        self.cpu, self.made, self.baselines = cpu, made, baselines
        self.lists, self.instance_of = lists, instance_of
        self.answers = cpu.answers(made, lists, instance_of=instance_of)

    @classmethod
    def drawn(cls, cpu, level, count, seed, answers=4):
        made = cpu.generate("all", level=level, count=count, seed=seed)
        draws = np.random.default_rng(seed)
        of = draws.permutation(np.repeat(np.arange(len(made), dtype=np.int32), answers))
        good = cpu.noisy_greedy(made[of], 1, seed=seed).tolist()
        task = made.task[of]
        lists = list(good)
        for row, answer in enumerate(good):
            if row % 4 == 1 and isinstance(answer, list):
                lists[row] = answer[::-1]
            elif row % 4 == 2:
                lists[row] = good[draws.choice(np.flatnonzero(task == task[row]))]
        read = cpu.answers(made, lists, instance_of=of).code  # what is no answer to read stays behind
        lists = [given if code == 0 else own for given, code, own in zip(lists, read, good)]
        case = cls(cpu, made, cpu.solve(made, 200), lists, of)
        assert (case.answers.code == 0).all() and set(made.task) == set(range(len(cpu.tasks)))
        assert 0 < np.count_nonzero(case.verdicts.feasible) < len(of)
        return case

    def rows(self, order):
        return Case(self.cpu, self.made, self.baselines, [self.lists[r] for r in order], self.instance_of[order])

    @functools.cached_property
    def verdicts(self):
        return self.cpu.verify(self.made, self.answers, instance_of=self.instance_of)

    @functools.cached_property
    def searched(self):
        return self.cpu.improve(self.made, self.answers, STEPS, seed=SEED, instance_of=self.instance_of)

    def scores(self, reward="forge"):
        texts = [complete(answer) for answer in self.lists]
        return self.cpu.score(self.made, texts, self.baselines, instance_of=self.instance_of, reward=reward)

    @functools.cached_property
    def forge(self):
        return self.scores()

    @property
    def longest(self):
        return int(np.diff(self.answers.offsets).max())


class Chain:
    """A case's columns on a GPU by one library, and what verbs of a store write by another."""

    def __init__(self, by, store, case, out=None):
        self.by, self.store, self.out = by, store, out or by
        self.kept, self.known = store.keep(case.made), store.keep_baselines(case.baselines)
        self.words, self.offsets = by.put(case.answers.words), by.put(case.answers.offsets)
        self.instance_of = by.put(case.instance_of)
        rows = len(case.instance_of)
        room = rows * max(self.kept.answer_words, case.longest)
        empty = self.out.put
        self.verdicts, self.found = empty(np.full((rows, 4), -7)), empty(np.full((rows, 4), -7))
        self.rewarded, self.rewards = empty(np.zeros((rows, 10), np.float32)), empty(np.zeros(rows, np.float32))
        self.advantages = empty(np.zeros(rows, np.float32))
        self.better, self.ends = empty(np.zeros(room, np.int32)), empty(np.zeros(rows + 1, np.int64))
        self.searched = empty(np.zeros((rows, 4), np.int64))

    def verify(self, stream=None):
        return self.store.verify(
            self.kept, self.words, self.offsets, self.verdicts, instance_of=self.instance_of, stream=stream
        )

    def reward(self, stream=None, reward="forge"):
        columns = {"instance_of": self.instance_of, "rewards": self.rewards, "stream": stream}
        return self.store.reward(self.kept, self.known, self.verdicts, self.rewarded, reward=reward, **columns)

    def compare(self, stream=None, advantage="grpo"):
        return self.store.advantages(self.rewards, self.instance_of, self.advantages, advantage, stream=stream)

    def improve(self, stream=None):
        found = (self.better, self.ends, self.searched)
        how = {"steps": STEPS, "seed": SEED, "instance_of": self.instance_of, "stream": stream}
        return self.store.improve(self.kept, self.words, self.offsets, *found, **how)

    def verify_better(self, stream=None):
        return self.store.verify(
            self.kept, self.better, self.ends, self.found, instance_of=self.instance_of, stream=stream
        )

    def queue(self, stream=None):
        """All of them; their numbers."""
        verbs = (self.verify, self.reward, self.compare, self.improve, self.verify_better)
        return [verb(stream) for verb in verbs]

    def expect_verdicts(self, case):
        same_verdicts(self.out.back(self.verdicts), case.verdicts)

    def expect(self, case):
        """Every number that the engine's calls have."""
        self.expect_verdicts(case)
        same_rewards(self.out.back(self.rewarded), self.out.back(self.rewards), case.forge)
        assert same(self.out.back(self.advantages), case.cpu.advantages(case.forge.reward, case.instance_of))
        expected = case.searched
        ends, searched = self.out.back(self.ends), self.out.back(self.searched)
        assert same(ends, expected.answers.offsets)
        assert same(self.out.back(self.better)[: ends[-1]], expected.answers.words)
        for place, name in enumerate(("start_objective", "objective", "moves")):
            assert same(searched[:, place], getattr(expected, name)), name
        assert searched[:, 3].sum() == expected.evaluations
        same_verdicts(self.out.back(self.found), case.cpu.verify(case.made, expected.answers, case.instance_of))


def same(found, expected):
    """Bytes, so that a NaN is itself and -0 is not 0."""
    expected = np.asarray(expected)
    assert found.dtype == expected.dtype, (found.dtype, expected.dtype)
    return np.ascontiguousarray(found).tobytes() == np.ascontiguousarray(expected).tobytes()


def same_verdicts(found, expected):
    head = found.view(np.int32).reshape(-1, 8)
    feasible = np.asarray(expected.feasible)
    assert same(head[:, 0], expected.code) and same(head[:, 1], expected.where)
    assert same(found[feasible, 1], expected.objective[feasible])
    assert same(found[:, 2], expected.violation) and same(found[:, 3], expected.violation_max)


def same_rewards(rewarded, rewards, expected):
    for place, name in enumerate(SCORED):
        assert same(rewarded[:, place], np.asarray(getattr(expected, name), np.float32)), name
    last = np.ascontiguousarray(rewarded[:, 8:]).view(np.int32)
    assert same(last[:, 0], expected.code) and not last[:, 1].any()
    assert same(rewards, expected.reward)
