"""The pages agree with the tree: links resolve, named files exist, README leads to every page, headers keep their marks."""

import itertools
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOCS = sorted((ROOT / "docs").glob("*.md"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS, *sorted((ROOT / "kernels/tasks").glob("*/README.md"))]
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
NAMED = re.compile(r"`((?:bench|docs|examples|host|include|kernels|python|tests|tools)/[\w./{},-]+)`")


def prose(page):
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)


def anchors(page):
    """GitHub's anchors for a page's headings."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def spelled_out(path):
    """Expands a/{b,c}.hpp to a/b.hpp and a/c.hpp."""
    parts = re.split(r"\{([^}]*)\}", path)
    choices = [part.split(",") if place % 2 else [part] for place, part in enumerate(parts)]
    return ["".join(chosen) for chosen in itertools.product(*choices)]


def broken_links(page, text):
    for link in LINK.findall(text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield link


def missing_files(text):
    """Names with a placeholder in capitals (NAME, ROOM) stand for many files, build/ for generated ones."""
    for named in NAMED.findall(text):
        for path in spelled_out(named):
            if not re.search(r"[A-Z]{2}", path.replace("README", "")) and not (ROOT / path).exists():
                yield path


def names_greedy(path):
    """Whether code names the verb, comments aside."""
    text = re.sub(r"(//|#).*", "", path.read_text(encoding="utf-8"))
    return re.search(r"\bgreedy(_call|_kernel)?\b", text) is not None


class Pages(unittest.TestCase):
    def test_links_resolve(self):
        for page in PAGES:
            self.assertEqual(list(broken_links(page, prose(page))), [], page)

    def test_named_files_exist(self):
        for page in PAGES:
            self.assertEqual(list(missing_files(prose(page))), [], page)

    def test_a_verb_touches_the_files_that_the_page_counts(self):
        page = prose(ROOT / "docs/develop.md")
        table = page.partition("**An engine verb**")[2].partition("\nTen files")[0].partition("| layer |")[2]
        files = {path for named in NAMED.findall(table) for path in spelled_out(named)}
        self.assertIn(f"| an engine verb | none | {len(files)} |", page)
        self.assertEqual(len([path for path in files if not path.startswith("kernels/")]), 10, "as the page says")
        self.assertEqual([path for path in sorted(files) if not names_greedy(ROOT / path)], [])
        # Code between engine and tasks that is written once names no verb.
        rooms = [*(f"host/{room}" for room in "calls cpu cuda executor process remote serve".split()), "kernels/launch"]
        code = [path for room in rooms for path in (ROOT / room).iterdir() if path.suffix in {".hpp", ".cpp", ".cuh"}]
        self.assertGreater(len(code), 50)
        told = {str(path.relative_to(ROOT)) for path in code if names_greedy(path)}
        self.assertEqual(told - files, set())

    def test_the_readme_leads_to_every_page(self):
        led = {(ROOT / link.partition("#")[0]).resolve() for link in LINK.findall(prose(ROOT / "README.md"))}
        led |= {
            (ROOT / "docs" / link.partition("#")[0]).resolve() for link in LINK.findall(prose(ROOT / "docs/python.md"))
        }
        self.assertEqual([page.name for page in PAGES[1:] if page not in led], [])

    def test_every_public_header_says_whether_it_is_stable(self):
        marks = {
            header.name: re.match(r"#pragma once  // (Stable|Experimental)\.\n", header.read_text(encoding="utf-8"))
            for header in (ROOT / "include/optgap").rglob("*.hpp")
        }
        self.assertEqual([name for name, mark in marks.items() if not mark], [])
        page = re.findall(r"^\| `(\w+\.hpp)` \| (\w+) \|", (ROOT / "docs/api.md").read_text(encoding="utf-8"), re.M)
        self.assertEqual(dict(page), {name: mark[1].lower() for name, mark in marks.items()})

    def test_what_is_wrong_is_found(self):
        readme = ROOT / "README.md"
        wrong = ["docs/none.md", "docs/develop.md#no-such-heading", "#no-such-heading"]
        self.assertEqual(list(broken_links(readme, " ".join(f"[x]({link})" for link in wrong))), wrong)
        self.assertEqual(
            list(missing_files("`tools/none.sh` `docs/{api,none}.md` `tests/python/NAME.py`")),
            ["tools/none.sh", "docs/none.md"],
        )


if __name__ == "__main__":
    unittest.main()
