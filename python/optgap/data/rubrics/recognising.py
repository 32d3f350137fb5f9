"""Checks that data sets hold as Python, read as data: the usual shapes of length, counts, presence and expressions.

Nothing of a code runs here. What is recognised is only a proposal: `optgap.data.rubrics.proving` holds it against the code's own
verdicts. Raises `Unknown` for every shape that is not listed, and for every one whose meaning could differ.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from .code_texts import TextCalls
from .code_values import (
    Begin,
    Check,
    Count,
    Known,
    Part,
    Parts,
    Text,
    Truth,
    joined,
    opposite,
    pattern_check,
    sought,
    within,
)
from .python_expressions import BREAKS, Unknown

__all__ = ["Unknown", "recognise"]

MAX_BYTES = 8192
_MODULES = {"re", "json", "string", "math"}
_ALWAYS: Check = {"check": "bytes", "min": 0}


def recognise(code: str) -> Check:
    """The check that a code is. Raises Unknown."""
    if len(code.encode(errors="replace")) > MAX_BYTES:
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


class _Reader(TextCalls):
    def block(self, body: list[ast.stmt], given: dict[str, Any], whole: bool) -> Truth:
        """What a run of statements returns. `whole`: at its end the function ends, too."""
        known = dict(given)
        for at, one in enumerate(body):
            if isinstance(one, (ast.Pass, ast.Import)) or (
                isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
            ):
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
        return joined("any", [joined("all", [asked, then]), joined("all", [opposite(asked), other])]) \
            if then != other else then  # fmt: skip

    def loop(self, one: ast.For, known: dict[str, Any]) -> Any:
        """`count += 1` where something holds, or `return` where it does."""
        if (
            len(one.body) != 1
            or not isinstance(one.body[0], ast.If)
            or one.body[0].orelse
            or len(one.body[0].body) != 1
        ):
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
            return within(value.all, 1, None)
        if isinstance(value, Count):
            return self.pair(value, ast.NotEq(), Known(0))
        if isinstance(value, Text):
            if value.strip:
                return within(Count({"check": "pieces"}), 1, None)
            return within(Count({"check": "characters"}), 1, None)
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
            return opposite(self.truth(self.value(node.operand, known)))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self.value(node.operand, known)
            if isinstance(inner, Known) and type(inner.value) is int:
                return Known(-inner.value)
        if isinstance(node, ast.BoolOp):
            parts = [self.truth(self.value(one, known)) for one in node.values]
            return joined("all" if isinstance(node.op, ast.And) else "any", parts)
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
        return joined("all", [self.pair(left, op, right) for left, op, right in zip(values, node.ops, values[1:])])

    def pair(self, left: Any, op: ast.cmpop, right: Any) -> Truth:
        if isinstance(op, (ast.In, ast.NotIn)):
            if isinstance(left, Known) and isinstance(left.value, str) and isinstance(right, Text):
                found = (
                    Truth(True)
                    if not left.value
                    else Truth({"check": "contains", **sought([left.value], right), "min": 1})
                )
                return found if isinstance(op, ast.In) else opposite(found)
            raise Unknown("`in` of other things than a text in the text")
        if isinstance(op, (ast.Is, ast.IsNot)):
            if isinstance(left, Truth) and right == Known(None):  # a match, or None
                return left if isinstance(op, ast.IsNot) else opposite(left)
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
                found = Truth(False) if low - left.plus < 0 else within(left, None, high)
            else:
                found = within(left, low, high)
            return opposite(found) if isinstance(op, ast.NotEq) else found
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
            if (
                isinstance(of, Known)
                and isinstance(of.value, str)
                and not given
                and node.func.attr in ("lower", "upper", "strip")
            ):
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

    def listed(self, elt: ast.expr, generators: list[ast.comprehension], known: dict[str, Any]) -> Parts:
        return Parts(self.counted(elt, generators, known, ones=False), None)

    def counted(self, elt: ast.expr, generators: list[ast.comprehension], known: dict[str, Any], ones: bool) -> Count:
        """How many elements pass the conditions: of [x for …], or of a sum of ones."""
        if len(generators) != 1 or not isinstance(generators[0].target, ast.Name) or generators[0].is_async:
            raise Unknown("a comprehension")
        made, own = generators[0], generators[0].target.id
        of = self.value(made.iter, known)
        conditions = list(made.ifs)
        if ones and not (isinstance(elt, ast.Constant) and elt.value == 1):
            conditions.append(elt)  # sum(x in text for …): booleans
            if isinstance(elt, ast.Constant) or self.is_number(elt):
                raise Unknown("a sum of other things than ones")
        if isinstance(of, Known) and isinstance(of.value, list) and len(conditions) == 1:
            parts = [self.truth(self.value(conditions[0], {**known, own: Known(one)})).check for one in of.value]
            alike = [one for one in parts if isinstance(one, dict) and one.get("check") == "contains" and one.get("min") == 1
                     and len(one["texts"]) == 1]  # fmt: skip
            if (
                not parts
                or len(alike) != len(parts)
                or len({(one["boundary"], one["fold"]) for one in alike if "boundary" in one}) != 1
            ):
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
        return Count(pattern_check(self.at_lines(of, found)))

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
            # What a line begins with is not blank.
            return self.condition(node.values[1], known, own)
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
            return within(self.counted(ast.Constant(1), [whole], known, ones=True), 1, None)
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
        return joined(name, parts)
