// Differential: the structural pass of free text and its slow reference agree on any bytes. Every check in both forms
// gives the same on a reused pass and on a fresh one. The first byte selects the check.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/checks/every_check.hpp"
#include "tests/checks/slow_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace optgap::rubrics;
    static std::vector<check> const all = [] {
        std::vector<check> both = optgap::testing::every_check(check_mode::peer);
        for (check& one : optgap::testing::every_check(check_mode::strict)) {
            both.push_back(std::move(one));
        }
        return both;
    }();
    static text_pass reused;
    if (size == 0) {
        return 0;
    }
    // A fresh heap block of the exact size, so that the address sanitizer sees a read one byte beyond it.
    std::vector<char> const exact(data + 1, data + size);
    std::string_view const text(exact.data(), exact.size());
    scan(text, sentence_rule::plain, reused);
    std::string const found = optgap::testing::difference(reused, optgap::testing::slow_text(text));
    if (!found.empty()) {
        std::fprintf(stderr, "the pass and its twin differ in %s\n", found.c_str());
        std::abort();
    }
    for (text_rules const& rules : {text_rules{.fold = fold_rule::simple, .typography = true, .drop_hidden = true},
                                    text_rules{.fold = fold_rule::python,
                                    .normal = has_normal_forms() ? normal_form::nfkc : normal_form::none}}) {
        std::string prepared;
        prepare(text, rules, prepared);
    }
    text_pass fresh;
    scan(text, sentence_rule::plain, fresh);
    for (std::size_t k = data[0] % 8; k < all.size(); k += 8) {
        check_result const first = all[k].evaluate({.text = reused, .prompt = "a b"});
        check_result const second = all[k].evaluate({.text = fresh, .prompt = "a b"});
        if (first.passed != second.passed || first.value != second.value) {
            std::fprintf(stderr, "%s depends on the texts before\n", all[k].title().c_str());
            std::abort();
        }
    }
    return 0;
}
