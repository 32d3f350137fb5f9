"""From a task to advantages in Python (pip install . first). Prints

knapsack@1:train:easy:7#a56f2aaf: a prompt of 1062 characters, optimum 434, proven
ok                        objective 434 quality 1.000  reward +2.000  advantage +0.817
ok                        objective 406 quality 0.935  reward +1.936  advantage +0.787
over_capacity             no objective  quality 0.000  reward -0.500  advantage -0.339
format_missing_reasoning  no objective  quality 0.000  reward -2.500  advantage -1.264
"""

import optgap


def complete(prompt: str) -> list[str]:
    """Stands for the model: what it may have written to this prompt."""
    return [
        "<think>Items 7 and 8 fill 181 of 181.</think><answer>[7, 8]</answer>",
        "<think>By value per weight.</think><answer>[15, 3, 4, 10, 1, 12]</answer>",
        "<think>The two most valuable ones.</think><answer>[8, 15]</answer>",
        "<think>Let me see.",
    ]


def main() -> None:
    engine = optgap.Engine(device="cpu")
    instances = engine.generate("knapsack", level="easy", count=1, seed=7)
    prompt = engine.prompts(instances)[0]
    completions = complete(prompt)

    # Kept for the whole run: a record fits into a row of the data set, and scoring then solves nothing.
    baselines = engine.solve(instances)
    optimum = baselines.records()[0]
    proven = "proven" if optimum["proven"] else "a bound"
    print(f"{instances.keys[0]}: a prompt of {len(prompt)} characters, optimum {optimum['objective']}, {proven}")

    scores = engine.score(instances, completions, baselines, advantage="grpo")
    for code, row in zip(scores.codes, scores.records()):
        objective = "no objective" if row["objective"] is None else f"objective {row['objective']}"
        print(
            f"{code:25} {objective:13} quality {row['quality']:.3f}  reward {row['reward']:+.3f}  "
            f"advantage {row['advantage']:+.3f}"
        )


if __name__ == "__main__":
    main()
