#!/usr/bin/env python3
"""Writes host/rubric/unicode_tables.cpp from Debian's unicode-data (15.0.0): properties of code points as runs, and the two
case mappings as steps. Both are packed as bytes in 64 printable characters; host/rubric/unicode.cpp unpacks them once.

  tools/unicode/tables.py            writes the file
  tools/unicode/tables.py --check    the file is what its hash says, and, where unicode-data 15.0.0 is installed, what this
                                     tool writes; exit code 1 otherwise"""

import hashlib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = ROOT / "host/rubric/unicode_tables.cpp"
DATA = pathlib.Path("/usr/share/unicode")
VERSION = "15.0.0"
POINTS = 0x110000
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-"

# Bits of point_class and numbers of script in host/rubric/unicode.hpp, in its order.
WORD, SPACE, DIGIT, UPPER, LOWER, TITLE, MARK, PUNCTUATION, EMOJI, FORMAT, LETTER, IGNORABLE, MAYBE_EMOJI, FOLDS = (
    1 << k for k in range(14)
)
SCRIPTS = [
    "Latin",
    "Cyrillic",
    "Greek",
    "Han",
    "Hiragana",
    "Katakana",
    "Hangul",
    "Arabic",
    "Hebrew",
    "Thai",
    "Devanagari",
]
SPACELESS = ["Lao", "Khmer", "Myanmar"]
# White space of Python's str.split: category Zs, or bidirectional class WS, B or S.
SPACE_BIDI = {"WS", "B", "S"}


def lines_of(name):
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        line = line.partition("#")[0].strip()
        if line:
            yield [field.strip() for field in line.split(";")]


def marked(name, wanted):
    """Ranges (first, last, value) of a file of properties whose value is wanted."""
    for fields in lines_of(name):
        if fields[1] in wanted:
            first, _, last = fields[0].partition("..")
            yield int(first, 16), int(last or first, 16), fields[1]


def properties():
    """For each code point its classes and its script."""
    classes, scripts = [0] * POINTS, [0] * POINTS
    lower = list(range(POINTS))
    first = None
    for fields in lines_of("UnicodeData.txt"):
        point, name, category, bidi = int(fields[0], 16), fields[1], fields[2], fields[4]
        if name.endswith(", First>"):
            first = point
            continue
        start, first = (first if first is not None else point), None
        mask = 0
        if category[0] == "L":
            mask |= LETTER | WORD
        if fields[8]:
            mask |= WORD
        if category == "Nd":
            mask |= DIGIT
        if category == "Lt":
            mask |= TITLE
        if category[0] == "M":
            mask |= MARK
        if category[0] == "P" or chr(point) in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~":
            mask |= PUNCTUATION
        if category == "Cf":
            mask |= FORMAT
        if category == "Zs" or bidi in SPACE_BIDI:
            mask |= SPACE
        for each in range(start, point + 1):
            classes[each] |= mask
        if fields[13]:
            lower[point] = int(fields[13], 16)
    classes[ord("_")] |= WORD
    derived = {"Uppercase": UPPER, "Lowercase": LOWER, "Case_Ignorable": IGNORABLE}
    for start, end, value in marked("DerivedCoreProperties.txt", derived):
        for point in range(start, end + 1):
            classes[point] |= derived[value]
    emoji = {"Emoji_Presentation": EMOJI, "Emoji": MAYBE_EMOJI}
    for start, end, value in marked("emoji/emoji-data.txt", emoji):
        for point in range(start, end + 1):
            classes[point] |= emoji[value]
    number = {name: k + 1 for k, name in enumerate(SCRIPTS)} | {name: len(SCRIPTS) + 1 for name in SPACELESS}
    for start, end, value in marked("Scripts.txt", number):
        for point in range(start, end + 1):
            scripts[point] = number[value]
    fold = list(range(POINTS))
    for fields in lines_of("CaseFolding.txt"):
        if fields[1] in "CS":
            fold[int(fields[0], 16)] = int(fields[2], 16)
            classes[int(fields[0], 16)] |= FOLDS
    return classes, scripts, lower, fold


def number(value):
    """Seven bits a byte, the low ones first."""
    out = []
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return out + [value]


def signed(value):
    return number(value * 2 if value >= 0 else -value * 2 - 1)


def runs(classes, scripts):
    """Kinds (classes, script), and runs (length, kind) from U+0000 on."""
    kinds, out, last, length = {(0, 0): 0}, [], None, 0
    for pair in zip(classes, scripts):
        kind = kinds.setdefault(pair, len(kinds))
        if kind == last:
            length += 1
            continue
        if last is not None:
            out += number(length) + number(last)
        last, length = kind, 1
    out += number(length) + number(last)
    assert len(kinds) <= 256, len(kinds)
    head = number(len(kinds))
    for mask, script in kinds:
        head += number(mask) + number(script)
    return bytes(head + out)


def steps(mapping):
    """Steps (gap, count, stride, distance): count code points, stride apart, each mapped by the same distance."""
    changed = [(p, mapping[p] - p) for p in range(128, POINTS) if mapping[p] != p]
    groups = []
    for point, distance in changed:
        if groups:
            start, count, stride, known = groups[-1]
            if known == distance and (
                count == 1 and point - start <= 2 or count > 1 and point == start + count * stride
            ):
                groups[-1] = (start, count + 1, point - start if count == 1 else stride, known)
                continue
        groups.append((point, 1, 1, distance))
    out, before = number(len(groups)), 0
    for start, count, stride, distance in groups:
        out += number(start - before) + number(count) + number(stride) + signed(distance)
        before = start
    return bytes(out)


def literal(name, data):
    """The bytes as a string of six bits a character, 110 a line."""
    bits = int.from_bytes(data, "little")
    count = (len(data) * 8 + 5) // 6
    text = []
    for _ in range(count):
        text.append(ALPHABET[bits & 63])
        bits >>= 6
    text = "".join(text)
    body = "\n".join(f'    "{text[k : k + 110]}"' for k in range(0, len(text), 110))
    return f"extern char const {name}[];\nchar const {name}[] =\n{body};\n"


def written():
    classes, scripts, lower, fold = properties()
    parts = [
        ("packed_properties", runs(classes, scripts)),
        ("packed_lower", steps(lower)),
        ("packed_fold", steps(fold)),
    ]
    digest = hashlib.sha256(b"".join(data for _, data in parts)).hexdigest()
    size = sum(len(data) for _, data in parts)
    # Debian's unicode-data is Unicode's, under the Unicode licence; only derived numbers stand here.
    return (
        f"// Written by tools/unicode/tables.py from Unicode {VERSION}: {size} bytes, SHA-256\n"
        f"// {digest}.\n"
        "// clang-format off\nnamespace optgap::rubrics {\n\n"
        + "\n".join(literal(*part) for part in parts)
        + "\n}  // namespace optgap::rubrics\n"
    )


def unpacked(text):
    """The bytes of each literal of the file."""
    for _, body in re.findall(r"char const (\w+)\[\] =\n((?:    \"[^\"]*\"\n?)+)", text):
        letters = re.sub(r'[\s"]', "", body)
        bits = sum(ALPHABET.index(letter) << 6 * k for k, letter in enumerate(letters))
        yield bits.to_bytes(len(letters) * 6 // 8 + 1, "little")[: len(letters) * 6 // 8]


def check():
    text = OUT.read_text(encoding="utf-8")
    size, digest = re.search(r": (\d+) bytes, SHA-256\n// (\w+)", text).groups()
    parts = list(unpacked(text))
    if sum(map(len, parts)) != int(size) or hashlib.sha256(b"".join(parts)).hexdigest() != digest:
        print(f"{OUT.relative_to(ROOT)}: its bytes are not those of the hash in its first line")
        return 1
    readme = DATA / "ReadMe.txt"
    if readme.exists() and f"Version {VERSION}" in readme.read_text(encoding="utf-8") and written() != text:
        print(f"{OUT.relative_to(ROOT)}: is not what tools/unicode/tables.py writes")
        return 1
    return 0


def main():
    if sys.argv[1:] == ["--check"]:
        return check()
    if sys.argv[1:]:
        print(__doc__, file=sys.stderr)
        return 2
    OUT.write_text(written(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
