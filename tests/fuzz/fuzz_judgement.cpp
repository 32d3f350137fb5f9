// Untrusted judgements: both readers agree with their slow reference. The first byte selects the reader.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "tests/support/judge_twin.hpp"

namespace optgap::judge_fuzzing {

constexpr std::size_t longest = 300;  // the reference's numbers cannot hold more digits

void compare(std::string_view text, score_parser by) {
    judgement const fast = read_judgement(text, by);
    if (text.size() > longest) {
        return;
    }
    judgement const slow = twin::read_judgement(text, by);
    if (fast.code != slow.code ||
        std::bit_cast<std::uint64_t>(fast.value) != std::bit_cast<std::uint64_t>(slow.value) ||
        fast.form != slow.form || fast.span.begin != slow.span.begin || fast.span.end != slow.span.end) {
        std::fprintf(stderr, "the reader and its twin differ: codes %d and %d\n", fast.code, slow.code);
        std::abort();
    }
}

}  // namespace optgap::judge_fuzzing

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    // A fresh heap block of the exact size, so that the address sanitizer sees a read one byte beyond it.
    std::vector<char> const exact(data + 1, data + size);
    optgap::judge_fuzzing::compare({exact.data(), exact.size()},
                                   data[0] % 2 == 0 ? optgap::score_parser::strict : optgap::score_parser::mae_repo);
    return 0;
}
