// Differential: the scanner and its slow reference must agree on every input. The first byte selects the format and how
// generation ended; the rest is the completion.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "optgap/format.hpp"
#include "tests/text/reference_scanner.hpp"

namespace {

void require_equal(bool equal, char const* what, std::string const& text) {
    if (!equal) {
        std::fprintf(stderr, "scanner and twin differ in %s on:\n%s\n", what, text.c_str());
        std::abort();
    }
}

void compare(optgap::parsed_text const& fast, std::vector<std::int32_t> const& words,
             optgap::text_reference::result const& slow, std::string const& text) {
    require_equal(fast.format_code == slow.parsed.format_code, "format_code", text);
    require_equal(fast.answer_code == slow.parsed.answer_code, "answer_code", text);
    require_equal(fast.where == slow.parsed.where, "where", text);
    require_equal(fast.answer == slow.parsed.answer, "span", text);
    require_equal(words == slow.block, "block", text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static char const* const task_words[] = {"impossible", nullptr};
    static std::vector<std::string> const reference_words{"impossible"};
    if (size == 0) {
        return 0;
    }
    // A fresh heap block of the exact size, so that the address sanitizer sees a read one byte beyond it.
    std::vector<char> const exact(data + 1, data + size);
    std::string const text(exact.begin(), exact.end());
    // Programs' formats come after those of answers.
    std::span<optgap::format_spec const> const formats =
        optgap::known_formats().first(optgap::formats().size() + optgap::program_formats().size());
    std::size_t const choices = formats.size() + 2;
    std::size_t const choice = data[0] % choices;
    auto const finished = optgap::finish(data[0] / choices % 4);
    std::vector<std::int32_t> words;
    if (choice >= formats.size()) {
        auto const spelling = choice == formats.size() ? optgap::spelling_rule::strict : optgap::spelling_rule::free;
        optgap::parsed_text const fast =
            optgap::parse_answer({exact.data(), exact.size()}, task_words, words, spelling);
        compare(fast, words, optgap::text_reference::answer(text, reference_words, spelling), text);
        return 0;
    }
    optgap::format_spec const& format = formats[choice];
    optgap::parsed_text const fast =
        optgap::parse_completion({exact.data(), exact.size()}, format, task_words, words, finished);
    compare(fast, words, optgap::text_reference::completion(text, format, reference_words, finished), text);
    return 0;
}
