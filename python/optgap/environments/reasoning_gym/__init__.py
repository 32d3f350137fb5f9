"""reasoning-gym: data sets of one turn stand in optgap.measure.evaluators.reasoning_gym; their entries have episodes, too."""

from optgap.environments.adapter import EnvironmentAdapter

ADAPTER = EnvironmentAdapter(
    title="reasoning-gym",
    interface='`ProceduralDataset`: `optgap.measure.evaluators.reasoning_gym`; an entry\'s `metadata["ground_truth"]` has episodes',
    turn="the text, or what stands in its `<answer>`",
    tested="0.1.25: `create_dataset`, `score_answer`",
)
