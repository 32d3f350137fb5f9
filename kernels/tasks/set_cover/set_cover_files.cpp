// OR-Library's set covering files (Beasley 1990).

#include <string>
#include <string_view>
#include <vector>

#include "kernels/tasks/set_cover/set_cover_instance.hpp"
#include "kernels/text/file_words.hpp"

namespace optgap::text::set_cover {

using namespace optgap::tasks::set_cover;

/// The numbers of elements and of sets, a cost for each set, and for each element how many sets hold it and which,
/// from 1.
std::vector<std::int32_t> read_or_library(std::string_view text) {
    file_words in(text);
    std::int64_t const u = in.next_integer("the number of elements", 1, max_elements);
    std::int64_t const s = in.next_integer("the number of sets", 1, max_sets);
    std::int64_t const row_words = bitset_words(u);
    if (s * row_words > max_set_words) {
        in.fail("the number of sets times ceil(elements / 32) must be at most " + std::to_string(max_set_words));
    }
    for (std::int64_t j = 0; j < s; ++j) {
        if (in.next_integer("a cost") != 1) {
            in.fail("a cost must be 1: this task counts sets");
        }
    }
    std::vector<std::int32_t> words(std::size_t(cover_words(u, s)));
    words[0] = std::int32_t(u);
    words[1] = std::int32_t(s);
    for (std::int64_t e = 0; e < u; ++e) {
        for (std::int64_t left = in.next_integer("a number of sets", 0, s); left > 0; --left) {
            std::int64_t const j = in.next_integer("a set", 1, s) - 1;
            std::int32_t& word = words[std::size_t(2 + j * row_words + e / 32)];
            word = std::int32_t(std::uint32_t(word) | 1u << (e % 32));
        }
    }
    if (!in.at_end()) {
        in.fail("the file must end with the sets of its last element");
    }
    return words;
}

}  // namespace optgap::text::set_cover
