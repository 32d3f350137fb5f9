"""Former names of adapters of roles, which are in optgap.trainers."""
