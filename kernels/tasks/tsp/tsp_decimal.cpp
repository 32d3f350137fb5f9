#include "kernels/tasks/tsp/tsp_decimal.hpp"

#include <string>

namespace optgap::text::tsp {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The number behind the e; nullopt if it is not an integer. Values beyond a trillion are cut off, in either direction.
std::optional<std::int64_t> read_exponent(std::string_view text) {
    constexpr std::int64_t far = 1'000'000'000'000;
    bool const negative = text.starts_with('-');
    text.remove_prefix(negative || text.starts_with('+') ? 1 : 0);
    if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) {
        return std::nullopt;
    }
    std::int64_t exponent = 0;
    for (char const c : text) {
        exponent = std::min(10 * exponent + (c - '0'), far);
    }
    return negative ? -exponent : exponent;
}

}  // namespace

std::optional<decimal> read_decimal(std::string_view word) {
    bool const negative = word.starts_with('-');
    word.remove_prefix(negative || word.starts_with('+') ? 1 : 0);
    std::string_view const mantissa = word.substr(0, word.find_first_of("eE"));
    std::optional<std::int64_t> const power =
        mantissa.size() == word.size() ? 0 : read_exponent(word.substr(mantissa.size() + 1));
    std::size_t const point = std::min(mantissa.find('.'), mantissa.size());
    std::string digits(mantissa.substr(0, point));
    std::string_view const fraction = mantissa.substr(std::min(point + 1, mantissa.size()));
    digits += fraction;
    if (!power || digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) {
        return std::nullopt;
    }
    std::int64_t exponent = *power - std::int64_t(fraction.size());
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    for (; digits.ends_with('0'); digits.pop_back()) {
        ++exponent;
    }
    decimal number;
    if (digits.empty()) {
        return number;
    }
    std::int64_t const zeros = std::max(exponent, std::int64_t(0));
    number.fits = exponent >= -max_places && std::int64_t(digits.size()) + zeros <= max_digits;
    if (number.fits) {
        for (char const c : digits) {
            number.digits = 10 * number.digits + (c - '0');
        }
        number.digits *= (negative ? -1 : 1) * power_of_ten(std::int32_t(zeros));
        number.places = std::int32_t(zeros - exponent);
    }
    return number;
}

}  // namespace optgap::text::tsp
