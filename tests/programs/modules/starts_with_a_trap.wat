;; run_crash 6
(module (memory (export "memory") 1) (func $first unreachable) (start $first) (func (export "_start")))
