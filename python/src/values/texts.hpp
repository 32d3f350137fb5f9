#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace optgap::python {

/// Texts of Python objects, read where they are: bytes, ASCII str, and str whose UTF-8 Python keeps already, from their
/// own buffers. Other str are written as UTF-8, once, into memory that lives as long as this, without the GIL and on
/// `threads` threads that end with it; a lone surrogate becomes its three bytes (Python's surrogatepass). Python itself
/// would keep what it writes for as long as the str lives, and write it on one thread under the GIL. Holds the objects,
/// so that nobody frees them while the GIL is released. Call with the GIL held.
class borrowed_texts {
public:
    /// `texts`: a sequence of str and bytes; throws argument_error{name} that names the row.
    borrowed_texts(nanobind::handle texts, char const* name, std::int32_t threads);

    [[nodiscard]] std::span<std::string_view const> views() const { return views_; }
    [[nodiscard]] std::size_t size() const { return views_.size(); }
    /// Was any text written, or are all read where they were?
    [[nodiscard]] bool wrote() const { return encoded_ != nullptr; }

private:
    nanobind::object items_;
    struct release {
        void operator()(char* memory) const { std::free(memory); }
    };
    std::unique_ptr<char, release> encoded_;
    std::vector<std::string_view> views_;
};

/// One text, as `borrowed_texts` reads it. Call with the GIL held.
struct text_bytes {
    std::string_view text;
    /// The bytes, where they had to be written: any thread may let go of them. Null: the object's own, which live as
    /// long as it does.
    std::shared_ptr<void const> written;
};
/// Nothing for an object that is neither str nor bytes.
std::optional<text_bytes> bytes_of(PyObject* item);

}  // namespace optgap::python
