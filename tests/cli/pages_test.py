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
    """GitHub's names of a page's headings."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def spelled_out(path):
    """a/{b,c}.hpp as a/b.hpp and a/c.hpp."""
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


def exists(path):
    """A placeholder in capitals (NAME, ROOM) stands for any name: at least one file must have such a path."""
    pattern = re.sub(r"[A-Z]{2,}", lambda word: "README" if word[0] == "README" else "*", path)
    return (ROOT / path).exists() or any(ROOT.glob(pattern))


def missing_files(text):
    for named in NAMED.findall(text):
        yield from (path for path in spelled_out(named) if not exists(path))


def questions(page):
    """The rows of the tables under "Where would I change …?": question and answer."""
    section = prose(page).partition("## Where would I change …?\n")[2].partition("\n## ")[0]
    return [row for row in re.findall(r"^\| (.+?) \| (.+) \|$", section, re.M) if row != ("question", "answer")]


def names_greedy(path):
    """Whether code, not a comment, names the verb."""
    text = re.sub(r"(//|#).*", "", path.read_text(encoding="utf-8"))
    return re.search(r"\bgreedy(_call|_kernel)?\b", text) is not None


class Pages(unittest.TestCase):
    def test_links_resolve(self):
        for page in PAGES:
            self.assertEqual(list(broken_links(page, prose(page))), [], page)

    def test_named_files_exist(self):
        for page in PAGES:
            self.assertEqual(list(missing_files(prose(page))), [], page)

    def test_every_question_of_a_newcomer_is_answered_by_files(self):
        asked = questions(ROOT / "docs/develop.md")
        self.assertGreaterEqual(len(asked), 15)
        self.assertEqual(len({question for question, _ in asked}), len(asked))
        for question, answer in asked:
            self.assertTrue(question.endswith("?"), question)
            self.assertNotEqual(NAMED.findall(answer), [], question)

    def test_the_glossary_has_each_word_once(self):
        text = prose(ROOT / "docs/glossary.md").partition("## Words that are no longer used")[0]
        words = [word for row in re.findall(r"^\| (.+?) \|", text, re.M) for word in row.split(", ")]
        words = [word for word in words if word not in {"word", "---"}]
        self.assertGreater(len(words), 60)
        self.assertEqual(sorted(set(words)), sorted(words))

    def test_a_verb_touches_the_files_that_the_page_counts(self):
        page = prose(ROOT / "docs/develop.md")
        table = page.partition("**An engine verb**")[2].partition("\nTen files")[0].partition("| layer |")[2]
        files = {path for named in NAMED.findall(table) for path in spelled_out(named)}
        self.assertIn(f"| an engine verb | none | {len(files)} |", page)
        self.assertEqual(len([path for path in files if not path.startswith("kernels/")]), 10, "as the page says")
        self.assertEqual([path for path in sorted(files) if not names_greedy(ROOT / path)], [])
        # Whatever lies between engine and tasks and is written once knows no verb by name.
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
            list(missing_files("`tools/none.sh` `docs/{api,none}.md` `tests/python/NAME.py` `tests/NAME.sh`")),
            ["tools/none.sh", "docs/none.md", "tests/NAME.sh"],
        )


if __name__ == "__main__":
    unittest.main()
