"""Meetings put into rooms and times; as many attendees as possible over all scheduled meetings."""

from found import cp_sat, exact
from labels import placed, renamed
from ortools.sat.python import cp_model
from verdict import Verdict, feasible, first_repeat, is_rows, worst

MAXIMISE = True
ROWS = True
MAX_TO_TRY_ALL = 4


def judge(instance, answer):
    attendees, capacities = instance["attendees"], instance["capacities"]
    most = max(1, len(answer)) if is_rows(answer) else 1
    if isinstance(answer, str):
        return worst("unparsable", most)
    if not answer:
        return worst("empty", most) if any_fits(instance) else feasible(0, most)
    if not is_rows(answer):
        return worst("bad_depth", most)
    place = 0
    for row in answer:
        if len(row) != 3:
            return worst("wrong_length", most, place if row else -1)
        place += 3
    for at, (meeting, room, _) in enumerate(answer):
        if not 0 <= meeting < len(attendees):
            return worst("out_of_range", most, 3 * at)
        if not 0 <= room < len(capacities):
            return worst("out_of_range", most, 3 * at + 1)
    if (at := first_repeat([row[0] for row in answer])) is not None:
        return worst("repeated", most, 3 * at)
    broken = {
        code: [at for at in range(len(answer)) if breaks(instance, answer[:at], answer[at])]
        for code, breaks in RULES.items()
    }
    for (code, wrong), offset in zip(broken.items(), (1, 2, 1, 0)):
        if wrong:
            rows = len(set().union(*broken.values()))
            return Verdict(code, 3 * wrong[0] + offset, None, rows, most)
    return feasible(sum(len(attendees[row[0]]) for row in answer), most)


def end_of(instance, row):
    return row[2] + instance["durations"][row[0]]


def overlapping(instance, earlier, row):
    return [other for other in earlier if row[2] < end_of(instance, other) and other[2] < end_of(instance, row)]


def room_too_small(instance, earlier, row):
    del earlier
    return len(instance["attendees"][row[0]]) > instance["capacities"][row[1]]


def unavailable(instance, earlier, row):
    del earlier
    return not all(
        any(a <= row[2] and end_of(instance, row) <= b for a, b in joined(instance["availability"][person]))
        for person in instance["attendees"][row[0]]
    )


def room_taken(instance, earlier, row):
    return any(other[1] == row[1] for other in overlapping(instance, earlier, row))


def person_taken(instance, earlier, row):
    people = set(instance["attendees"][row[0]])
    return any(people.intersection(instance["attendees"][other[0]]) for other in overlapping(instance, earlier, row))


RULES = {
    "room_too_small": room_too_small,
    "unavailable": unavailable,
    "room_taken": room_taken,
    "person_taken": person_taken,
}


def joined(windows):
    """Windows in order, with touching and overlapping ones joined."""
    result = []
    for start, end in sorted(windows):
        if result and start <= result[-1][1]:
            result[-1][1] = max(result[-1][1], end)
        else:
            result.append([start, end])
    return result


def starts(instance, meeting):
    """[first, last] intervals of starts at which every attendee is present for the whole meeting."""
    common = None
    for person in set(instance["attendees"][meeting]):
        mine = [(a, b - instance["durations"][meeting]) for a, b in joined(instance["availability"][person])]
        mine = [(a, b) for a, b in mine if a <= b]
        if common is not None:
            mine = [(max(a, c), min(b, d)) for a, b in common for c, d in mine if max(a, c) <= min(b, d)]
        common = mine
    return [(-(2**20), 2**20)] if common is None else common


def any_fits(instance):
    return any(
        people and starts(instance, m) and any(len(set(people)) <= c for c in instance["capacities"])
        for m, people in enumerate(instance["attendees"])
    )


def under_labels(instance, labels):
    attendees = [renamed(people, labels["attendee"]) for people in instance["attendees"]]
    return {
        "attendees": placed(attendees, labels["meeting"]),
        "durations": placed(instance["durations"], labels["meeting"]),
        "availability": placed(instance["availability"], labels["attendee"]),
        "capacities": placed(instance["capacities"], labels["room"]),
    }


def answer_under_labels(answer, labels):
    return [
        renamed(row[:1], labels["meeting"]) + renamed(row[1:2], labels["room"]) + row[2:] if len(row) == 3 else row
        for row in answer
    ]


def label_count(instance):
    return len(instance["attendees"])


def random_answer(instance, random):
    answer = []
    for meeting in random.sample(range(label_count(instance)), random.randint(1, label_count(instance))):
        rooms = [r for r, c in enumerate(instance["capacities"]) if c >= len(set(instance["attendees"][meeting]))]
        options = starts(instance, meeting)
        if rooms and options:
            low, high = random.choice(options)
            answer.append([meeting, random.choice(rooms), random.choice([low, high, random.randint(low, high)])])
    kept = []
    for row in answer:
        if random.random() < 0.1 or judge(instance, kept + [row]).feasible:
            kept.append(row)
    return kept


def change_a_row(change):
    def mutate(instance, answer, random):
        rows = [i for i, row in enumerate(answer) if isinstance(row, list) and len(row) == 3]
        if not rows:
            return answer
        at = random.choice(rows)
        return answer[:at] + [change(instance, list(answer[at]), random)] + answer[at + 1 :]

    return mutate


def later_or_earlier(instance, row, random):
    del instance
    return row[:2] + [row[2] + random.choice([-60, -30, -10, -1, 1, 5, 10, 30, 60])]


def other_room(instance, row, random):
    return [row[0], random.randrange(len(instance["capacities"])), row[2]]


def other_meeting(instance, row, random):
    return [random.randrange(label_count(instance)), *row[1:]]


def at_anothers_time(instance, answer, random):
    """Moves two meetings to the same time: a person or a room is double-booked where they share one."""
    del instance
    rows = [i for i, row in enumerate(answer) if isinstance(row, list) and len(row) == 3]
    if len(rows) < 2:
        return answer
    a, b = random.sample(rows, 2)
    return answer[:a] + [[*answer[a][:2], answer[b][2]]] + answer[a + 1 :]


def right_after_another(instance, answer, random):
    rows = [i for i, row in enumerate(answer) if isinstance(row, list) and len(row) == 3]
    if len(rows) < 2:
        return answer
    a, b = random.sample(rows, 2)
    before = answer[b][0] if 0 <= answer[b][0] < label_count(instance) else 0
    return answer[:a] + [[*answer[a][:2], answer[b][2] + instance["durations"][before]]] + answer[a + 1 :]


mutants = [
    change_a_row(later_or_earlier),
    change_a_row(other_room),
    change_a_row(other_meeting),
    at_anothers_time,
    right_after_another,
]


def random_windows(random):
    cuts = sorted(random.sample(range(540, 1021, 30), random.choice([2, 2, 4, 6])))
    return [[a, b] for a, b in zip(cuts[::2], cuts[1::2])]


def odd_instances(random, count):
    day = [[540, 1020]]
    yield "one meeting", {"attendees": [[0]], "durations": [60], "availability": [day], "capacities": [1]}
    yield (
        "no room is big enough",
        {"attendees": [[0, 1]], "durations": [30], "availability": [day, day], "capacities": [1]},
    )
    yield (
        "nobody is ever there",
        {"attendees": [[0], [0, 1]], "durations": [30, 60], "availability": [[], day], "capacities": [2]},
    )
    yield (
        "one room, full day",
        {"attendees": [[i] for i in range(7)], "durations": [90] * 7, "availability": [day] * 7, "capacities": [1]},
    )
    yield "one person", {"attendees": [[0]] * 9, "durations": [60] * 9, "availability": [day], "capacities": [1] * 9}
    yield (
        "touching windows",
        {
            "attendees": [[0], [0]],
            "durations": [60, 30],
            "availability": [[[540, 570], [570, 600], [660, 690]]],
            "capacities": [1],
        },
    )
    for index in range(count):
        people = random.randint(1, 9)
        meetings = random.randint(1, 9)
        yield (
            f"random {index}: {meetings} meetings",
            {
                "attendees": [random.sample(range(people), random.randint(1, min(5, people))) for _ in range(meetings)],
                "durations": [random.choice([30, 60, 90, 25, 45]) for _ in range(meetings)],
                "availability": [random_windows(random) for _ in range(people)],
                "capacities": [random.randint(1, 6) for _ in range(random.choice([1, 1, 2, 4, 6]))],
            },
        )


def cp_model_of(instance):
    model = cp_model.CpModel()
    capacities, durations = instance["capacities"], instance["durations"]
    in_room = [[] for _ in capacities]
    of_person = [[] for _ in instance["availability"]]
    held, gains = [], []
    for meeting, people in enumerate(instance["attendees"]):
        people = sorted(set(people))
        options = starts(instance, meeting)
        rooms = [r for r, capacity in enumerate(capacities) if capacity >= len(people)]
        if not options or not rooms:
            continue
        start = model.new_int_var_from_domain(cp_model.Domain.from_intervals([list(pair) for pair in options]), "")
        takes = model.new_bool_var("")
        whole = model.new_optional_fixed_size_interval_var(start, durations[meeting], takes, "")
        for person in people:
            of_person[person].append(whole)
        where = {}
        for room in rooms:
            where[room] = model.new_bool_var("")
            in_room[room].append(model.new_optional_fixed_size_interval_var(start, durations[meeting], where[room], ""))
        model.add(sum(where.values()) == takes)
        held.append((meeting, start, where))
        gains.append(len(people) * takes)
    for together in in_room + of_person:
        model.add_no_overlap(together)
    model.maximize(sum(gains))
    return cp_sat(
        model,
        lambda solver: [
            [meeting, room, solver.value(start)]
            for meeting, start, where in held
            for room, x in where.items()
            if solver.boolean_value(x)
        ],
    )


def all_orders(instance):
    """Meetings in every order and room, each as early as those before it allow: one of these schedules is best."""
    attendees, durations = instance["attendees"], instance["durations"]

    def earliest(schedule, meeting, room):
        ends = [row[2] + durations[row[0]] for row in schedule]
        for start in sorted({low for low, _ in starts(instance, meeting)} | set(ends)):
            if judge(instance, schedule + [[meeting, room, start]]).feasible:
                return start
        return None

    def extended(schedule):
        best = schedule
        for meeting in range(len(attendees)):
            if any(row[0] == meeting for row in schedule):
                continue
            for room in range(len(instance["capacities"])):
                start = earliest(schedule, meeting, room)
                if start is not None:
                    best = max(best, extended(schedule + [[meeting, room, start]]), key=value)
        return best

    def value(schedule):
        return sum(len(set(attendees[row[0]])) for row in schedule)

    rooms = len(instance["capacities"])
    return exact(lambda: extended([]), len(attendees) <= MAX_TO_TRY_ALL and rooms ** len(attendees) <= 100)


PEERS = {"CP-SAT": cp_model_of, "plain search": all_orders}
