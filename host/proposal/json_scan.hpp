#pragma once
// The first look at a proposal: is it one JSON object, and how large is what it announces? One pass, no allocation
// beyond a fixed number of fields, nothing is built.

#include <array>
#include <cstdint>
#include <string_view>

namespace optgap::proposals {

struct scanned_field {
    std::string_view name;     ///< raw, without quotes
    std::string_view value;    ///< raw
    std::int64_t number = -1;  ///< of an integer from 0 on, at most 2^31; -1: it is none
    std::int64_t items = 0;    ///< of a list
    std::int64_t longest = 0;  ///< of the list's lists
    std::int64_t values = 0;   ///< of any depth, brackets counted too
    bool is(char first) const { return !value.empty() && value[0] == first; }
};

/// One object's fields in their order.
struct scanned_object {
    static constexpr std::int32_t most = 16;
    std::array<scanned_field, most> fields;
    std::int32_t count = 0;
    bool more = false;               ///< there are more than `most`
    std::int64_t long_number = -1;   ///< where the first number stands that has too many digits or an exponent; -1
    std::int64_t broken = -1;        ///< where the text stops being JSON; -1: it is one object
    char const* expected = nullptr;  ///< there

    [[nodiscard]] scanned_field const* find(std::string_view name) const {
        for (std::int32_t i = 0; i < count; ++i) {
            if (fields[std::size_t(i)].name == name) {
                return &fields[std::size_t(i)];
            }
        }
        return nullptr;
    }
};

/// `depth_left`: levels of brackets that the object may have, itself the first.
void scan_object(std::string_view text, std::int32_t depth_left, scanned_object& out);

}  // namespace optgap::proposals
