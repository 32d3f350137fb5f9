"""What generation stops on is told by the model's generation_config.json, and may be neither the tokenizer's own end nor
one of the usual ones (GLM: the next speaker's token). In every adapter a right answer in front of it is rewarded."""

import asyncio
import json
from types import SimpleNamespace

import pytest
import torch
from tiny_model import byte_tokenizer
from transformers import GenerationConfig

import optgap
from optgap.trainers.common import turns
from optgap.trainers.openrlhf import reward as openrlhf
from optgap.trainers.slime import reward as slime
from optgap.trainers.trl import reward as trl
from optgap.trainers.verl.reward import RewardManager

OWN, NEXT, OTHER = "<|endoftext|>", "<|speaker|>", "<|elsewhere|>"
"""The tokenizer's end, what this model stops on, and a token of no meaning; the last two are no special tokens."""


@pytest.fixture(scope="module", params=["number", "list"])
def model(request, tmp_path_factory):
    """A folder with a tokenizer and a generation_config.json."""
    folder = tmp_path_factory.mktemp("model")
    tokenizer = byte_tokenizer(plain=(NEXT, OTHER), eos=OWN)
    tokenizer.save_pretrained(folder)
    stop = tokenizer.convert_tokens_to_ids(NEXT)
    stops = stop if request.param == "number" else [tokenizer.eos_token_id, stop]
    (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": stops}))
    return str(folder)


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """A folder with the tokenizer alone."""
    folder = tmp_path_factory.mktemp("bare")
    byte_tokenizer(plain=(NEXT, OTHER), eos=OWN).save_pretrained(folder)
    return str(folder)


def loaded(folder):
    return turns.tokenizer_of(folder)


@pytest.fixture
def finishes(monkeypatch):
    """How generation ended, as an adapter says it to the engine."""
    seen = []

    def watch(module):
        plain = module.evaluate
        monkeypatch.setattr(
            module, "evaluate", lambda *given, finish=None, **named: (seen.extend(finish or []),
                                                                      plain(*given, finish=finish, **named))[1])  # fmt: skip
        return seen

    return watch


def manager(folder, **model_fields):
    config = {"actor_rollout_ref": {"model": model_fields, "rollout": {"response_length": 100_000}}}
    return RewardManager(config, loaded(folder))


def by_manager(made, row, end):
    ids = torch.tensor(made.tokenizer(row["optimal"] + end, add_special_tokens=False)["input_ids"])
    batch = {"responses": ids, "attention_mask": torch.ones(len(ids) + 3, dtype=torch.int64)}
    item = SimpleNamespace(
        batch=batch,
        non_tensor_batch={
            "reward_model": {"ground_truth": row["ground_truth"]},
            "data_source": row["data_source"],
        },
    )
    finish = made.read_response(batch)[1]

    class Data:
        def __getitem__(self, _):
            return [item]

    return asyncio.run(made.run_single(Data()))["reward_score"], finish


def test_verls_manager_finds_it_beside_the_tokenizer_or_at_the_models_path(problems, model, bare):
    for made in (manager(model), manager(bare, path=model)):
        assert by_manager(made, problems[0], NEXT) == (2.0, "stop")
        assert by_manager(made, problems[0], OWN) == (2.0, "stop")
        assert by_manager(made, problems[0], OTHER) == (-2.5, "unknown")
    for path in (None, "no/such/model", "hdfs://a/b"):
        assert by_manager(manager(bare, path=path), problems[0], NEXT) == (-2.5, "unknown")


def by_trl(tokenizer, row, end, **options):
    (function,) = trl.reward_functions("reward", tokenizer=tokenizer, **options)
    trl._renew()  # an equal batch would not be evaluated again
    ids = tokenizer(row["optimal"] + end, add_special_tokens=False)["input_ids"]
    text = tokenizer.decode(ids, skip_special_tokens=True)
    columns = {"completion_ids": [ids], "ground_truth": [row["ground_truth"]]}
    return function(["p"], [text], **columns)


def test_trls_functions_take_it_or_find_it_beside_the_tokenizer(problems, model, bare, finishes):
    seen = finishes(trl)
    assert by_trl(loaded(model), problems[0], NEXT) == [2.0]
    given = GenerationConfig.from_pretrained(model)
    assert by_trl(loaded(bare), problems[0], NEXT, generation_config=given) == [2.0]
    assert seen == ["stop", "stop"]
    assert by_trl(loaded(bare), problems[0], NEXT) == [-2.5] and seen[2:] == ["length"]
    for options in ({}, {"tokenizer": loaded(bare), "generation_config": {"eos_token_id": 1}}):
        with pytest.raises(optgap.Error, match="generation_config: has no effect"):
            trl.reward_functions("reward", **{"generation_config": given, **options})


def by_slime(row, end, **arguments):
    status = SimpleNamespace(value="completed")
    sample = SimpleNamespace(label=row["ground_truth"], response=row["optimal"] + end, status=status, metadata={})
    return asyncio.run(slime.rm(SimpleNamespace(reward_key=None, **arguments), sample))


def test_slime_reads_the_checkpoint_and_the_runs_own_stops(problems, model, bare):
    assert by_slime(problems[0], NEXT, hf_checkpoint=model) == 2.0
    assert by_slime(problems[0], NEXT, hf_checkpoint=bare) == by_slime(problems[0], NEXT) == -2.5
    stop = loaded(bare).convert_tokens_to_ids(NEXT)
    assert by_slime(problems[0], NEXT, hf_checkpoint=bare, rollout_stop_token_ids=[stop]) == 2.0
    assert by_slime(problems[0], NEXT, rollout_stop=NEXT) == 2.0
    assert by_slime(problems[0], OTHER, hf_checkpoint=model, rollout_stop=[NEXT]) == -2.5


def test_openrlhfs_function_is_given_the_model(problems, model, bare, finishes):
    seen = finishes(openrlhf)
    row = problems[0]
    query = ["<|im_start|>ask" + row["optimal"] + NEXT]
    for given, reward, finish in ((model, 2.0, "stop"), (bare, -2.5, "length"), (None, -2.5, "length")):
        found = openrlhf.configured(model=given)(query, ["<|im_start|>ask"], [row["ground_truth"]])
        assert found["rewards"].tolist() == [reward] and seen.pop() == finish
    with pytest.raises(optgap.Error, match="model: no tokenizer is found in 'nowhere'"):
        openrlhf.configured(model="nowhere")


def test_special_tokens_at_the_end_are_ends_and_white_space_is_none(bare):
    tokenizer = byte_tokenizer(special=("<|mark|>",), plain=(NEXT,), eos=OWN)
    blank = tokenizer("\n")["input_ids"][0]
    texts = turns.last_texts(tokenizer, SimpleNamespace(eos_token_id=[blank, tokenizer.convert_tokens_to_ids(NEXT)]))
    assert "<|mark|>" in texts and NEXT in texts and not [text for text in texts if not text.strip()]
    assert turns.without_end(f"so {NEXT} <|mark|>\n", texts) == "so"
    assert turns.without_end(f"so {NEXT}") == f"so {NEXT}"
    assert turns.generation_config_of(bare) is None and turns.generation_config_of(None, 3, "") is None
