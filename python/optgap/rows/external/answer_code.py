"""Does an environment run the text of an answer as code? Read from its source: nothing is imported or run.

Such an answer can change the verifier that judges the next one. Its environment therefore gets a process for each verdict
(worker.py).
"""

from __future__ import annotations

import ast
import inspect
import sys

_BUILTINS = frozenset({"__import__", "compile", "eval", "exec"})
_FUNCTIONS = frozenset({"lambdify", "parse_expr", "parse_latex", "parse_mathematica", "sympify"})
_MODULES = frozenset({"cloudpickle", "dill", "marshal", "pickle", "shelve"})

_CHAIN = 4
"""Of objects that each judge by the next one: a wrapper, what it wraps, what that names."""


def evaluators(source: str) -> list[str]:
    """The names in a Python source that turn a text or bytes into code that runs, sorted. Raises SyntaxError."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name):
            found |= {node.id} & (_BUILTINS | _FUNCTIONS | _MODULES)
        elif isinstance(node, ast.Attribute):
            found |= {node.attr} & _FUNCTIONS
            if isinstance(node.value, ast.Name) and node.value.id in ("builtins", "__builtins__"):
                found |= {node.attr} & _BUILTINS
        elif isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names} & _MODULES
        elif isinstance(node, ast.ImportFrom):
            found |= {(node.module or "").partition(".")[0]} & _MODULES
            found |= {alias.name for alias in node.names} & (_BUILTINS | _FUNCTIONS)
    return sorted(found)


def runs_answers(environment: object) -> bool:
    """What an environment says itself as `runs_answers`; else whether the module of its class, of what it names as `judged_by`,
    or of a class that these are made from names an evaluator. True where a source cannot be read."""
    own = getattr(environment, "runs_answers", None)
    if isinstance(own, bool):
        return own
    judges = [environment]
    while len(judges) < _CHAIN and (named := getattr(judges[-1], "judged_by", None)) is not None:
        judges.append(named)
    bases = [base for judge in judges for base in (judge if isinstance(judge, type) else type(judge)).__mro__]
    for name in {base.__module__ for base in bases} - {"builtins", "abc", "typing"}:
        try:
            if evaluators(inspect.getsource(sys.modules[name])):
                return True
        except (KeyError, OSError, SyntaxError, TypeError):
            return True
    return False
