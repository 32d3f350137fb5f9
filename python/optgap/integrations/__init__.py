"""Former names of optgap.trainers and optgap.measure.evaluators, for configurations of runs that name them."""
