#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "python/src/values/texts.hpp"

namespace optgap::python {

/// Texts that the scheduler's threads have let go of and that only a holder of the GIL may destroy. Those threads never
/// take the GIL themselves: a thread that asks for it while the interpreter ends never comes back, and a shutdown that
/// holds it would wait for a thread that waits for it.
class text_bin : public std::enable_shared_from_this<text_bin> {
public:
    /// Keeps the texts until the last copy is gone, on any thread, and `empty` is called after that.
    [[nodiscard]] std::shared_ptr<borrowed_texts const> keep(std::unique_ptr<borrowed_texts const> texts) {
        return {texts.release(), [bin = shared_from_this()](borrowed_texts const* of) { bin->put(of); }};
    }
    /// Call with the GIL held.
    void empty() {
        std::unique_lock locked(lock_);
        auto const done = std::exchange(done_, {});
        locked.unlock();
    }

private:
    void put(borrowed_texts const* texts) {
        std::lock_guard const locked(lock_);
        done_.emplace_back(texts);
    }

    std::mutex lock_;
    std::vector<std::unique_ptr<borrowed_texts const>> done_;
};

}  // namespace optgap::python
