"""`optgap rubric tables`: what packages hold becomes the tables that instruction types need; languages are told apart by them."""

import json
import pathlib
import re
import subprocess
import sys

import pytest
from in_process import main

from optgap.data.rubrics import Rubrics, tables

PAGE = (pathlib.Path(__file__).resolve().parents[2] / "docs/checks.md").read_text(encoding="utf-8")
PACKAGES = ("stopwordsiso", "textblob", "syllapy")
SENTENCES = {
    "ar": "الولد يقرأ الكتاب في البيت ثم يذهب إلى المدرسة مع هذا الصديق.",
    "bg": "Това е книга за морето и аз я чета, защото не мога да спя.",
    "bn": "আমি এই বইটি পড়েছি এবং তার কথা আমার খুব ভালো লেগেছে।",
    "de": "Das Meer ist heute ruhig und wir gehen mit den Kindern an den Strand.",
    "en": "The sea is calm today and we are going to the beach with the children.",
    "es": "El mar está tranquilo hoy y nosotros vamos a la playa con los niños.",
    "fa": "این کتاب را خواندم و از آن بسیار خوشم آمد، اما او با من نیست.",
    "fi": "Meri on tänään tyyni ja me menemme rannalle, mutta hän ei ole täällä.",
    "fr": "La mer est calme et nous allons à la plage avec les enfants dans une heure.",
    "gu": "આ પુસ્તક મને ખૂબ ગમે છે અને તે પણ વાંચે છે.",
    "he": "הים שקט היום ואנחנו הולכים אל החוף עם הילדים, אבל הוא לא כאן.",
    "hi": "यह किताब मुझे बहुत अच्छी लगी और वह भी इसको पढ़ रहा है।",
    "it": "Il mare è calmo oggi e noi andiamo alla spiaggia con i bambini.",
    "ja": "東京は日本の首都です。そして、とても大きな町です。",
    "kn": "ನಾನು ಒಂದು ಪುಸ್ತಕ ಓದಿದೆ ಮತ್ತು ಅದು ಬಹಳ ಚೆನ್ನಾಗಿ ಇದೆ.",
    "ko": "나는 그리고 이 책을 읽고 그 사람을 모두 다시 만났다.",
    "ml": "ഞാൻ ഒരു പുസ്തകം വായിച്ചു, അത് വളരെ നല്ലത് ആണ് എന്ന് അവർ പറഞ്ഞു.",
    "mr": "मी हे पुस्तक वाचले आहे आणि ते खूप चांगले आहे असे म्हणाले.",
    "ne": "म यो किताब पढ्छु र त्यो पनि राम्रो छ, तर उनी यहाँ छन्।",
    "pa": "ਮੈਂ ਇਹ ਕਿਤਾਬ ਪੜ੍ਹੀ ਹੈ ਅਤੇ ਉਹ ਵੀ ਇਸ ਨੂੰ ਪੜ੍ਹਦਾ ਹੈ।",
    "pl": "Morze jest dziś spokojne i idziemy na plażę, ale nie ma go tutaj.",
    "pt": "O mar está calmo hoje e nós vamos à praia com as crianças, mas ele não está aqui.",
    "ru": "Море сегодня спокойное, и мы идём на пляж, но его здесь нет.",
    "sw": "Kitabu hiki ni kizuri na mimi ninakisoma kwa sababu ya rafiki yangu wa shule.",
    "ta": "நான் ஒரு புத்தகம் படித்தேன் மற்றும் அது என்ன என்று அவர் கேட்டார்.",
    "te": "నేను ఒక పుస్తకం చదివాను మరియు అది చాలా బాగా ఉంది అని వారు చెప్పారు.",
    "th": "ฉันรักประเทศไทยและอาหารไทยมาก แต่เขาไม่ได้อยู่ที่นี่",
    "uk": "Море сьогодні спокійне, і ми йдемо на пляж, але його тут немає, бо це є так.",
    "ur": "یہ کتاب مجھے بہت اچھی لگی اور وہ بھی اس کو پڑھ رہا ہے۔",
    "vi": "Biển hôm nay rất yên và chúng tôi đang đi ra bãi biển với những đứa trẻ.",
    "zh": "我们今天去北京，因为那里的天气很好，但是他不在这里。",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    for package in PACKAGES:
        pytest.importorskip(package, reason="pip install 'optgap[text]'")
    folder = tmp_path_factory.mktemp("tables")
    assert main(["rubric", "tables", str(folder)]) == 0
    return folder


def test_the_tables_are_what_the_page_says_and_the_same_twice(made, tmp_path):
    sources = json.loads((made / "sources.json").read_text(encoding="utf-8"))
    assert sources == tables.write(tmp_path)
    for name in ("languages", "stop_words", "verbs", "syllables"):
        assert (made / f"{name}.json").read_bytes() == (tmp_path / f"{name}.json").read_bytes()
        assert f"| `{name}.json` |" in PAGE
    assert sources["stop_words"]["entries"] == 153 and sources["languages"]["entries"] == 31
    verbs = json.loads((made / "verbs.json").read_text(encoding="utf-8"))
    assert {"write", "describe", "is"} <= set(verbs) and not {"table", "dog"} & set(verbs)


def test_each_language_is_told_from_the_others(made):
    table = json.loads((made / "languages.json").read_text(encoding="utf-8"))
    assert set(SENTENCES) == set(table) == set(tables.LANGUAGES)
    rubrics = Rubrics.compile([{"chain": {"chain": 1, "style": [
        {"check": "language:response_language", "language": name, "table": table}]}} for name in SENTENCES])  # fmt: skip
    for own, sentence in SENTENCES.items():
        rewards = rubrics.score([sentence] * len(SENTENCES), rubric_of=range(len(SENTENCES))).reward
        told = [name for name, reward in zip(SENTENCES, rewards, strict=True) if reward == 1]
        assert told == [own], sentence


def test_the_page_s_commands_run(made, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^\$ optgap (rubric .*tables.*)$", PAGE, re.M)
    assert len(commands) == 2
    rows = [
        {
            "key": "1",
            "prompt": "p",
            "instruction_id_list": ["language:response_language"],
            "kwargs": [{"language": "th"}],
        }
    ]
    (tmp_path / "prompts.jsonl").write_text(json.dumps(rows), encoding="utf-8")
    for command in commands:
        words, _, out = command.partition(" > ")
        done = subprocess.run([sys.executable, "-m", "optgap", *words.split()], capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        if out:
            (tmp_path / out).write_bytes(done.stdout)
    (row,) = [json.loads(line) for line in (tmp_path / "rubrics.jsonl").read_text(encoding="utf-8").splitlines()]
    assert set(row["chain"]["style"][0]["table"]) == set(tables.LANGUAGES)


def test_a_missing_package_is_named(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["rubric", "tables", str(tmp_path / "x")]) == 2
    assert "pip install 'optgap[text]'" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()
