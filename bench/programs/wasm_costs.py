#!/usr/bin/env python3
"""The cost of modules at the isolation level wasm, beside the same C++ in the jail.

Measures processor time, which is less sensitive to load than wall time.

  python3 bench/programs/wasm_costs.py
  python3 bench/programs/wasm_costs.py --repeat 5 --json build/wasm_costs.json

For each of six programs: native and wasm milliseconds (best of the repeats, less those of a program that prints a
line), their ratio, steps, and nanoseconds per step; the costs of compiling; and, where this Python has the package
wasmtime, the same module with fuel counted and without ("fuel": its slowdown). The start comes first: a complete run of
a program that prints a line. Needs a build, and C++ at both isolation levels (optgap sandbox)."""

import argparse
import contextlib
import glob
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARY = os.environ.get("OPTGAP_BINARY", str(ROOT / "build/release/optgap"))
LIMITS = json.dumps({"cpu_ms": 20000, "memory_mb": 512})
HEAD = "#include <bits/stdc++.h>\nusing namespace std; using u32 = uint32_t; using u64 = uint64_t;\nstatic u32 seed = 1; static u32 draw() { return seed = seed * 1664525u + 1013904223u; }\n"
PROGRAMS = {
    "prints a line": 'int main() { puts("1"); }',
    "2-opt": """int main() { const int n = 400; vector<double> x(n), y(n); vector<int> t(n); for (int i = 0; i < n; ++i) { x[i] = draw() >> 16; y[i] = draw() >> 16; t[i] = i; }
        auto d = [&](int a, int b) { return sqrt((x[a]-x[b])*(x[a]-x[b]) + (y[a]-y[b])*(y[a]-y[b])); };
        for (int k = 0; k < 12000000; ++k) { int i = (draw() >> 8) % (n-1), j = (draw() >> 8) % (n-1); if (i > j) swap(i, j); if (i == j) continue;
            if (d(t[i],t[j]) + d(t[i+1],t[j+1]) < d(t[i],t[i+1]) + d(t[j],t[j+1])) reverse(t.begin()+i+1, t.begin()+j+1); }
        double s = 0; for (int i = 0; i + 1 < n; ++i) s += d(t[i], t[i+1]); printf("%.6f\\n", s); }""",
    "sieve": """int main() { int total = 0; for (int r = 0; r < 4; ++r) { vector<char> c(10000000); for (u64 i = 2; i < c.size(); ++i) { if (c[i]) continue; ++total;
        for (u64 j = i*i; j < c.size(); j += i) c[j] = 1; } } printf("%d\\n", total); }""",
    "matrices": """int main() { const int n = 420; vector<double> a(n*n), b(n*n), c(n*n); for (auto& v : a) v = draw() % 100; for (auto& v : b) v = draw() % 100;
        for (int r = 0; r < 4; ++r) for (int i = 0; i < n; ++i) for (int k = 0; k < n; ++k) for (int j = 0; j < n; ++j) c[i*n+j] += a[i*n+k] * b[k*n+j];
        double s = 0; for (double v : c) s += v; printf("%.0f\\n", s); }""",
    "knapsack": """int main() { vector<int> best(200001); for (int i = 0; i < 1500; ++i) { int w = 1 + (draw() >> 16) % 2000, v = (draw() >> 16) % 1000;
        for (int c = 200000; c >= w; --c) best[c] = max(best[c], best[c-w] + v); } printf("%d\\n", best.back()); }""",
    "sort": """int main() { vector<u32> v(1000000); u64 s = 0; for (int r = 0; r < 6; ++r) { for (auto& x : v) x = draw(); sort(v.begin(), v.end()); s += v[r*1000]; }
        printf("%llu\\n", (unsigned long long)s); }""",
    "maps and strings": """int main() { map<string, int> m; unordered_map<int, vector<int>> g; for (int i = 0; i < 300000; ++i) { m[to_string(draw() % 50000)]++; g[draw() % 20000].push_back(i); }
        size_t s = 0; for (auto& [k, v] : m) s += k.size() * v; for (auto& [k, v] : g) s += v.size(); printf("%llu\\n", (unsigned long long)s); }""",
}


def run(isolation_level, path, repeat):
    done = subprocess.run(
        [
            BINARY,
            "sandbox",
            "--json",
            "--isolation",
            isolation_level,
            "--slots",
            "1",
            "--limits",
            LIMITS,
            "--repeat",
            str(repeat),
            "--run",
            path,
        ],
        capture_output=True,
        text=True,
    )
    rows = json.loads(done.stdout).get("runs", []) if done.stdout else []
    if len(rows) != repeat or any(row["code"] != "ok" for row in rows):
        sys.exit(f"wasm_costs: {isolation_level}: {done.stderr or rows[:1]}")
    return rows


def fuel_slowdown(path, repeat):
    """Processor seconds of the module in this process, with fuel counted divided by without; None without the package
    or clang."""
    try:
        import wasmtime
    except ImportError:
        return None
    module = path.removesuffix(".cpp") + ".wasm"
    headers = glob.glob(
        os.environ.get("OPTGAP_SANDBOX_CACHE", f"/var/tmp/optgap-sandbox-{os.geteuid()}") + "/wasm-*/bits"
    )
    if not headers:
        return None
    words = [
        "clang++",
        "--target=wasm32-wasi",
        "-std=c++20",
        "-O2",
        "-w",
        "-fno-exceptions",
        "-isystem",
        os.path.dirname(headers[0]),
        path,
        "-o",
        module,
    ]
    subprocess.run(words, check=True)
    best = {}
    for counted in (False, True):
        config = wasmtime.Config()
        config.consume_fuel = counted
        config.cranelift_nan_canonicalization = True
        engine = wasmtime.Engine(config)
        made = wasmtime.Module.from_file(engine, module)
        for _ in range(repeat):
            store = wasmtime.Store(engine)
            if counted:
                store.set_fuel(2**62)
            wasi = wasmtime.WasiConfig()
            wasi.stdout_file = os.devnull
            store.set_wasi(wasi)
            linker = wasmtime.Linker(engine)
            linker.define_wasi()
            start = linker.instantiate(store, made).exports(store)["_start"]
            before = time.process_time()
            with contextlib.suppress(wasmtime.ExitTrap):
                start(store)
            best[counted] = min(best.get(counted, 1e9), time.process_time() - before)
    return best[True] / best[False]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", help="a file for the numbers")
    options = parser.parse_args()
    report = {"repeat": options.repeat, "rows": []}
    start = {}
    with tempfile.TemporaryDirectory() as folder:
        print(
            f"{'program':<18}{'jail ms':>9}{'wasm ms':>9}{'ratio':>7}{'fuel':>6}{'M steps':>9}{'ns a step':>11}{'compile ms: jail':>18}{'wasm':>7}"
        )
        for name, text in PROGRAMS.items():
            path = f"{folder}/{name.replace(' ', '_')}.cpp"
            pathlib.Path(path).write_text(f"// {time.time_ns()}\n" + HEAD + text + "\n")
            fresh = {
                isolation_level: run(isolation_level, path, 1)[0]["compile_cpu_ms"]
                for isolation_level in ("jail", "wasm")
            }
            rows = {
                isolation_level: run(isolation_level, path, options.repeat if start else 20 * options.repeat)
                for isolation_level in ("jail", "wasm")
            }
            if len({row["output"] for both in rows.values() for row in both}) != 1:
                sys.exit(f"wasm_costs: {name}: the outputs differ")
            spent = {
                isolation_level: min(row["cpu_ms"] for row in rows[isolation_level]) - start.get(isolation_level, 0)
                for isolation_level in rows
            }
            steps = rows["wasm"][0]["steps"]
            fuel = fuel_slowdown(path, options.repeat) if start else None
            start = start or spent
            row = {
                "program": name,
                "jail_ms": spent["jail"],
                "wasm_ms": spent["wasm"],
                "ratio": spent["wasm"] / spent["jail"],
                "fuel": fuel,
                "steps": steps,
                "ns_a_step": 1e6 * spent["wasm"] / steps,
                "compile_ms": fresh,
            }
            report["rows"].append(row)
            print(
                f"{name:<18}{row['jail_ms']:>9.1f}{row['wasm_ms']:>9.1f}{row['ratio']:>7.2f}{f'{fuel:.2f}' if fuel else '-':>6}{steps / 1e6:>9.1f}"
                f"{row['ns_a_step']:>11.3f}{fresh['jail']:>18.0f}{fresh['wasm']:>7.0f}",
                flush=True,
            )
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
