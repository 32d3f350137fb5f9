#pragma once

#include <nanobind/nanobind.h>
#include <unistd.h>

namespace optgap::python {

/// Given back to the interpreter for a while. Where the interpreter has begun to end, CPython before 3.14 unwinds a daemon
/// thread that asks for its lock, here out of a destructor: std::terminate, in a process that was about to end well. Such
/// a thread waits for that end, as it does from 3.14 on.
class released_gil {
public:
    released_gil() noexcept : state_(PyEval_SaveThread()) {}
    ~released_gil() {
        try {
            PyEval_RestoreThread(state_);
        } catch (...) {
            for (;;) {
                pause();
            }
        }
    }
    released_gil(released_gil const&) = delete;
    released_gil& operator=(released_gil const&) = delete;

private:
    PyThreadState* state_;
};

/// Taken again on a thread that gave it back, or that never had it; ends as above.
class held_gil {
public:
    held_gil() noexcept : state_(taken()) {}
    ~held_gil() { PyGILState_Release(state_); }
    held_gil(held_gil const&) = delete;
    held_gil& operator=(held_gil const&) = delete;

private:
    static PyGILState_STATE taken() noexcept {
        try {
            return PyGILState_Ensure();
        } catch (...) {
            for (;;) {
                pause();
            }
        }
    }

    PyGILState_STATE state_;
};

}  // namespace optgap::python
