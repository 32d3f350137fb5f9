;; run_memory
(module (memory (export "memory") 65536) (func (export "_start")))
