"""Tables between two marks of a page, which a script writes from what this tree declares."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))


def written(page, text, tables, script):
    """The page's text with these tables, by the name of their mark; ends the process where a mark is missing."""
    for name, table in tables.items():
        begin, end = f"<!-- The {name}: tools/tables/{script} --write -->\n", f"<!-- The {name} end. -->"
        head, _, rest = text.partition(begin)
        if not rest or end not in rest:
            sys.exit(f"{page}: has no place for the {name}: {begin.strip()} … {end}")
        text = head + begin + "\n" + table + "\n\n" + end + rest.partition(end)[2]
    return text


def main(page, tables, source):
    """Writes the tables under --write, else says whether the page has them: exit code 1 if not.

    Args:
        page: Path from the tree's root.
        tables: Markdown by the name of their mark.
        source: The folder that declares what they show, for the error.
    """
    script, path = pathlib.Path(sys.argv[0]).name, ROOT / page
    text = path.read_text(encoding="utf-8")
    new = written(path, text, tables, script)
    if "--write" in sys.argv[1:]:
        path.write_text(new, encoding="utf-8")
    elif new != text:
        sys.exit(f"{path}: its tables are not those of {source}; run tools/tables/{script} --write")
