"""With the wheel and its extra `wasm`, modules of WebAssembly run; without the extra they are refused by name. tools/wheels.sh runs
it in both environments, where nothing else is installed."""

import importlib.util
import json
import pathlib
import subprocess

MODULE = """(module (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
    (memory (export "memory") 1) (data (i32.const 8) "1\\n")
    (func (export "_start")
        (i32.store (i32.const 0) (i32.const 8)) (i32.store (i32.const 4) (i32.const 2))
        (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 16)))))"""

pathlib.Path("one.wat").write_text(MODULE)
done = subprocess.run(
    ["optgap", "sandbox", "--json", "--isolation", "wasm", "--run", "one.wat"],
    capture_output=True,
    text=True,
    check=False,
)
report = json.loads(done.stdout) if done.stdout else {"isolation_levels": []}
if importlib.util.find_spec("wasmtime") is None:
    assert done.returncode == 3 and "wasmtime" in done.stdout + done.stderr, (done.returncode, done.stdout, done.stderr)
    print("modules: refused, for want of wasmtime")
elif done.returncode == 0:
    (run,) = report["runs"]
    assert (run["code"], run["isolation"]) == ("ok", "wasm") and run["steps"] > 0, run
    print(f"modules: run, {run['steps']} steps")
else:  # the machine, not the wheel: no Landlock, or an environment that only root may read
    said = done.stdout + done.stderr
    assert "no wasmtime" not in said and "optgap-wasm" not in said, said
    print("modules: not tried, no isolation level holds here")
