"""What recipes train on that optgap does not make: a user's files as a trainer's rows, and answers of a model as data.

python3 -m optgap.recipes.data --help
"""
