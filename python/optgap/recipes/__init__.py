"""The training recipes of five papers as data: what each arm sets and from where, what it costs, what a trainer needs.

    from optgap import recipes

    arm = recipes.load("forge").arm("gspo")
    arm["lr"].value, arm["lr"].source          # 4e-07, 'A.2.1'
    arm["group"].used, arm["group"].why        # 8, "verl's examples for 7 B": the paper does not state it

docs/recipes.md says more; `optgap recipe` shows, prices and writes them.
"""

from .recipe import Arm, Recipe, Setting, load, names

__all__ = ["Arm", "Recipe", "Setting", "load", "names"]
