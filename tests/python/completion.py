"""What a model writes, for the tests."""

import json


def complete(answer, reasoning="Let me see."):
    """A completion in the format forge."""
    return f"<think>{reasoning}</think><answer>{json.dumps(answer)}</answer>"
