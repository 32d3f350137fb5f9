"""An adapter of a trainer that this tree does not know: its rows are pairs, and it strips blanks from what a model wrote."""

from optgap.trainers.adapter import Adapter, Refusal


def row(item):
    return {"question": item.prompt[-1]["content"], "truth": item.ground_truth}


def read(tokenizer, prompt, ids, format_name, generation=None):
    return tokenizer.decode(ids).strip()


ADAPTER = Adapter(
    title="Toy",
    versions="1",
    reward="`evaluate`",
    advantages="–",
    filters="–",
    other_data="–",
    data="–",
    curriculum="–",
    roles="–",
    environment="here",
    refused=(Refusal("everything else", "it is a toy"),),
    row=row,
    readers={"toy": "toy_trainer:read"},
)
