#include "host/rubric/bytes.hpp"

namespace optgap::rubrics {

std::size_t find_part(std::string_view text, std::string_view part, std::size_t from) {
    if (part.size() < 2 || text.size() < part.size() + 16) {
        return text.find(part, from);
    }
    // Compares two bytes per place, so that a letter that occurs in every word does not stop the search each time.
    std::size_t const behind = part.size() - 1;
    char const first = part.front();
    char const last = part.back();
    std::size_t at = from;
    for (; at + behind + 16 <= text.size(); at += 16) {
        char const* const here = text.data() + at;
        std::uint64_t mask = movemask(same(load16(here), first) & same(load16(here + behind), last));
        for (; mask != 0; mask &= mask - 1) {
            auto const k = std::size_t(std::countr_zero(mask));
            if (std::memcmp(here + k + 1, part.data() + 1, behind - 1) == 0) {
                return at + k;
            }
        }
    }
    return text.find(part, at);
}

bool is_ascii_text(std::string_view text) {
    bytes16 all = {};
    std::size_t at = 0;
    for (; at + 16 <= text.size(); at += 16) {
        all |= load16(text.data() + at);
    }
    unsigned char rest = 0;
    for (; at < text.size(); ++at) {
        rest |= static_cast<unsigned char>(text[at]);
    }
    return movemask(all) == 0 && rest < 0x80;
}

}  // namespace optgap::rubrics
