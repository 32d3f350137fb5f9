"""What all adapters share: ground truths, the evaluation, the rows, advantages, streams of problems, ends of turns, roles."""
