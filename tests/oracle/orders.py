"""Common parts of tasks whose answers list 0 ... n - 1 once each."""

from verdict import first_outside, first_repeat, not_a_flat_list, worst


def not_an_order(answer, n):
    """The verdict on an answer that is not such a list, else None."""
    if verdict := not_a_flat_list(answer, n):
        return verdict
    if not answer:
        return worst("empty", n)
    if len(answer) != n:
        return worst("wrong_length", n)
    if (at := first_outside(answer, n)) is not None:
        return worst("out_of_range", n, at)
    if (at := first_repeat(answer)) is not None:
        return worst("repeated", n, at)
    return None


def random_order(n, random):
    return random.sample(range(n), n)


def insert_elsewhere(instance, answer, random):
    """Moves one value to another place."""
    del instance
    changed = list(answer)
    if changed:
        value = changed.pop(random.randrange(len(changed)))
        changed.insert(random.randint(0, len(changed)), value)
    return changed


def turn_a_part(instance, answer, random):
    del instance
    i, j = sorted(random.randrange(len(answer) + 1) for _ in range(2))
    return answer[:i] + answer[i:j][::-1] + answer[j:]


mutants = [insert_elsewhere, turn_a_part]


def precedences(model, n):
    """before[i][j] for each i != j, a total order."""
    before = {}
    for i in range(n):
        for j in range(i + 1, n):
            before[i, j] = model.new_bool_var("")
            before[j, i] = before[i, j].negated()
    for i in range(n):
        for j in range(n):
            for k in range(n):
                if len({i, j, k}) == 3:
                    model.add_bool_or([before[i, j].negated(), before[j, k].negated(), before[i, k]])
    return before


def read_order(n, before):
    def read(solver):
        return sorted(range(n), key=lambda i: sum(solver.boolean_value(before[j, i]) for j in range(n) if j != i))

    return read
