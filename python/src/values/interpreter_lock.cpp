// Compiled without unwind tables (python/CMakeLists.txt); the header says why.
#include "python/src/values/interpreter_lock.hpp"

namespace optgap::python {

void take_interpreter_lock(PyThreadState* of) noexcept {
    PyEval_RestoreThread(of);
    asm volatile("");  // a call, no jump: this frame is to stand below
}

PyGILState_STATE take_interpreter_lock() noexcept {
    PyGILState_STATE const found = PyGILState_Ensure();
    asm volatile("");
    return found;
}

}  // namespace optgap::python
