#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "python/src/values/text_bin.hpp"

namespace optgap::python {

/// Texts on their way into a scheduler, one or a sequence. What had to be written as UTF-8 is handed over, and big
/// texts stay where they are until they are scored; what is small and was read where it is, the scheduler copies: that
/// costs less than keeping Python's objects until a thread has let go of them. Call with the GIL held.
class submitted_texts {
public:
    /// Throws argument_error{name}. `bin`: where objects wait that a thread has let go of.
    submitted_texts(nanobind::handle texts, char const* name, std::int32_t threads, text_bin& bin);
    submitted_texts(submitted_texts const&) = delete;
    submitted_texts& operator=(submitted_texts const&) = delete;

    [[nodiscard]] std::span<std::string_view const> views() const {
        return many_ ? many_->views() : std::span(&one_, 1);
    }
    /// Null: they are to be copied.
    [[nodiscard]] std::shared_ptr<void const> const& owner() const { return owner_; }

private:
    std::string_view one_;
    std::shared_ptr<borrowed_texts const> many_;
    std::shared_ptr<void const> owner_;
};

}  // namespace optgap::python
