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
