"""Data sets for trainers, suites of tasks, rubrics, and baselines of a cluster."""
