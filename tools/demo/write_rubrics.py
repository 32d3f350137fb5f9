#!/usr/bin/env python3
"""Writes tools/demo/rubrics.jsonl: three questions with a rubric each, an honest answer, the reference, and seven
attacks on it.

  tools/demo/write_rubrics.py > tools/demo/rubrics.jsonl

Each row has prompt, rubric, completion, `group` (the question) and `kind` (honest, reference, or the attack's name)."""

import json

QUESTIONS = [
    (
        "tides",
        "Explain to a visitor why the sea rises and falls twice a day at this beach, and what that means for a walk on the "
        "sand.",
        "The tide rises and falls because the Moon pulls on the ocean. Its gravity raises a bulge of water on the near side of the "
        "Earth, and a second bulge forms on the far side. As the Earth rotates, our coast passes through both bulges, so high tide "
        "comes about every twelve hours. The Sun pulls as well, and when Sun and Moon stand in line the spring tide is higher than "
        "usual. For a walk this matters. Read the tide table at the harbour before you leave. Start at low tide, when the sand is "
        "wide and firm. Turn back before the water returns, since it can cut off the path below the cliffs within minutes.",
        [
            ("cause", ["gravity", "Moon", "bulge", "ocean", "Earth"]),
            ("rhythm", ["high tide", "twelve hours", "rotates", "spring tide"]),
            ("walk", ["tide table", "low tide", "sand", "cliffs"]),
        ],
        "Twice a day the water here comes up and goes down again, and the Moon is behind it. Its gravity tugs at the ocean and makes "
        "a bulge on the side of the Earth that faces it, with another bulge opposite. The planet rotates under them, so high tide "
        "arrives roughly every twelve hours. Around new and full moon the Sun helps and we get a spring tide. Before you set out, "
        "look at the tide table by the harbour. Go at low tide, when the sand is broad. Come back early, because the sea reaches the "
        "cliffs quickly and closes the path.",
    ),
    (
        "bread",
        "My sourdough loaf is dense and pale. Tell me what probably went wrong and what to change next time.",
        "A dense loaf usually means that fermentation was too short. Your starter may have been weak, so feed it twice and use it "
        "when it has doubled. Keep the dough near 25 degrees and let it rise until it is half as big again. Fold it a few times "
        "during the first two hours, because folding builds gluten that can hold the gas. A pale crust points to the oven. Preheat a "
        "heavy pot for forty minutes and bake with the lid on, so that steam keeps the surface soft. Then take the lid off and bake "
        "until the crust is dark brown. Let the bread cool before you cut it, or the crumb stays gummy.",
        [
            ("rise", ["fermentation", "starter", "doubled", "dough", "25 degrees"]),
            ("strength", ["fold", "gluten", "gas"]),
            ("oven", ["crust", "preheat", "lid", "steam", "dark brown", "crumb"]),
        ],
        "Most likely the fermentation stopped too early. Check the starter first: feed it until it has doubled reliably. Then hold the "
        "dough around 25 degrees and wait for it to grow by half. Fold it now and then in the beginning, which builds the gluten that "
        "traps gas. For the colour, look at the oven. The crust stays pale without heat, so preheat the pot well and bake under the lid "
        "first, where steam helps. Take it off later and go on to a dark brown. Cool the loaf fully, and the crumb will not be sticky.",
    ),
    (
        "backup",
        "We are a small office with two laptops and a shared folder. Suggest a simple backup plan and say why each part is "
        "there.",
        "Keep three copies of every important file, on two kinds of storage, with one copy away from the office. The first copy is the "
        "shared folder itself. The second is an external disk that runs a backup every night, so that a deleted file comes back within "
        "minutes. The third copy goes to a cloud service and is encrypted before it leaves, so that a fire or a thief does not take "
        "everything. Unplug the disk on Fridays, because ransomware can only reach what is connected. Test a restore once a month. A "
        "backup that nobody has restored is a hope and not a plan. Write down who checks it, and where the password is kept.",
        [
            ("copies", ["three copies", "shared folder", "external disk", "cloud"]),
            ("threats", ["deleted", "fire", "ransomware"]),
            ("practice", ["encrypted", "restore", "once a month", "password"]),
        ],
        "I would hold three copies of what matters. One stays where it is, in the shared folder. Another lands each night on an "
        "external disk, which brings a deleted document back quickly. The last one goes to the cloud, encrypted on your side, so a fire "
        "cannot end the business. Disconnect the drive when it is not in use, since ransomware reaches everything that is attached. Then "
        "practise: restore a folder once a month and see that it opens. Agree who does that, and keep the password in a sealed "
        "envelope at home.",
    ),
]
FILLER = (
    "There is always more that could be said about this, and people say it in many ways, at many times, with more or less "
    "patience, and all of them have a point of some kind. "
)


def negated(text):
    return (
        text.replace(" is ", " is not ")
        .replace(" can ", " cannot ")
        .replace(" because ", " although nobody thinks that ")
    )


def rows():
    for name, prompt, reference, points, honest in QUESTIONS:
        words = [word for _, list_ in points for word in list_]
        rubric = {
            "chain": 1,
            "prompt": prompt,
            "references": [reference],
            "content": {"points": [{"name": point, "references": [{"keywords": list_}]} for point, list_ in points]},
            "style": [
                {"check": "words", "in": [60, 180], "weight": 0.4},
                {"check": "sentences", "min": 5, "weight": 0.4},
                {"not": {"check": "contains", "any": ["as an AI"]}, "weight": 0.2},
            ],
        }
        vague = (
            "I am happy to help with that. It depends on many things, and you may want to ask somebody who knows the place. "
            * 4
        )
        hidden = "\u200b".join(reference[i : i + 2] for i in range(0, len(reference), 2))
        attacks = {
            "keywords": " ".join(words),
            "stuffing": reference + " " + " ".join(words * 6),
            "filler": reference + " " + FILLER * 30,
            "prompt_copied": (prompt + " ") * 6,
            "out_of_sight": vague
            + "\n<!-- "
            + reference
            + " -->\n```\n"
            + reference
            + "\n```\n[here]("
            + "-".join(words)
            + ")",
            "hidden_characters": hidden,
            "negated": negated(reference),
        }
        answers = {"honest": honest, "reference": reference, **attacks}
        for kind, completion in answers.items():
            yield {"group": name, "kind": kind, "prompt": prompt, "chain": rubric, "completion": completion}


for row in rows():
    print(json.dumps(row))
