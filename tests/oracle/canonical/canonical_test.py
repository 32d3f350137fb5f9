#!/usr/bin/env python3
"""Canonical keys against other programs: two instances have one key exactly when they are isomorphic.

    canonical_test.py [COUNT] [--task NAME]... [--structures] [--seed S]

Uses COUNT instances per task with labels (default 30), each with a relabelled copy. NetworkX' search decides
isomorphism for pairs and, where pynauty is installed, nauty's certificates for all (tools/oracle.sh --canonical COUNT
installs it).

Most tasks have their own shape (compared.py, shapes.py), written from their JSON alone. Their instances are so small
that isomorphic ones occur by chance, beside regular graphs that colour refinement cannot distinguish, and a share of
usual levels, unchanged and with one number changed. Other tasks (all with --structures, else two that the seed chooses)
are compared by the structure that the program lists for instances of usual levels. That checks refinement, labelling,
twin nodes and hashes, not whether the list is complete.

Last, programs with a fault must be detected.
"""

import argparse
import itertools
import random as randoms
import sys

import shape as shapes
import structures
from compared import COMPARED
from program import generated, keys_of, one_number_changed, relabelled, tasks
from rows import optgap

BLOCK = 4000
"""Instances in one request."""
PAIRS = 60
"""Pairs compared by NetworkX, per task."""
SMALL = 60
"""Maximum nodes for NetworkX' search, whose time may double with each."""
FAULTS = {"facts": "chests", "joints": "tsp", "search": "clique", "labels": "set_cover"}
"""What the faulty program forgets, and a task where it shows."""


class Classes:
    """The keys and certificates that occurred together."""

    def __init__(self, task):
        self.task, self.of_key, self.of_certificate, self.wrong = task, {}, {}, []

    def add(self, key, coarse, certificate, instance):
        """A coarse key may stand for several classes, but a class has one key."""
        if not coarse and self.of_key.setdefault(key, certificate) != certificate:
            self.wrong.append(f"{self.task}: one key, several classes of nauty's: {instance}")
        if self.of_certificate.setdefault(certificate, key) != key:
            self.wrong.append(f"{self.task}: one class of nauty's, several keys: {instance}")


def usual(task, count, seed, random):
    """`count` or a few more instances; up to half of them are others with a number changed."""
    made = generated(task, 1 + count // 6, seed)
    changed = [one_number_changed(instance, random) for instance in made]
    return made + [instance for instance, row in zip(changed, keys_of(task, changed)) if "error" not in row]


def blocks(task, own, count, random):
    """Lists of (instance, copy): at least nine in ten are small where the task has its own shape, else all are
    usual."""
    seed = random.randrange(2**32)
    large = usual(task, min(count // 10, 3000) if own else count, seed, random)
    for begin in range(0, count, BLOCK):
        size = min(BLOCK, count - begin)
        some = [large.pop() for _ in range(min(len(large), max(1, size // 2) if own else size))]
        if own:
            some += [own.draw(random) for _ in range(size - len(some))]
        yield list(
            zip(some, [own.copy(task, one, random) for one in some] if own else relabelled(task, some, seed + begin))
        )


def compared_by_networkx(task, rows, wrong):
    """The number of pairs, and how many of them are isomorphic: some with their copies, the others of one size."""
    copies, draw = list(zip(rows[::2], rows[1::2])), randoms.Random(task)
    rows = sorted(draw.sample(rows, len(rows)), key=lambda row: row[0][0].size())
    alike = [pair for pair in zip(rows, rows[1:]) if pair[0][0][0].size() == pair[1][0][0].size()]
    pairs = copies[: PAIRS // 3] + draw.sample(alike, min(len(alike), PAIRS - PAIRS // 3))
    equal = 0
    for (some, key), (others, other) in pairs:
        isomorphic = shapes.same(some, others)
        equal += isomorphic
        if isomorphic != (key == other):
            wrong.append(f"{task}: NetworkX says {isomorphic}, the keys {key == other}")
    if pairs and not 0 < equal < len(pairs):
        wrong.append(f"{task}: the pairs show nothing")
    return len(pairs), equal


def compare(task, count, seed, structure, *options):
    """The differences, and a line that describes what was compared."""
    random = randoms.Random(f"{task} canonical {seed}")
    own = None if structure else COMPARED.get(task)
    classes, wrong, few = Classes(task), [], []
    instances = coarse = 0
    for pairs in blocks(task, own, count, random):
        found = keys_of(task, itertools.chain(*pairs), *options, *["--structures"] * (own is None))
        instances += len(pairs)
        for pair, answers in zip(pairs, zip(found[::2], found[1::2])):
            if "canonical" not in answers[0] or answers[0]["canonical"] != answers[1].get("canonical"):
                wrong.append(f"{task}: no key, or another when relabelled: {[*zip(pair, answers)]}")
                continue
            for instance, answer in zip(pair, answers):
                coarse += answer["coarse"]
                alike = structures.of_row(answer) if own is None else [own.shape(instance)]
                if shapes.pynauty is not None:
                    classes.add(answer["canonical"], answer["coarse"], shapes.certificate(alike), instance)
                if len(few) < 300 and len(alike[0].colours) < SMALL and not answer["coarse"]:
                    few.append((alike, answer["canonical"]))
    pairs, equal = compared_by_networkx(task, few, wrong)
    nauty = (
        "pynauty is not installed" if shapes.pynauty is None else f"{len(classes.of_certificate)} classes as nauty's"
    )
    return wrong + classes.wrong, (
        f"{task}: {instances} instances and as many copies by {'structure' if own is None else 'their own shapes'}, "
        f"{coarse} coarse; {nauty}; {pairs} pairs by NetworkX, {equal} isomorphic; {len(wrong + classes.wrong)} mismatches"
    )


def check_that_gates_name_the_same(task, wrong):
    """`optgap score` gives a proposal the same key as the tests' program."""
    some = generated(task, 1, 1)
    rows = optgap("score", "-", "--budget", "0", rows=[{"proposal": {"task": task, "instance": one}} for one in some])
    if [row.get("canonical") for row in rows] != [row.get("canonical") for row in keys_of(task, some)]:
        wrong.append(f"{task}: optgap score names other keys")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("count", type=int, nargs="?", default=30)
    arguments.add_argument("--task", action="append", help="only this one; may be repeated")
    arguments.add_argument("--structures", action="store_true", help="all tasks by what the program lists")
    arguments.add_argument("--seed", default="1")
    said = arguments.parse_args()
    labelled = tasks()
    wrong = []
    # A task may have no labels and yet equal instances; the program lists no structure of these.
    listed = [task for task, has_labels in labelled.items() if has_labels]
    own = [] if said.structures else said.task or [*listed, *sorted(COMPARED.keys() - set(listed))]
    by_structure = said.task or listed if said.structures else randoms.Random(said.seed).sample(listed, 2)
    for task, structure in [*((task, False) for task in own), *((task, True) for task in by_structure)]:
        found, line = compare(
            task, said.count if structure == said.structures else min(said.count, 1000), said.seed, structure
        )
        check_that_gates_name_the_same(task, found)
        print(line, flush=True)
        wrong += found
    for fault, task in FAULTS.items():
        noticed = compare(task, 200, said.seed, False, "--fault", fault)[0]
        print(f"fault {fault} in {task}: {'noticed' if noticed else 'nothing noticed'}")
        wrong += [] if noticed else [f"the fault {fault} in {task} was not noticed"]
    for line in wrong[:20]:
        print(f"WRONG {line[:1000]}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
