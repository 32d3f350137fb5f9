// Differential: any bytes as a proposal, read in one pass and by the slow reference. What is read is also named under
// all labels.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/text/reference_proposal.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace optgap;
    static engine const by({.where = device::cpu, .threads = 1, .server = "off"});
    static proposal_checker const checker(by, {});
    std::vector<char> const exact(data, data + size);  // of the exact size, for the address sanitizer
    checked_proposal const found = checker.read({exact.data(), exact.size()});
    std::string const text(exact.begin(), exact.end());
    if (std::string const why = testing::proposal_difference(by, text, found); !why.empty()) {
        std::fprintf(stderr, "%s on:\n%s\n", why.c_str(), text.c_str());
        std::abort();
    }
    if (found.sound() && found.words.size() < 400) {
        static_cast<void>(canonical_of(by, found.task, found.words));
    }
    return 0;
}
