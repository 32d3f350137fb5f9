;; run_memory
(module (memory (export "memory") 1) (table 4000000000 funcref) (func (export "_start")))
