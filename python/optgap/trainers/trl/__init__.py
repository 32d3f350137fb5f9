"""TRL: reward functions, advantages, a stream of problems."""

from optgap.trainers.adapter import Adapter, Refusal

ADAPTER = Adapter(
    title="TRL",
    versions="1.16.0, its own trainers take steps",
    reward="reward functions",
    advantages="`GroupAdvantage`; refused where a rank holds parts of groups",
    filters="–",
    other_data="`None` for rows that are not ours",
    data="`CurriculumStream`",
    curriculum="`CurriculumStream`",
    roles="`RolesStream`, also on several ranks",
    environment="trainer process",
    refused=(
        Refusal("`GroupAdvantage` where a rank holds parts of groups", "it compares the rollouts of one prompt"),
        Refusal(
            "`truncated` without the tokenizer or `max_completion_length`",
            "TRL does not say which completions were cut off",
        ),
        Refusal(
            "`dataloader_num_workers` above 0 or `shuffle_dataset` with a stream",
            "a copy sees no outcomes, and shuffling reads ahead of the curriculum",
        ),
    ),
)
