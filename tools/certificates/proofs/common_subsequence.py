"""A common word, letter by letter, with bounds from pairs of words."""

from tasks.common_subsequence import words_of


def common_rest(one, other):
    """[i][j]: the longest common subsequence of one without its first i letters and of other without its first j."""
    longest = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in reversed(range(len(one))):
        for j in reversed(range(len(other))):
            longest[i][j] = (
                longest[i + 1][j + 1] + 1 if one[i] == other[j] else max(longest[i + 1][j], longest[i][j + 1])
            )
    return longest


def walk(instance, goal):
    """A case: the number of letters, and how far each word is read. The rest is at most any two words' longest common
    subsequence. A letter is skipped where another precedes it in every word, which could be put before it."""
    words = words_of(instance)
    pairs = [(i, j, common_rest(one, words[j])) for i, one in enumerate(words) for j in range(i)]
    behind = [
        [
            {letter: at + 1 for at, letter in reversed(list(enumerate(word))) if at >= begin}
            for begin in range(len(word) + 1)
        ]
        for word in words
    ]

    def further(case):
        length, read = case
        if length > goal:
            return None
        reach = {}
        for letter in sorted(set(words[0])):
            if all(letter in behind[i][at] for i, at in enumerate(read)):
                reach[letter] = tuple(behind[i][at][letter] for i, at in enumerate(read))
        return [
            (length + 1, after)
            for after in reach.values()
            if not any(all(a < b for a, b in zip(sooner, after)) for sooner in reach.values())
            and length + 1 + min(longest[after[i]][after[j]] for i, j, longest in pairs) > goal
        ]

    return (0, (0,) * len(words)), further
