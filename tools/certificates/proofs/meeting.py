"""Variables for meetings and their starts."""

from common import need
from tasks.meeting import windows


def starts_of(instance):
    """Any schedule can be moved earlier until each meeting begins with a window or where another one ends."""
    open_at = [[windows(instance, one) for one in people] for people in instance["attendees"]]
    starts, fresh = [set() for _ in open_at], [a for own in instance["availability"] for a, _ in own]
    while fresh:
        t = fresh.pop()
        for found, people, lasts in zip(starts, open_at, instance["durations"]):
            if t not in found and all(any(a <= t and t + lasts <= b for a, b in own) for own in people):
                found.add(t)
                fresh.append(t + lasts)
    return starts


def linear(instance, goal):
    """A variable per meeting and start. No meeting is held twice, no person is in two at once, and those with more than
    `size` people need rooms that hold more."""
    people = [set(one) for one in instance["attendees"]]
    need(all(lasts > 0 for lasts in instance["durations"]), "a meeting lasts no time")
    slots = [(m, t) for m, found in enumerate(starts_of(instance)) for t in sorted(found)]

    def row(name, which, *at):
        if name == "once":
            return {s: -1 for s, (m, _) in enumerate(slots) if m == which}, -1
        now = [(s, people[m]) for s, (m, t) in enumerate(slots) if t <= at[0] < t + instance["durations"][m]]
        if name == "person":
            return {s: -1 for s, guests in now if which in guests}, -1
        need(name == "rooms", "no such inequality")
        return {s: -1 for s, guests in now if len(guests) > which}, -sum(c > which for c in instance["capacities"])

    return {s: -len(people[m]) for s, (m, _) in enumerate(slots)}, -goal, len(slots), row
