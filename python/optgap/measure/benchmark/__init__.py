"""What `optgap bench-model` does, in the order it does it: questions, sampling (over rollouts on disk), measures, page;
calibration in their place where a model's levels are looked for. docs/bench_model.md is the guide."""
