"""Tables of words that a few instruction types of IFEval and IFBench need, from packages of `optgap[text]` and two lists of ours."""

from __future__ import annotations

import csv
import hashlib
import importlib.metadata
import importlib.util
import json
import pathlib
from collections.abc import Callable
from typing import Any

from ... import __version__
from ...core.errors import misuse

# The languages that IFEval asks for, and Chinese, which is close to Japanese.
LANGUAGES = ("ar bg bn de en es fa fi fr gu he hi it ja kn ko ml mr ne pa pl pt ru sw ta te th uk ur vi zh").split()

# Frequent words of languages that stopwordsiso does not have, written down for this table.
_OWN = {
    "kn": "ಮತ್ತು ಒಂದು ಈ ಆ ಎಂದು ನಾನು ಇದು ಅದು ಅವರು ನೀವು ಹಾಗೂ ಆದರೆ ಇದೆ ಅಥವಾ ಎಂಬ ತಮ್ಮ ನನ್ನ ಬಹಳ ಇಲ್ಲ ಅವರ",
    "ml": "ഒരു ഈ ആ എന്ന ഞാൻ അത് ഇത് എന്നാൽ അവർ നിങ്ങൾ വളരെ കൂടാതെ അല്ലെങ്കിൽ എന്ന് പോലെ ഉണ്ട് എന്റെ തന്റെ നിന്ന് കൊണ്ട്",
    "ne": "र को मा छ छन् यो त्यो पनि लागि हो गर्न भने म उनी हामी तर थियो गरेको हुन्छ छु हाम्रो मेरो देखि सबै भएको",
    "pa": "ਅਤੇ ਦੇ ਦਾ ਦੀ ਵਿੱਚ ਨੂੰ ਹੈ ਹਨ ਇੱਕ ਇਹ ਤੋਂ ਨੇ ਕਿ ਲਈ ਨਾਲ ਮੈਂ ਉਹ ਵੀ ਜੋ ਸੀ",
    "ta": "மற்றும் ஒரு என்று இந்த அந்த என இது அது நான் நீங்கள் அவர் உள்ள முதல் வரை மேலும் ஆனால் பல போன்ற எனது என்ன",
    "te": "మరియు ఒక ఈ ఆ అని ఉంది నేను కూడా కోసం మీరు తన వారు ఇది అది లేదా కానీ నుండి చాలా ఉన్నాయి నా",
}

# Words of English that carry grammar rather than meaning, and the pieces that an apostrophe leaves (a word is letters alone: don, t).
_STOP_WORDS = (
    "i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself "
    "they them their theirs themselves what which who whom this that these those am is are was were be been being have has had "
    "having do does did doing a an the and but if or because as until while of at by for with about against between into through "
    "during before after above below to from up down in out on off over under again further then once here there when where why how "
    "all any both each few more most other some such no nor not only own same so than too very can will just should now "
    "s t d ll m o re ve y don ain aren couldn didn doesn hadn hasn haven isn ma mightn mustn needn shan shouldn wasn weren won wouldn"
)


def _folder(package: str) -> pathlib.Path:
    """A package's files. It is not imported: some import much that no table needs."""
    found = importlib.util.find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise misuse("tables", f"need the package {package}: pip install 'optgap[text]'")
    return pathlib.Path(found.submodule_search_locations[0])


def _languages() -> dict[str, list[str]]:
    known = json.loads((_folder("stopwordsiso") / "stopwords-iso.json").read_text(encoding="utf-8"))
    lists = {**known, **{name: words.split() for name, words in _OWN.items()}}
    return {name: sorted({word.lower() for word in lists[name] if word.strip()}) for name in LANGUAGES}


def _stop_words() -> list[str]:
    return sorted(_STOP_WORDS.split())


def _verbs() -> list[str]:
    """Words whose most frequent part of speech is a verb's, by the lexicon of Brill's tagger."""
    words = set()
    for line in (_folder("textblob") / "en/en-lexicon.txt").read_text(encoding="utf-8").splitlines():
        word, _, tags = line.partition(" ")
        if tags.startswith("VB") and word.isalpha():
            words.add(word.lower())
    return sorted(words)


def _syllables() -> dict[str, int]:
    with (_folder("syllapy") / "data.csv").open(encoding="utf-8", newline="") as file:
        return {word.lower(): int(count) for word, count in sorted(csv.reader(file)) if count.isdigit()}


_MAKERS: dict[str, tuple[str, Callable[[], Any]]] = {
    "languages": ("stopwordsiso", _languages),
    "stop_words": ("optgap", _stop_words),
    "verbs": ("textblob", _verbs),
    "syllables": ("syllapy", _syllables),
}


def write(folder: pathlib.Path) -> dict[str, dict[str, Any]]:
    """Writes NAME.json for each table and sources.json, which it returns: package, version, entries and SHA-256 of each."""
    sources = {}
    texts = {name: json.dumps(make(), ensure_ascii=False, sort_keys=True) + "\n" for name, (_, make) in _MAKERS.items()}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.json").write_text(text, encoding="utf-8")
        package = _MAKERS[name][0]
        # Ours has other names where it was built for a GPU.
        version = __version__ if package == "optgap" else importlib.metadata.version(package)
        sources[name] = {"package": package, "version": version,
                         "entries": len(json.loads(text)), "sha256": hashlib.sha256(text.encode()).hexdigest()}  # fmt: skip
    (folder / "sources.json").write_text(json.dumps(sources, indent=1) + "\n", encoding="utf-8")
    return sources
