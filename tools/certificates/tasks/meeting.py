"""Assign meetings to rooms and times, with as many attendees as possible."""

from common import choice, need, numbers


def windows(instance, person):
    """The windows in order, adjoining ones joined."""
    joined = []
    for start, end in sorted(instance["availability"][person]):
        if joined and start <= joined[-1][1]:
            joined[-1][1] = max(end, joined[-1][1])
        else:
            joined.append([start, end])
    return joined


def objective(instance, answer):
    lengths, capacities = instance["durations"], numbers(instance["capacities"], 0, 2**31, "capacities")
    need(
        len(lengths) == len(instance["attendees"]) and numbers(lengths, 1, 10**6 + 1, "durations"),
        "not as many durations",
    )
    need(
        all(choice(one, len(instance["availability"]), "attendees") for one in instance["attendees"]),
        "a meeting without people",
    )
    need(all(0 <= a < b <= 10**6 for own in instance["availability"] for a, b in own), "a window has no such ends")
    held = []
    for meeting, room, start in answer:
        need(0 <= meeting < len(lengths) and 0 <= room < len(capacities), "no such meeting or room")
        people, end = set(instance["attendees"][meeting]), start + lengths[meeting]
        need(len(people) <= capacities[room], "a room is too small")
        need(all(any(a <= start and end <= b for a, b in windows(instance, one)) for one in people), "somebody is away")
        for other, place, begin, over, guests in held:
            need(other != meeting, "a meeting is held twice")
            need(
                end <= begin or over <= start or (place != room and not people & guests), "two meetings are in the way"
            )
        held.append((meeting, room, start, end, people))
    return sum(len(people) for *_, people in held)
