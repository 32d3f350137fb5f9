"""Innermost loops of a kernel's machine code, where most of its time goes.

A loop is enclosed by a branch back to a block that dominates it. A branch back from code that was moved away (a
diverged warp's, a called function's) is not a loop, although it leads to a lower address.

`left` finds code that leaves its function among lanes that must meet again.
"""

import re

# Address, predicate, opcode, the rest.
LINE = re.compile(r"/\*([0-9a-f]{4,})\*/\s+(@!?U?P\w+\s+)?([A-Z][A-Z0-9_.]*)([^;]*)")
TARGET = re.compile(r"0x([0-9a-f]+)\s*$")


def instructions(text):
    """(address, predicated, opcode, operands) of each line of cuobjdump -sass."""
    return [(int(at, 16), bool(predicate), opcode, rest.strip()) for at, predicate, opcode, rest in LINE.findall(text)]


def _ends(code):
    """For each instruction that ends a block: (falls through, address it leads to or None); and the targets of
    calls."""
    ends, calls = {}, set()
    for k, (_, predicated, opcode, rest) in enumerate(code):
        word = opcode.split(".")[0]
        found = TARGET.search(rest)
        target = int(found[1], 16) if found else None
        if word == "BRA" and target is not None:
            conditional = predicated or not rest.startswith("0x")  # BRA.DIV and BRA.U name their condition
            ends[k] = (conditional, target)
        elif word in ("EXIT", "RET", "BRX", "JMP", "JMX"):
            ends[k] = (predicated, None)
        elif word == "CALL" and target is not None:
            calls.add(target)
    return ends, calls


def _blocks(code):
    """Blocks as lists of instructions, their successors, and those that the card enters by a launch or a call."""
    ends, calls = _ends(code)
    place = {instruction[0]: k for k, instruction in enumerate(code)}
    leaders = {0, *(place[target] for target in calls if target in place)}
    for k, (_, target) in ends.items():
        leaders.add(k + 1)
        if target in place:
            leaders.add(place[target])
    starts = sorted(k for k in leaders if k < len(code))
    number = {start: b for b, start in enumerate(starts)}
    blocks, successors = [], []
    for b, start in enumerate(starts):
        end = starts[b + 1] if b + 1 < len(starts) else len(code)
        falls, target = ends.get(end - 1, (True, None))
        after = [number[place[target]]] if target in place else []
        blocks.append(range(start, end))
        successors.append(after + ([number[end]] if falls and end in number else []))
    return blocks, successors, sorted({0, *(number[place[target]] for target in calls if target in place)})


def _dominators(successors, roots):
    """(order, immediate dominator) of the reached blocks; -1 precedes all roots."""
    order, seen = [], set()
    for root in roots:
        stack = [(root, iter(successors[root]))] if root not in seen else []
        seen.add(root)
        while stack:
            block, left = stack[-1]
            following = next((s for s in left if s not in seen), None)
            if following is None:
                order.append(block)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(successors[following])))
    rank = {block: k for k, block in enumerate(order)}  # postorder: greater is nearer to the roots
    rank[-1] = len(order)
    before = {block: [] for block in order}
    for block in order:
        for s in successors[block]:
            before[s].append(block)
    for root in roots:
        before[root].append(-1)
    above = {-1: -1}
    changed = True
    while changed:
        changed = False
        for block in reversed(order):
            known = [p for p in before[block] if p in above]
            best = known[0]
            for other in known[1:]:
                while best != other:
                    if rank[best] < rank[other]:
                        best = above[best]
                    else:
                        other = above[other]
            if above.get(block) != best:
                above[block] = best
                changed = True
    return before, above


def _dominates(above, a, b):
    while b not in (a, -1):
        b = above[b]
    return a == b


def left(code):
    """Addresses where lanes that others wait for leave the function. No kernel here does that: every collective takes
    all lanes. nvcc produces it for code that it considers unreachable, where it lets code run into the end of a
    function."""
    pairs = zip(code, code[1:])
    return [at[0] for at, after in pairs if at[2] == "BREAK" and after[2].split(".")[0] in ("RET", "EXIT")]


def innermost(code):
    """The opcodes of each innermost loop."""
    if not code:
        return []
    blocks, successors, roots = _blocks(code)
    before, above = _dominators(successors, roots)
    bodies = {}
    for block in before:
        for head in successors[block]:
            if not _dominates(above, head, block) or (head == block and len(blocks[block]) == 1):
                continue  # code ends in a branch to itself, which is not a loop
            body, stack = bodies.setdefault(head, {head}), [block]
            while stack:
                here = stack.pop()
                if here not in body:
                    body.add(here)
                    stack += (p for p in before[here] if p != -1)
    heads = set(bodies)
    inner = [body for head, body in sorted(bodies.items()) if not (body & heads) - {head}]
    return [[code[k][2] for block in sorted(body) for k in blocks[block]] for body in inner]
