#pragma once
// Objects that own a parent's threads, processes, files or GPU memory: a forked child has copies of the objects, but
// must not destroy them.

#include <cstdint>
#include <memory>
#include <utility>

#include "optgap/fork.hpp"

namespace optgap {

/// Leaks `held` where the process was forked since `born` (fork_generation).
template <class Held>
void leave_to_parent(std::shared_ptr<Held>&& held, std::uint32_t born) {
    if (held && born != fork_generation()) {
        static_cast<void>(new std::shared_ptr<Held>(std::move(held)));
    }
}

/// The same object by a pointer whose last copy destroys it, but in no forked child.
template <class Held>
std::shared_ptr<Held> left_to_parent(std::shared_ptr<Held> held) {
    Held* const at = held.get();
    return {at, [held = std::move(held), born = fork_generation()](Held*) mutable {
                leave_to_parent(std::move(held), born);
                held.reset();
            }};
}

}  // namespace optgap
