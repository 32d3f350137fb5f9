"""The folder of OPTGAP_STATS read back: per-task curves of a run, as a table, a page, TensorBoard's or wandb's."""
