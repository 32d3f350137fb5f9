;; run_exit 3
(module
  (import "wasi_snapshot_preview1" "proc_exit" (func $leave (param i32)))
  (memory (export "memory") 1)
  (func (export "_start") (call $leave (i32.const 3))))
