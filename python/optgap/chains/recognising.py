"""Checks that data sets hold as Python, read as data: the usual shapes of length, counts, presence and expressions.

Nothing of a code runs here. What is recognised is only a proposal: `optgap.chains.proving` holds it against the code's own
verdicts. Raises `Unknown` for every shape that is not listed, and for every one whose meaning could differ.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from typing import Any, Union

from .python_expressions import BREAKS, LONGEST, SPACES, Unknown, line_spaces, literal, translated, whole_words, word_run

__all__ = ["Unknown", "recognise"]

Check = dict[str, Any]
MOST_BYTES = 8192
_MODULES = {"re", "json", "string", "math"}
_FLAGS = {"I": re.I, "IGNORECASE": re.I, "M": re.M, "MULTILINE": re.M, "S": re.S, "DOTALL": re.S}
_ALWAYS: Check = {"check": "bytes", "min": 0}


@dataclass(frozen=True)
class Text:
    """The text, after strip() and lower()."""

    strip: bool = False
    lower: bool = False


@dataclass(frozen=True)
class Count:
    """A measure and what is added to it: an int of Python."""

    check: Any
    plus: int = 0


@dataclass(frozen=True)
class Parts:
    """A list of parts of the text: how many (None: not known), and how many that are not blank."""

    all: Count | None
    filled: Count | None
    breaks: str = ""
    """Of lines: where they end."""


@dataclass(frozen=True)
class Part:
    """An element of these, after strip() or lstrip()."""

    of: Parts
    strip: bool = False


@dataclass(frozen=True)
class Begin:
    """What a line begins with, as an expression."""

    of: Parts
    expression: str


Value = Union[Text, Count, Parts, Part, Begin, "Truth", "Known"]


@dataclass(frozen=True)
class Truth:
    """True or False: a check, or known."""

    check: Any


@dataclass(frozen=True)
class Known:
    """A constant: a text, an int, None or a list of texts."""

    value: Any


def recognise(code: str) -> Check:
    """The check that a code is. Raises Unknown."""
    if len(code.encode(errors="replace")) > MOST_BYTES:
        raise Unknown("a long code")
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Unknown("no Python") from None
    try:
        return _shown(_function(tree))
    except RecursionError:
        raise Unknown("deep nesting") from None


def _shown(found: Truth) -> Check:
    if found.check is True:
        return dict(_ALWAYS)
    if found.check is False:
        return {"not": dict(_ALWAYS)}
    check: Check = found.check
    return check


def _function(tree: ast.Module) -> Truth:
    body = [one for one in tree.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    if not body:
        raise Unknown("no function")
    if isinstance(body[0], (ast.Import, ast.ImportFrom)):
        raise Unknown("an import first: its module is what is called")
    first = body[0]
    if not isinstance(first, ast.FunctionDef) or first.decorator_list or len(body) > 1:
        raise Unknown("more than one function")
    given = first.args
    if len(given.args) != 1 or given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg or given.defaults:
        raise Unknown("other parameters than one text")
    if any(isinstance(one, (ast.Yield, ast.YieldFrom, ast.Await)) for one in ast.walk(first)):
        raise Unknown("a generator")
    return _Reader().block(first.body, {given.args[0].arg: Text()}, True)


def _not(one: Truth) -> Truth:
    if isinstance(one.check, bool):
        return Truth(not one.check)
    return Truth(one.check["not"] if set(one.check) == {"not"} else {"not": one.check})


def _joined(how: str, parts: list[Truth]) -> Truth:
    absorbs = how == "any"
    left = []
    for one in parts:
        if one.check is absorbs:
            return Truth(absorbs)
        if not isinstance(one.check, bool):
            left += one.check[how] if set(one.check) == {how} else [one.check]
    if not left:
        return Truth(not absorbs)
    return Truth(left[0] if len(left) == 1 else {how: left})


def _within(count: Count, low: int | None, high: int | None) -> Truth:
    low = None if low is None or low - count.plus <= 0 else low - count.plus
    high = None if high is None else high - count.plus
    if high is not None and (high < 0 or (low is not None and low > high)):
        return Truth(False)
    if low is None and high is None:
        return Truth(True)
    bound = {"equals": low} if low == high else {name: value for name, value in (("min", low), ("max", high)) if value is not None}
    return Truth({**count.check, **bound})


def _pattern(expression: str, **more: Any) -> Check:
    if len(expression.encode()) > LONGEST:
        raise Unknown("a long expression")
    return {"check": "pattern", "expression": expression, **more}


def _sought(texts: list[str], text: Text) -> Check:
    """`in`: the needle is not folded, the text may be. An empty one stands in every text."""
    if any(not one for one in texts):
        raise Unknown("an empty text that is looked for")
    if text.strip and any(one != one.strip() for one in texts):
        raise Unknown("white space at the ends of a stripped text")
    return {"texts": texts, "boundary": "none", "fold": "lower" if text.lower else "none"}


class _Reader:
    def block(self, body: list[ast.stmt], given: dict[str, Any], whole: bool) -> Truth:
        """What a run of statements returns. `whole`: at its end the function ends, too."""
        known = dict(given)
        for at, one in enumerate(body):
            if isinstance(one, (ast.Pass, ast.Import)) or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)):
                if isinstance(one, ast.Import) and any(name.name not in _MODULES or name.asname for name in one.names):
                    raise Unknown("an import")
            elif isinstance(one, ast.Assign) and len(one.targets) == 1 and isinstance(one.targets[0], ast.Name):
                known[one.targets[0].id] = self.value(one.value, known)
            elif isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name) and one.value is not None:
                known[one.target.id] = self.value(one.value, known)
            elif isinstance(one, ast.Return):
                return Truth(False) if one.value is None else self.truth(self.value(one.value, known))
            elif isinstance(one, ast.If):
                asked = self.truth(self.value(one.test, known))
                if self.returns(one.orelse):
                    other = self.block(one.orelse, known, False)
                elif not one.orelse:
                    other = self.block(body[at + 1 :], known, whole)
                else:
                    raise Unknown("branches that do not return")
                then = self.block(one.body, known, False)
                return self.either(asked, then, other)
            elif isinstance(one, ast.For) and not one.orelse:
                found = self.loop(one, known)
                if isinstance(found, tuple):
                    known[found[0]] = found[1]
                else:
                    asked, returned = found.check
                    return self.either(asked, returned, self.block(body[at + 1 :], known, whole))
            else:
                raise Unknown(f"a statement: {type(one).__name__}")
        if whole:
            return Truth(False)
        raise Unknown("branches that do not return")

    @staticmethod
    def returns(body: list[ast.stmt]) -> bool:
        return bool(body) and (isinstance(body[-1], ast.Return) or
                               (isinstance(body[-1], ast.If) and _Reader.returns(body[-1].body) and _Reader.returns(body[-1].orelse)))  # fmt: skip

    @staticmethod
    def either(asked: Truth, then: Truth, other: Truth) -> Truth:
        return _joined("any", [_joined("all", [asked, then]), _joined("all", [_not(asked), other])]) \
            if then != other else then  # fmt: skip

    def loop(self, one: ast.For, known: dict[str, Any]) -> Any:
        """`count += 1` where something holds, or `return` where it does."""
        if len(one.body) != 1 or not isinstance(one.body[0], ast.If) or one.body[0].orelse or len(one.body[0].body) != 1:
            raise Unknown("a loop")
        inner = one.body[0].body[0]
        made = ast.comprehension(target=one.target, iter=one.iter, ifs=[one.body[0].test], is_async=0)
        if isinstance(inner, ast.AugAssign) and isinstance(inner.target, ast.Name) and isinstance(inner.op, ast.Add):
            if inner.target.id not in known or known[inner.target.id] != Known(0):
                raise Unknown("a loop")
            if not (isinstance(inner.value, ast.Constant) and inner.value.value == 1):
                raise Unknown("a loop")
            return inner.target.id, self.counted(ast.Constant(1), [made], known, ones=True)
        if isinstance(inner, ast.Return) and isinstance(inner.value, ast.Constant):
            found = self.truth(self.counted(ast.Constant(1), [made], known, ones=True))
            return Truth((found, Truth(bool(inner.value.value))))
        raise Unknown("a loop")

    def truth(self, value: Any) -> Truth:
        if isinstance(value, Truth):
            return value
        if isinstance(value, Known):
            return Truth(bool(value.value))
        if isinstance(value, Parts) and value.all is not None:
            return _within(value.all, 1, None)
        if isinstance(value, Count):
            return self.pair(value, ast.NotEq(), Known(0))
        if isinstance(value, Text):
            if value.strip:
                return _within(Count({"check": "pieces"}), 1, None)
            return _within(Count({"check": "characters"}), 1, None)
        raise Unknown(f"the truth of {type(value).__name__.lower()}")

    def value(self, node: ast.expr, known: dict[str, Any]) -> Any:
        if isinstance(node, ast.Constant):
            return Known(node.value)
        if isinstance(node, ast.Name):
            if node.id in known:
                return known[node.id]
            raise Unknown(f"the name {node.id[:40]}")
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            parts = [self.value(one, known) for one in node.elts]
            if all(isinstance(one, Known) and isinstance(one.value, str) for one in parts):
                return Known([one.value for one in parts])
            raise Unknown("a list of other things than texts")
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return _not(self.truth(self.value(node.operand, known)))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self.value(node.operand, known)
            if isinstance(inner, Known) and type(inner.value) is int:
                return Known(-inner.value)
        if isinstance(node, ast.BoolOp):
            parts = [self.truth(self.value(one, known)) for one in node.values]
            return _joined("all" if isinstance(node.op, ast.And) else "any", parts)
        if isinstance(node, ast.IfExp):
            asked, then, other = (self.truth(self.value(one, known)) for one in (node.test, node.body, node.orelse))
            return self.either(asked, then, other)
        if isinstance(node, ast.Compare):
            return self.compared(node, known)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            left, right = self.value(node.left, known), self.value(node.right, known)
            if isinstance(right, Known) and type(right.value) is int and isinstance(left, Count):
                return replace(left, plus=left.plus + (right.value if isinstance(node.op, ast.Add) else -right.value))
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            return self.listed(node.elt, node.generators, known)
        if isinstance(node, ast.Call):
            return self.called(node, known)
        raise Unknown(f"an expression: {type(node).__name__}")

    def compared(self, node: ast.Compare, known: dict[str, Any]) -> Truth:
        values = [self.value(one, known) for one in (node.left, *node.comparators)]
        return _joined("all", [self.pair(left, op, right) for left, op, right in zip(values, node.ops, values[1:])])

    def pair(self, left: Any, op: ast.cmpop, right: Any) -> Truth:
        if isinstance(op, (ast.In, ast.NotIn)):
            if isinstance(left, Known) and isinstance(left.value, str) and isinstance(right, Text):
                found = Truth(True) if not left.value else Truth({"check": "contains", **_sought([left.value], right), "min": 1})
                return found if isinstance(op, ast.In) else _not(found)
            raise Unknown("`in` of other things than a text in the text")
        if isinstance(op, (ast.Is, ast.IsNot)):
            if isinstance(left, Truth) and right == Known(None):  # a match, or None
                return left if isinstance(op, ast.IsNot) else _not(left)
            if isinstance(left, Truth) and right in (Known(True), Known(False)):
                raise Unknown("identity with True or False")
        turned: dict[type, type[ast.cmpop]] = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}
        if isinstance(left, Known) and isinstance(right, Count):
            return self.pair(right, turned.get(type(op), type(op))(), left)
        if isinstance(left, Count) and isinstance(right, Known) and type(right.value) is int:
            low, high = {ast.Lt: (None, right.value - 1), ast.LtE: (None, right.value), ast.Gt: (right.value + 1, None),
                         ast.GtE: (right.value, None)}.get(type(op), (right.value, right.value))  # fmt: skip
            if not isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)):
                raise Unknown("a comparison")
            if low is not None and low == high and low - left.plus <= 0:
                found = Truth(False) if low - left.plus < 0 else _within(left, None, high)
            else:
                found = _within(left, low, high)
            return _not(found) if isinstance(op, ast.NotEq) else found
        raise Unknown("a comparison")

    def called(self, node: ast.Call, known: dict[str, Any]) -> Any:
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id == "re" \
                and "re" not in known:  # fmt: skip
            return self.expression(node, known)
        if node.keywords:
            raise Unknown("named arguments")
        if isinstance(node.func, ast.Name) and node.func.id not in known:
            return self.built_in(node.func.id, node.args, known)
        if isinstance(node.func, ast.Attribute):
            of = self.value(node.func.value, known)
            given = [self.value(one, known) for one in node.args]
            if isinstance(of, Text):
                return self.of_text(of, node.func.attr, given)
            if isinstance(of, Part):
                return self.of_part(of, node.func.attr, given)
            if isinstance(of, Known) and isinstance(of.value, str) and not given and node.func.attr in ("lower", "upper", "strip"):
                return Known(getattr(of.value, node.func.attr)())
        raise Unknown("a call")

    def built_in(self, name: str, nodes: list[ast.expr], known: dict[str, Any]) -> Any:
        if len(nodes) != 1:
            raise Unknown(f"a call of {name[:40]}")
        if name in ("any", "all", "sum") and isinstance(nodes[0], (ast.ListComp, ast.GeneratorExp)):
            inner = nodes[0]
            if name == "sum":
                return self.counted(inner.elt, inner.generators, known, ones=True)
            return self.quantified(name, inner, known)
        given = self.value(nodes[0], known)
        if name == "bool":
            return self.truth(given)
        if name == "list" and isinstance(given, Parts):
            return given
        if name == "len":
            if isinstance(given, Text) and not given.strip and not given.lower:
                return Count({"check": "characters"})
            if isinstance(given, Parts) and given.all is not None:
                return given.all
        raise Unknown(f"a call of {name[:40]}")

    def of_text(self, of: Text, name: str, given: list[Any]) -> Any:
        values = [one.value if isinstance(one, Known) else Unknown for one in given]
        if name == "strip" and not given:
            return replace(of, strip=True)
        if name == "lower" and not given:
            return replace(of, lower=True)
        if name == "split" and not given:
            return Parts(Count({"check": "pieces"}), Count({"check": "pieces"}))
        if name == "splitlines" and not given and not of.lower:
            return Parts(None, Count(_pattern(f"[^{SPACES}][^{BREAKS}]*")), BREAKS)
        if name == "split" and len(values) == 1 and isinstance(values[0], str) and values[0]:
            return self.split_at(of, values[0])
        if name == "count" and len(values) == 1 and isinstance(values[0], str) and values[0]:
            return Count({"check": "count_of", **_sought([values[0]], of)})
        if name in ("startswith", "endswith") and len(values) == 1:
            texts = [values[0]] if isinstance(values[0], str) else values[0]
            if isinstance(texts, list) and texts and all(isinstance(one, str) and one for one in texts) and not of.lower:
                if of.strip and any(one != one.strip() for one in texts):
                    raise Unknown("white space at the ends of a stripped text")
                spaces = f"[{SPACES}]*" if of.strip else ""
                either = "|".join(literal(one) for one in texts)
                either = f"(?:{either})" if len(texts) > 1 else either
                return Truth({**_pattern(rf"\A{spaces}{either}" if name == "startswith" else rf"{either}{spaces}\z"), "min": 1})
            if isinstance(texts, list) and of.lower and of.strip and texts and all(
                    isinstance(one, str) and one and one == one.lower().strip() for one in texts):  # fmt: skip
                return Truth({"check": name.replace("with", "_with"), "texts": texts})
        if name == "isupper" and not given and not of.lower:
            return Truth({"check": "all_upper"})
        if name == "islower" and not given and not of.lower:
            return Truth({"check": "all_lower"})
        raise Unknown(f"the method {name[:40]}")

    def split_at(self, of: Text, separator: str) -> Parts:
        if of.lower and separator.lower() != separator.upper():
            raise Unknown("a split at letters of a lower-cased text")
        filled = None
        if len(separator) == 1:
            one = literal(separator)
            filled = Count(_pattern(f"[^{SPACES}{one}][^{one}]*"))
        elif separator == "\n\n":
            filled = Count({"check": "paragraphs", "by": "double"})
        every = None if of.strip else Count({"check": "count_of", **_sought([separator], Text())}, 1)
        return Parts(every, filled, r"\n" if separator == "\n" else "")

    def of_part(self, of: Part, name: str, given: list[Any]) -> Any:
        if name in ("strip", "lstrip") and not given:
            return replace(of, strip=True)
        if name == "startswith" and len(given) == 1 and isinstance(given[0], Known) and of.of.breaks:
            texts = [given[0].value] if isinstance(given[0].value, str) else given[0].value
            if isinstance(texts, list) and texts and all(isinstance(one, str) and one for one in texts):
                if any(set(one) & set("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029") for one in texts):
                    raise Unknown("a line break in a line")
                # A stripped line ends without white space, so `"- "` is not the begin of `- ` alone.
                if of.strip and any(one != one.strip() for one in texts):
                    rest = f"[{line_spaces(of.of.breaks)}]*[^{SPACES}]"
                    if any(one != one.lstrip() for one in texts):
                        raise Unknown("white space before a stripped line")
                    parts = [literal(one) + (rest if one != one.rstrip() else "") for one in texts]
                else:
                    parts = [literal(one) for one in texts]
                return Begin(of.of, self.indent(of) + (f"(?:{'|'.join(parts)})" if len(parts) > 1 else parts[0]))
        raise Unknown(f"the method {name[:40]} of a part")

    @staticmethod
    def indent(of: Part) -> str:
        return f"[{line_spaces(of.of.breaks)}]*" if of.strip else ""

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
        if isinstance(text, Part) and name in ("match", "search") and text.of.breaks:
            if name == "search" and not asked.value.startswith("^") or "|" in asked.value.partition("(")[0]:
                raise Unknown("an expression within a line")
            written, empty = translated(asked.value, flags & ~re.M, text.of.breaks)
            if empty:
                raise Unknown("an expression that may match nothing")
            return Begin(text.of, self.indent(text) + written)
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
                return _within(words, 1, None) if name == "search" else Parts(words, words)
        written, empty = translated(asked.value, flags)
        if name == "search":
            return Truth({**_pattern(written, **more), "min": 1})
        if name == "match":
            return Truth({**_pattern(rf"\A(?:{written})", **more), "min": 1})
        if empty:
            raise Unknown("an expression that may match nothing")
        if name == "findall":
            return self.found(_pattern(written, **more))
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
            filled = Count(_pattern(f"[^{SPACES}{inner}][^{inner}]*"))
        return Parts(Count(_pattern(written, **more), 1), filled)

    def flags(self, node: ast.expr) -> int:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self.flags(node.left) | self.flags(node.right)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "re" and node.attr in _FLAGS:
            return int(_FLAGS[node.attr])
        if isinstance(node, ast.Constant) and node.value == 0:
            return 0
        raise Unknown("flags")

    def listed(self, elt: ast.expr, generators: list[ast.comprehension], known: dict[str, Any]) -> Parts:
        return Parts(self.counted(elt, generators, known, ones=False), None)

    def counted(self, elt: ast.expr, generators: list[ast.comprehension], known: dict[str, Any], ones: bool) -> Count:
        """How many elements pass the conditions: of [x for …], or of a sum of ones."""
        if len(generators) != 1 or not isinstance(generators[0].target, ast.Name) or generators[0].is_async:
            raise Unknown("a comprehension")
        made, own = generators[0], generators[0].target.id
        of = self.value(made.iter, known)
        conditions = list(made.ifs)
        if ones:
            if not (isinstance(elt, ast.Constant) and elt.value == 1):
                conditions.append(elt)  # sum(x in text for …): booleans
                if isinstance(elt, ast.Constant) or self.is_number(elt):
                    raise Unknown("a sum of other things than ones")
        if isinstance(of, Known) and isinstance(of.value, list) and len(conditions) == 1:
            parts = [self.truth(self.value(conditions[0], {**known, own: Known(one)})).check for one in of.value]
            alike = [one for one in parts if isinstance(one, dict) and one.get("check") == "contains" and one.get("min") == 1
                     and len(one["texts"]) == 1]  # fmt: skip
            if not parts or len(alike) != len(parts) or len({(one["boundary"], one["fold"]) for one in alike if "boundary" in one}) != 1:
                raise Unknown("a count of other things than texts in the text")
            return Count({**{key: value for key, value in alike[0].items() if key != "min"},
                          "texts": [one["texts"][0] for one in alike]})  # fmt: skip
        if not isinstance(of, Parts):
            raise Unknown("a comprehension over other things than parts")
        if not conditions and of.all is not None:
            return of.all
        if len(conditions) != 1:
            raise Unknown("several conditions")
        found = self.condition(conditions[0], {**known, own: Part(of)}, own)
        if found is True:
            if of.filled is None:
                raise Unknown("parts that are not blank")
            return of.filled
        return Count(_pattern(self.at_lines(of, found)))

    @staticmethod
    def is_number(node: ast.expr) -> bool:
        return not isinstance(node, (ast.Compare, ast.BoolOp)) and not (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "startswith")  # fmt: skip

    @staticmethod
    def at_lines(of: Parts, expressions: list[str]) -> str:
        either = expressions[0] if len(expressions) == 1 else f"(?:{'|'.join(expressions)})"
        return f"(?m:^){either}" if of.breaks == r"\n" else rf"(?:\A|[{BREAKS}]){either}"

    def condition(self, node: ast.expr, known: dict[str, Any], own: str) -> Any:
        """Of one part: True where it asks that it is not blank, else the expressions that it may begin with."""
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
            parts = [self.condition(one, known, own) for one in node.values]
            if any(one is True for one in parts):
                raise Unknown("a condition on parts")
            return [one for part in parts for one in part]
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And) and len(node.values) == 2:
            first = self.condition(node.values[0], known, own)
            if first is not True:
                raise Unknown("a condition on parts")
            rest = self.condition(node.values[1], known, own)
            # What a line begins with is not blank.
            return rest
        value = self.value(node, known) if not isinstance(node, ast.Compare) else None
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.NotEq, ast.IsNot)):
            left, right = self.value(node.left, known), self.value(node.comparators[0], known)
            if isinstance(left, Part) and left.strip and right == Known("") and isinstance(node.ops[0], ast.NotEq):
                return True
            if isinstance(left, Begin) and right == Known(None):
                value = left
        if isinstance(value, Part) and value.strip:
            return True
        if isinstance(value, Begin):
            return [value.expression]
        raise Unknown("a condition on parts")

    def quantified(self, name: str, inner: ast.ListComp | ast.GeneratorExp, known: dict[str, Any]) -> Truth:
        if len(inner.generators) != 1 or not isinstance(inner.generators[0].target, ast.Name):
            raise Unknown("a comprehension")
        made = inner.generators[0]
        of = self.value(made.iter, known)
        assert isinstance(made.target, ast.Name)
        if isinstance(of, Known) and isinstance(of.value, list) and not made.ifs:
            if len(of.value) > 40:
                raise Unknown("a long list")
            parts = [self.truth(self.value(inner.elt, {**known, made.target.id: Known(one)})) for one in of.value]
            return self.merged(name, parts)
        if name == "any" and isinstance(of, Parts):
            both = [*made.ifs, inner.elt]
            test = both[0] if len(both) == 1 else ast.BoolOp(ast.And(), both)
            whole = ast.comprehension(target=made.target, iter=made.iter, ifs=[test], is_async=0)
            return _within(self.counted(ast.Constant(1), [whole], known, ones=True), 1, None)
        raise Unknown(f"{name} over parts")

    @staticmethod
    def merged(name: str, parts: list[Truth]) -> Truth:
        """Checks for one text each as one check for some of them, or all."""
        checks = [one.check for one in parts]
        alike = [one for one in checks if isinstance(one, dict) and one.get("check") == "contains" and one.get("min") == 1
                 and len(one["texts"]) == 1]  # fmt: skip
        looks = {(one.get("boundary"), one.get("fold")) for one in alike}
        if len(alike) == len(checks) > 1 and len(looks) == 1:
            return Truth({**alike[0], "texts": [one["texts"][0] for one in alike],
                          "min": 1 if name == "any" else len(alike)})  # fmt: skip
        return _joined(name, parts)
