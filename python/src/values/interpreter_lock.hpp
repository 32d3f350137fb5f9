#pragma once

#include <Python.h>

namespace optgap::python {

/// PyEval_RestoreThread and PyGILState_Ensure. Where the interpreter has begun to end, CPython before 3.14 ends a
/// daemon thread that asks for its lock by unwinding it, through frames of C++ that must not be unwound:
/// std::terminate, in a process that was about to end well. These have no unwind tables, so that the unwinding stops
/// here and the thread ends without it. What its frames hold stays, as with a thread that never came back.
void take_interpreter_lock(PyThreadState* of) noexcept;
PyGILState_STATE take_interpreter_lock() noexcept;

/// Gives the lock back to the interpreter for a while.
class released_gil {
public:
    released_gil() noexcept : state_(PyEval_SaveThread()) {}
    ~released_gil() { take_interpreter_lock(state_); }
    released_gil(released_gil const&) = delete;
    released_gil& operator=(released_gil const&) = delete;

private:
    PyThreadState* state_;
};

/// Takes it again for a while, on any thread.
class held_gil {
public:
    held_gil() noexcept : state_(take_interpreter_lock()) {}
    ~held_gil() { PyGILState_Release(state_); }
    held_gil(held_gil const&) = delete;
    held_gil& operator=(held_gil const&) = delete;

private:
    PyGILState_STATE state_;
};

}  // namespace optgap::python
