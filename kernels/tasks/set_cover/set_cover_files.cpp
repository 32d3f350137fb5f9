// OR-Library's set covering files (Beasley 1990): most go by rows, which are this task's elements; those of railways go
// by columns, its sets.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/tasks/set_cover/set_cover_instance.hpp"
#include "kernels/text/file_words.hpp"

namespace optgap::text::set_cover {
namespace {

using namespace optgap::tasks::set_cover;

struct cover_file {
    std::int64_t u = 0, s = 0;
    std::vector<std::int32_t> words;
    std::vector<std::int32_t> costs;

    void begin(file_words& in) {
        u = in.next_integer("the number of elements", 1, max_elements);
        s = in.next_integer("the number of sets", 1, max_sets);
        if (s * bitset_words(u) > max_set_words) {
            in.fail("the number of sets times ceil(elements / 32) must be at most " + std::to_string(max_set_words));
        }
        words.resize(std::size_t(cover_words(u, s)));
        words[0] = std::int32_t(u);
        words[1] = std::int32_t(s);
        costs.reserve(std::size_t(s));
    }
    void read_cost(file_words& in) { costs.push_back(std::int32_t(in.next_integer("a cost", 1, max_cost))); }
    void put(file_words const& in, std::int64_t set, std::int64_t element) {
        std::int32_t& word = words[std::size_t(2 + set * bitset_words(u) + element / 32)];
        std::uint32_t const bit = 1u << (element % 32);
        if ((std::uint32_t(word) & bit) != 0) {
            in.fail("set " + std::to_string(set + 1) + " holds element " + std::to_string(element + 1) + " already");
        }
        word = std::int32_t(std::uint32_t(word) | bit);
    }
    /// Costs that are all 1 are dropped: then the number of sets counts.
    std::vector<std::int32_t> finish() {
        for (std::int32_t const cost : costs) {
            if (cost != 1) {
                words.insert(words.end(), costs.begin(), costs.end());
                break;
            }
        }
        return std::move(words);
    }
};

/// A cost for each set, then for each element the number of sets that contain it and their numbers, from 1.
std::vector<std::int32_t> read_by_elements(std::string_view text) {
    file_words in(text);
    cover_file file;
    file.begin(in);
    for (std::int64_t j = 0; j < file.s; ++j) {
        file.read_cost(in);
    }
    for (std::int64_t e = 0; e < file.u; ++e) {
        for (std::int64_t left = in.next_integer("a number of sets", 0, file.s); left > 0; --left) {
            file.put(in, in.next_integer("a set", 1, file.s) - 1, e);
        }
    }
    if (!in.at_end()) {
        in.fail("the file must end with the sets of its last element");
    }
    return file.finish();
}

/// Whether every line behind the head describes a set: its cost, its number of elements and the elements.
bool goes_by_sets(std::string_view text) {
    file_lines lines(text);
    if (!lines.next() || lines.count() != 2) {
        return false;
    }
    std::int64_t sets = 0;
    for (; lines.next(); ++sets) {
        file_words row = lines.words();
        row.next_word();
        if (row.at_end() || row.next_word() != std::to_string(lines.count() - 2)) {
            return false;
        }
    }
    return sets > 0;
}

/// One line for each set: its cost, its number of elements and the elements, from 1.
std::vector<std::int32_t> read_by_sets(std::string_view text) {
    file_lines lines(text);
    lines.next();
    file_words head = lines.words();
    cover_file file;
    file.begin(head);
    for (std::int64_t j = 0; j < file.s; ++j) {
        if (!lines.next()) {
            lines.fail("the head says " + std::to_string(file.s) + " sets, but there are lines of " +
                       std::to_string(j));
        }
        file_words row = lines.words();
        file.read_cost(row);
        for (std::int64_t left = row.next_integer("a number of elements", 0, file.u); left > 0; --left) {
            file.put(row, j, row.next_integer("an element", 1, file.u) - 1);
        }
    }
    if (lines.next()) {
        lines.fail("there are more lines than the " + std::to_string(file.s) + " sets that the head says");
    }
    return file.finish();
}

}  // namespace

std::vector<std::int32_t> read_or_library(std::string_view text) {
    if (!goes_by_sets(text)) {
        return read_by_elements(text);
    }
    std::optional<std::vector<std::int32_t>> by_elements;
    try {
        by_elements = read_by_elements(text);
    } catch (field_error const&) {
        return read_by_sets(text);
    }
    // A file that could be read in both ways is accepted only if both give the same instance.
    if (read_by_sets(text) != *by_elements) {
        throw field_error("the file", "can be read by elements and by sets, as different instances");
    }
    return std::move(*by_elements);
}

}  // namespace optgap::text::set_cover
