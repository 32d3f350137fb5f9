#include "host/program_runs/code_runner.hpp"

namespace optgap::programs {

// A code is evaluated anew for each text, with `re` and `json` as globals and a scope of its own. The first name that
// it binds is called with the text, as in the function published with RLVRR (github.com/YJiangcm/RLVRR 23c0956). So a
// code whose first line is an import calls a module, and fails, as it does there. The clock is the process's own: a
// signal ends a text that takes too long, and is repeated for code that swallows it.
char const* const code_runner_source = R"py(
import json, os, re, signal, sys
ALLOWED = {"re", "json", "string", "math", "unicodedata", "collections", "itertools", "functools", "operator", "datetime",
           "calendar", "statistics", "decimal", "fractions", "typing", "textwrap", "html", "enum", "dataclasses"}
class Overtime(BaseException):
    pass
class Refused(BaseException):
    pass
class Nowhere:
    encoding = "utf-8"
    def write(self, text):
        return len(text)
    def flush(self):
        pass
    def isatty(self):
        return False
    def read(self, *size):
        return ""
    readline = read
    def __iter__(self):
        return iter(())
def overtime(*_):
    raise Overtime
def arrange():
    given = json.loads(sys.stdin.buffer.read())
    builtins = dict(vars(__import__("builtins")))
    own_import = builtins["__import__"]
    def guarded(name, *more, **named):
        if str(name).partition(".")[0] not in ALLOWED:
            raise Refused(f"imports {str(name)[:60]}")
        return own_import(name, *more, **named)
    builtins["__import__"] = guarded
    builtins["input"] = lambda *_: ""
    sys.stdin = sys.stdout = sys.stderr = Nowhere()
    signal.signal(signal.SIGPROF, overtime)
    return given, builtins
def ask(compiled, builtins, text):
    scope = {}
    exec(compiled, {"re": re, "json": json, "__builtins__": builtins}, scope)
    return bool(scope[next(iter(scope))](text))
def name_of(error):
    return f"raises {type(error).__name__[:60]}"
def main(write=os.write, encode=json.JSONEncoder().encode, timer=signal.setitimer, prof=signal.ITIMER_PROF):
    given, builtins = arrange()
    strikes, seconds, compiled, broken = given["strikes"], given["text_ms"] / 1000, None, ""
    try:
        compiled = compile(given["code"], "check", "exec")
    except (Exception, Overtime) as error:
        broken = name_of(error)
    for text in given["texts"]:
        verdict, why = 0, broken
        if strikes <= 0:
            why = "not_run"
        elif not broken:
            try:
                try:
                    timer(prof, seconds, 0.05)
                    verdict = 1 if ask(compiled, builtins, text) else 0
                finally:
                    timer(prof, 0)
            except Overtime:
                why, strikes = "run_time", strikes - 1
            except Refused as error:
                why = str(error)
            except MemoryError:
                why = "run_memory"
            except StopIteration:
                why = "binds no name"
            except BaseException as error:
                why = name_of(error)
            verdict = 0 if why else verdict
        write(1, (encode([verdict, why]) + "\n").encode())
main()
)py";

}  // namespace optgap::programs
