#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace optgap::python {

/// Texts of Python objects, read where they are: bytes and ASCII str from their own buffers. Other str are written as
/// UTF-8 into memory that lives as long as this, without the GIL and on `threads` threads that end with it; a lone
/// surrogate becomes its three bytes (Python's surrogatepass). Holds the objects, so that nobody frees them while the
/// GIL is released. Call with the GIL held.
class borrowed_texts {
public:
    /// `texts`: a sequence of str and bytes; throws argument_error{name} that names the row.
    borrowed_texts(nanobind::handle texts, char const* name, std::int32_t threads);

    [[nodiscard]] std::span<std::string_view const> views() const { return views_; }
    [[nodiscard]] std::size_t size() const { return views_.size(); }

private:
    nanobind::object items_;
    struct release {
        void operator()(char* memory) const { std::free(memory); }
    };
    std::unique_ptr<char, release> encoded_;
    std::vector<std::string_view> views_;
};

/// The bytes of one str or bytes; false when it is neither. `encoded` keeps what had to be encoded.
bool read_text(PyObject* item, std::string_view& text, std::vector<nanobind::object>& encoded);

}  // namespace optgap::python
