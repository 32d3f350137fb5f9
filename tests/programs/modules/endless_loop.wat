;; run_steps
(module (memory (export "memory") 1) (func (export "_start") (loop $next (br $next))))
