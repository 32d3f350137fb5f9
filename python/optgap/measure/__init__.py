"""Models and rewards measured."""
