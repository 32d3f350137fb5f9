"""Meetings into rooms and times, as many attendees as possible."""

from common import need


def windows(instance, person):
    """In order, those that touch joined."""
    joined = []
    for start, end in sorted(instance["availability"][person]):
        if joined and start <= joined[-1][1]:
            joined[-1][1] = max(end, joined[-1][1])
        else:
            joined.append([start, end])
    return joined


def objective(instance, answer):
    held = []
    for meeting, room, start in answer:
        need(0 <= meeting < len(instance["attendees"]) and 0 <= room < len(instance["capacities"]), "no such meeting or room")
        people, end = set(instance["attendees"][meeting]), start + instance["durations"][meeting]
        need(len(people) <= instance["capacities"][room], "a room is too small")
        need(all(any(a <= start and end <= b for a, b in windows(instance, one)) for one in people), "somebody is away")
        for other, place, begin, over, guests in held:
            need(other != meeting, "a meeting is held twice")
            need(end <= begin or over <= start or (place != room and not people & guests), "two meetings are in the way")
        held.append((meeting, room, start, end, people))
    return sum(len(people) for *_, people in held)


def starts_of(instance):
    """Any schedule can be moved to the left until each meeting begins with a window or where another one ends."""
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
    """A variable a meeting and start. None is held twice, nobody is in two, and those with more than `size` people need
    rooms that hold more."""
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
