#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace optgap::text {

/// Reads the value of an answer text (a list, rows without an outer list) that starts with a bracket and appends its
/// block to `words`; on failure nothing is appended. One pass; memory grows with the values, never with the nesting.
class list_reader {
public:
    list_reader(std::string_view text, std::vector<std::int32_t>& words);

    /// Returns code_ok or the code of the first byte, in reading order, that breaks the grammar.
    std::int32_t read();
    /// The index of the value at which it failed; -1 when it failed outside of a list.
    [[nodiscard]] std::int32_t where() const { return where_; }

private:
    std::int32_t read_value();
    std::int32_t read_row(char close);
    std::int32_t read_rows(char close);
    std::int32_t read_more_rows();
    std::int32_t read_integer();
    bool skim(char close);
    std::int32_t after_outer_list();
    bool skip_white();
    void put(std::int32_t value);
    void grow();
    [[nodiscard]] std::int64_t count() const;
    std::int32_t outside(std::int32_t code);

    char const* at_;
    char const* end_;
    std::vector<std::int32_t>& words_;
    std::size_t base_;             // begin of the block in words_
    std::int32_t* out_ = nullptr;  // place of the next value; words_ is longer than the block while reading
    std::int32_t* out_end_ = nullptr;
    std::vector<std::int32_t> lengths_;
    bool is_rows_ = false;
    bool broke_outside_ = false;
    std::int32_t where_ = -1;
};

}  // namespace optgap::text
