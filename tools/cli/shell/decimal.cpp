#include "tools/cli/shell/decimal.hpp"

#include <charconv>

namespace optgap::cli {
namespace {

template <class Number>
bool read(std::string_view text, Number& out) {
    std::size_t const first = text.starts_with('-') ? 1 : 0;
    auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
    return problem == std::errc() && end == text.data() + text.size() &&
           (text[first] != '0' || text.size() == first + 1);
}

}  // namespace

bool is_decimal(std::string_view text, std::int64_t& out) { return read(text, out); }
bool is_decimal(std::string_view text, std::uint64_t& out) { return read(text, out); }

}  // namespace optgap::cli
