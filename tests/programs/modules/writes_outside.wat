;; run_crash 11
(module (memory (export "memory") 1) (func (export "_start") (i32.store (i32.const -4) (i32.const 1))))
