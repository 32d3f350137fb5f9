;; run_steps
(module
  (import "wasi_snapshot_preview1" "clock_time_get" (func $clock (param i32 i64 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "_start") (local $k i32)
    (loop $next
      (drop (call $clock (i32.const 1) (i64.const 1) (i32.const 0)))
      (br_if $next (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 1))) (i32.const 100000000))))))
