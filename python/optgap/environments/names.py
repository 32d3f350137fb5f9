"""The names of an episode's settings, with the sentences that docs/environments.md has."""

SHAPES = {
    "last": "The last turn earns its text's reward, turns before it nothing.",
    "best": "The last turn earns the highest reward of all turns, turns before it nothing.",
    "improve": "The first turn earns its text's reward, each later one what it adds to the highest reward before it, or nothing.",
    "first": "The first turn earns its text's reward, later turns nothing.",
}
"""By name, the sentence that the page has."""

LEVELS = ("none", "verdict", "rule", "place")
"""What the model is told of its text, as in docs/feedback.md; "none": it is asked again without a word."""
UNTIL = {
    "turns": "All turns are asked for.",
    "feasible": "An answer that keeps every rule ends the episode, which feedback tells in any case.",
    "optimal": "An answer that is proven optimal ends the episode; being asked again tells that the last one was not.",
}
"""When an episode ends before its last turn, by name."""
