"""Calls on the text and on its parts: methods of str, and functions of `re`."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import Any

from .code_values import Begin, Check, Count, Known, Part, Parts, Text, Truth, pattern_check, sought, within
from .python_expressions import BREAKS, SPACES, Unknown, line_spaces, literal, translated, whole_words, word_run

_FLAGS = {"I": re.I, "IGNORECASE": re.I, "M": re.M, "MULTILINE": re.M, "S": re.S, "DOTALL": re.S}


class TextCalls:
    def value(self, node: ast.expr, known: dict[str, Any]) -> Any:
        """What an expression means."""
        raise NotImplementedError

    def of_text(self, text: Text, name: str, given: list[Any]) -> Any:
        values = [one.value if isinstance(one, Known) else Unknown for one in given]
        if name == "strip" and not given:
            return replace(text, strip=True)
        if name == "lower" and not given:
            return replace(text, lower=True)
        if name == "split" and not given:
            return Parts(Count({"check": "pieces"}), Count({"check": "pieces"}))
        if name == "splitlines" and not given and not text.lower:
            return Parts(None, Count(pattern_check(f"[^{SPACES}][^{BREAKS}]*")), BREAKS)
        if name == "split" and len(values) == 1 and isinstance(values[0], str) and values[0]:
            return self.split_at(text, values[0])
        if name == "count" and len(values) == 1 and isinstance(values[0], str) and values[0]:
            return Count({"check": "count_of", **sought([values[0]], text)})
        if name in ("startswith", "endswith") and len(values) == 1:
            texts = [values[0]] if isinstance(values[0], str) else values[0]
            if (
                isinstance(texts, list)
                and texts
                and all(isinstance(one, str) and one for one in texts)
                and not text.lower
            ):
                if text.strip and any(one != one.strip() for one in texts):
                    raise Unknown("white space at the ends of a stripped text")
                spaces = f"[{SPACES}]*" if text.strip else ""
                either = "|".join(literal(one) for one in texts)
                either = f"(?:{either})" if len(texts) > 1 else either
                return Truth(
                    {
                        **pattern_check(rf"\A{spaces}{either}" if name == "startswith" else rf"{either}{spaces}\z"),
                        "min": 1,
                    }
                )
            if isinstance(texts, list) and text.lower and text.strip and texts and all(
                    isinstance(one, str) and one and one == one.lower().strip() for one in texts):  # fmt: skip
                return Truth({"check": name.replace("with", "_with"), "texts": texts})
        if name == "isupper" and not given and not text.lower:
            return Truth({"check": "all_upper"})
        if name == "islower" and not given and not text.lower:
            return Truth({"check": "all_lower"})
        raise Unknown(f"the method {name[:40]}")

    def split_at(self, text: Text, separator: str) -> Parts:
        if text.lower and separator.lower() != separator.upper():
            raise Unknown("a split at letters of a lower-cased text")
        filled = None
        if len(separator) == 1:
            one = literal(separator)
            filled = Count(pattern_check(f"[^{SPACES}{one}][^{one}]*"))
        elif separator == "\n\n":
            filled = Count({"check": "paragraphs", "by": "double"})
        every = None if text.strip else Count({"check": "count_of", **sought([separator], Text())}, 1)
        return Parts(every, filled, r"\n" if separator == "\n" else "")

    def of_part(self, part: Part, name: str, given: list[Any]) -> Any:
        if name in ("strip", "lstrip") and not given:
            return replace(part, strip=True)
        if name == "startswith" and len(given) == 1 and isinstance(given[0], Known) and part.parts.breaks:
            texts = [given[0].value] if isinstance(given[0].value, str) else given[0].value
            if isinstance(texts, list) and texts and all(isinstance(one, str) and one for one in texts):
                if any(set(one) & set("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029") for one in texts):
                    raise Unknown("a line break in a line")
                # A stripped line ends without white space, so `"- "` is not the begin of `- ` alone.
                if part.strip and any(one != one.strip() for one in texts):
                    rest = f"[{line_spaces(part.parts.breaks)}]*[^{SPACES}]"
                    if any(one != one.lstrip() for one in texts):
                        raise Unknown("white space before a stripped line")
                    parts = [literal(one) + (rest if one != one.rstrip() else "") for one in texts]
                else:
                    parts = [literal(one) for one in texts]
                return Begin(part.parts, self.indent(part) + (f"(?:{'|'.join(parts)})" if len(parts) > 1 else parts[0]))
        raise Unknown(f"the method {name[:40]} of a part")

    @staticmethod
    def indent(part: Part) -> str:
        return f"[{line_spaces(part.parts.breaks)}]*" if part.strip else ""

    def expression(self, node: ast.Call, known: dict[str, Any]) -> Any:
        assert isinstance(node.func, ast.Attribute)
        name, nodes, flags = node.func.attr, list(node.args), 0
        for keyword in node.keywords:
            if keyword.arg != "flags":
                raise Unknown("named arguments")
            flags |= self.flags(keyword.value)
        if len(nodes) == 3 and name != "split":
            flags |= self.flags(nodes.pop())
        if name not in ("findall", "search", "match", "split") or len(nodes) != 2:
            raise Unknown(f"a call of re.{name[:40]}")
        asked, text = self.value(nodes[0], known), self.value(nodes[1], known)
        if not isinstance(asked, Known) or not isinstance(asked.value, str):
            raise Unknown("an expression that is no constant")
        if isinstance(text, Part) and name in ("match", "search") and text.parts.breaks:
            if name == "search" and not asked.value.startswith("^") or "|" in asked.value.partition("(")[0]:
                raise Unknown("an expression within a line")
            written, empty = translated(asked.value, flags & ~re.M, text.parts.breaks)
            if empty:
                raise Unknown("an expression that may match nothing")
            return Begin(text.parts, self.indent(text) + written)
        if not isinstance(text, Text) or text.strip or text.lower:
            raise Unknown("an expression of other things than the text as it is")
        more = {"ignore_case": True} if flags & re.I else {}
        if name in ("findall", "search"):
            texts = whole_words(asked.value)
            if texts is not None and (len(texts) == 1 or name == "search" or all(
                    one.replace("_", "a").isalnum() for one in texts) and len({one.lower() for one in texts}) == len(texts)):  # fmt: skip
                fold = "python" if flags & re.I else "none"
                if name == "search":
                    return Truth({"check": "contains", "texts": texts, "fold": fold, "min": 1})
                return self.found({"check": "count_of", "texts": texts, "fold": fold})
            if word_run(asked.value):
                words = Count({"check": "words", "cjk": "runs"})
                return within(words, 1, None) if name == "search" else Parts(words, words)
        written, empty = translated(asked.value, flags)
        if name == "search":
            return Truth({**pattern_check(written, **more), "min": 1})
        if name == "match":
            return Truth({**pattern_check(rf"\A(?:{written})", **more), "min": 1})
        if empty:
            raise Unknown("an expression that may match nothing")
        if name == "findall":
            return self.found(pattern_check(written, **more))
        return self.split_by(asked.value, flags, written, more)

    @staticmethod
    def found(check: Check) -> Parts:
        return Parts(Count(check), None)

    def split_by(self, expression: str, flags: int, written: str, more: Check) -> Parts:
        if "(" in expression.replace(r"\(", "").replace("(?:", ""):
            raise Unknown("a split with groups")
        filled = None
        if expression == r"\n\s*\n":
            filled = Count({"check": "paragraphs", "by": "blank"})
        elif expression in (r"\n\n", r"\n\n+", r"\n{2,}"):
            filled = Count({"check": "paragraphs", "by": "double"})
        elif re.fullmatch(r"\[[^\]\\^-]+\]\+?", expression) and not flags:
            inner = "".join(literal(one) for one in expression.rstrip("+")[1:-1])
            filled = Count(pattern_check(f"[^{SPACES}{inner}][^{inner}]*"))
        return Parts(Count(pattern_check(written, **more), 1), filled)

    def flags(self, node: ast.expr) -> int:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self.flags(node.left) | self.flags(node.right)
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "re"
            and node.attr in _FLAGS
        ):
            return int(_FLAGS[node.attr])
        if isinstance(node, ast.Constant) and node.value == 0:
            return 0
        raise Unknown("flags")
