"""What the tiny model of the tests of free text may say: questions, answers and scores, a token each."""


def texts():
    questions = [f"<question>How many are {a} and {a + 1}?</question>" for a in range(4)]
    broken = ["<question></question>", "<question>a</question><question>b</question>"]
    return [*questions, *broken, "<answer>4</answer>", "five", "<score>9</score>", "<score>2</score>"]
