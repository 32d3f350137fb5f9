"""Subcommands that need Python, each the module of its name: `add_options(parser)` and `run(options) -> exit code`."""
