"""The claims of `optgap solve`, against external solvers."""

from collections import Counter

from rows import optgap
from tasks import MODULES

SOLVED = ("optimal", "infeasible")


def better(module, a, b):
    return a > b if module.MAXIMISE else a < b


def own_claim(module, item):
    """Contradictions within a solved row: its answer by the definition in plain Python, bound, anchors, status."""
    row = item.solved
    objective, bound = row["objective"], row["bound"]
    if row["proven"] != (row["status"] in SOLVED):
        yield "proven and status disagree"
    if row["status"] in ("optimal", "bounded"):
        verdict = module.judge(item.instance, row["answer"])
        if not verdict.feasible or verdict.objective != objective:
            yield f"the definition says {verdict} of the answer"
        if bound is None or better(module, objective, bound):
            yield "the objective is better than the bound"
        if row["proven"] and objective != bound:
            yield "proven, but bound and objective differ"
    elif objective is not None or isinstance(row["answer"], list):
        yield f"status {row['status']} with an answer"
    for anchor in ("floor", "greedy"):
        if row[anchor] is not None and (objective is None or better(module, row[anchor], objective)):
            yield f"{anchor} is better than the answer"


def against(module, item, found):
    """Contradictions between our row and a peer's result."""
    row = item.solved
    ours, bound = row["objective"], row["bound"]
    if found.status == "infeasible":
        if ours is not None:
            yield "an answer where the peer proves that there is none"
        return
    if found.bound is not None and ours is not None and better(module, ours, found.bound):
        yield f"better than the peer's bound {found.bound}"
    if found.answer is None:
        return
    theirs = module.judge(item.instance, found.answer).objective
    if row["status"] == "infeasible":
        yield "claimed infeasible, but the peer has an answer"
        return
    if bound is not None and better(module, theirs, bound):
        yield f"the peer's {theirs} contradicts the bound"
    if row["proven"] and better(module, theirs, ours):
        yield f"the peer's {theirs} is better than the proven optimum"
    contradicts = ours is not None and ours != theirs and (row["proven"] or better(module, ours, theirs))
    if found.status == "optimal" and contradicts:
        yield f"the peer proves {theirs}"


def verified(items):
    """Rows of `optgap verify` for (item, answer) pairs."""
    return optgap("verify", "-", rows=[dict(item.row, answer=answer) for item, answer in items]) if items else []


def check(task, items, limit):
    """({group: Counter}, contradictions): every item against every peer of the task, `limit` about seconds each."""
    module = MODULES[task]
    reports, wrong = {}, []
    given = []

    def breach(item, peer, what):
        reports[item.group]["mismatches"] += 1
        wrong.append(
            {
                "check": "optimum",
                "instance": item.name,
                "peer": peer,
                "breach": what,
                "row": {name: item.solved[name] for name in ("status", "objective", "bound", "answer")},
            }
        )

    for item in items:
        report = reports.setdefault(item.group, Counter())
        report["instances"] += 1
        report["proven"] += item.solved["proven"]
        for what in own_claim(module, item):
            breach(item, "the definition", what)
        for name, peer in module.PEERS.items():
            found = peer(item.instance)(limit)
            side = "CP-SAT" if name == "CP-SAT" else "others"
            if found.answer is not None and not module.judge(item.instance, found.answer).feasible:
                report["peer's answer is wrong"] += 1
                continue
            report[f"{side} {found.status}"] += 1
            breaches = list(against(module, item, found))
            for what in breaches:
                breach(item, name, what)
            if found.status in SOLVED and item.solved["proven"] and not breaches:
                report[f"{side} equal"] += 1
            if found.answer is not None:
                given.append((item, name, found.answer))
    for (item, name, answer), row in zip(given, verified([(item, answer) for item, _, answer in given])):
        reports[item.group]["peers' answers verified"] += 1
        if row.get("objective") != module.judge(item.instance, answer).objective:
            breach(item, name, f"optgap verify says {row.get('code')}, {row.get('objective')} of the peer's {answer}")
    return reports, wrong
