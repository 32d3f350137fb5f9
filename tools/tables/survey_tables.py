#!/usr/bin/env python3
"""Writes the tables of docs/external.md: what is not as it should be in the environments of other projects.

optgap external check 'rg/*' --trusted --long --json > survey.json
tools/tables/survey_tables.py --record survey.json    puts it into bench/surveys/environments.jsonl, in place of the last one
tools/tables/survey_tables.py --write                 writes the tables from there
tools/tables/survey_tables.py                         exit code 1 where a table is stale
"""

import collections
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from family_pages import code, table  # noqa: E402

PAGE = ROOT / "docs" / "external.md"
RECORDS = ROOT / "bench" / "surveys" / "environments.jsonl"
END = "<!-- The table ends. -->\n"
SHOWN = 140
"""Characters of a sentence."""


def begin(source):
    return f"<!-- The table of {source}: tools/tables/survey_tables.py --write -->\n"


def general(sentence, name=""):
    """A sentence without what differs from problem to problem: seeds, answers, paths, its own name."""
    sentence = re.sub(r"'[g-qa-f]{32}'", "letters by chance", sentence)
    sentence = re.sub(r"(its reference|the wrong answer) (['\"]).*\2 is", r"\1 is", sentence, flags=re.S)
    sentence = re.sub(
        r"^(letters by chance|(['\"]).*\2) got no verdict", "an answer got no verdict", sentence, flags=re.S
    )
    sentence = re.sub(r"no problem of d\d+, seed \d+", "no problem", sentence)
    sentence = re.sub(r"/\S*/", "", sentence)
    sentence = sentence.replace(f"'{name}'", "it")
    sentence = re.sub(r"(: )(letters by chance|'[^']{15,}('|$))", r"\1…", sentence)
    return " ".join(sentence.split())[:SHOWN].replace("|", "¦")


def record(survey):
    """One line: the counts, and how often each sentence holds of each environment."""
    names = [one["name"] for one in survey["environments"]]
    exceptions = {
        name: dict(collections.Counter(general(sentence, name) for sentence in one["exceptions"]))
        for one in survey["environments"]
        if one["exceptions"] and (name := one["name"].partition("/")[2])
    }
    totals = {name: value for name, value in survey.items() if isinstance(value, int)}
    version = next((one["version"] for one in survey["environments"] if one["version"]), "")
    return {
        "source": f"{names[0].partition('/')[0]}/*", "version": version, "isolation": survey["isolation"], **totals, "environments": len(names),
        "exceptions": exceptions,
    }  # fmt: skip


def page_of(found):
    """The sentence of counts, and a row for each exception with the environments that it holds of."""
    by_sentence = collections.defaultdict(list)
    for name, sentences in found["exceptions"].items():
        for sentence, count in sentences.items():
            by_sentence[sentence].append(f"{code(name)} {count}")
    rows = sorted(by_sentence.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    counts = (
        f"Version {found['version']}, {found['environments']} environments: {found['made']} of {found['problems_asked']} problems made, "
        f"{found['accepted']} of {found['references']} references accepted, {found['refused']} of {found['wrong_answers']} wrong answers "
        f"refused, {found['run_answers_as_code']} environments that run answers as code; exceptions in {found['with_exceptions']}.\n\n"
    )
    return counts + table(
        ["exception", "environments, and how often"], [[sentence, ", ".join(of)] for sentence, of in rows]
    )


def records():
    return [json.loads(line) for line in RECORDS.read_text(encoding="utf-8").splitlines()] if RECORDS.exists() else []


def main(arguments):
    if arguments[:1] == ["--record"]:
        made = record(json.loads(pathlib.Path(arguments[1]).read_text(encoding="utf-8")))
        kept = [one for one in records() if one["source"] != made["source"]]
        lines = sorted([*kept, made], key=lambda one: one["source"])
        RECORDS.write_text(
            "".join(json.dumps(one, sort_keys=True, ensure_ascii=False) + "\n" for one in lines), encoding="utf-8"
        )
        return 0
    text = PAGE.read_text(encoding="utf-8")
    for one in records():
        if begin(one["source"]) not in text:
            continue
        before, _, rest = text.partition(begin(one["source"]))
        text = before + begin(one["source"]) + page_of(one) + END + rest.partition(END)[2]
    if text == PAGE.read_text(encoding="utf-8"):
        return 0
    if arguments == ["--write"]:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    print(f"{PAGE.relative_to(ROOT)} is stale: tools/tables/survey_tables.py --write")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
