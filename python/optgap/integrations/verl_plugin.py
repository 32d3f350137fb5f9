"""The former name of optgap.trainers.verl.plugin."""

if __name__ == "__main__":
    import runpy

    runpy.run_module("optgap.trainers.verl.plugin", run_name="__main__")
else:
    from optgap.trainers.verl.plugin import *  # noqa: F403
