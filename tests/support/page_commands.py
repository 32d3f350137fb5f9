"""Commands shown on pages: ```sh blocks, which tests run, and ```console blocks, which need a model, a server or
hours."""

import re
import shlex

PROMPT = "$ "


def blocks(page, language):
    """The texts of a page's blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M)


def languages(page):
    """The languages of the page's fences, one per block."""
    return re.findall(r"^ *```(\w*)[^\n]*$", page.read_text(encoding="utf-8"), re.M)[::2]


def is_whole(text):
    """Whether the lines so far are a complete command: quotes are closed, and no continuation follows."""
    try:
        shlex.split(text, comments=True)
    except ValueError:
        return False
    return not text.rstrip().endswith(("|", "&&", "||", "\\"))


def commands_in(lines):
    """Commands of lines, with continued ones joined, without trailing comments."""
    held = ""
    for line in lines:
        held = f"{held}\n{line}" if held else line
        if is_whole(held):
            command = held if "\n" in held else re.sub(r"\s+#.*$", "", held).strip()
            held = ""
            if command and not command.startswith("#"):
                yield command
    if held:
        raise ValueError(f"a command does not end: {held}")


def run_commands(page):
    """Commands of the ```sh blocks."""
    for block in blocks(page, "sh"):
        yield from commands_in(block.splitlines())


def shown_commands(page):
    """Commands of the ```console blocks; where a line begins with $, the other lines are output."""
    for block in blocks(page, "console"):
        lines = block.replace("\\\n", " ").splitlines()
        if any(line.startswith(PROMPT) for line in lines):
            lines = [line.removeprefix(PROMPT) for line in lines if line.startswith(PROMPT)]
        yield from commands_in(lines)


def simple_commands(command):
    """The words of each program that a command calls, without redirections and assignments."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words = list(lexer)
    calls, target = [[]], False
    for word in words:
        if word in ("|", "&&", "||", ";", "&"):
            calls.append([])
        elif word in (">", ">>", "<"):
            target = True
        elif target:
            target = False
        elif calls[-1] or not re.fullmatch(r"\w+=.*", word):
            calls[-1].append(word)
    return [call for call in calls if call]


def optgap_calls(command):
    """The arguments of each call of optgap in the command."""
    for call in simple_commands(command):
        words = call[1:] if call[0] == "uvx" else call
        if words[0] == "optgap":
            yield words[1:]


def unknown_options(arguments, help_of):
    """Options of a call that its help does not name. `help_of` returns the help of such a call."""
    named = [word.partition("=")[0] for word in arguments if re.fullmatch(r"--?[a-zA-Z][\w-]*(=.*)?", word)]
    said = help_of(tuple(arguments))
    return [option for option in named if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", said)]
