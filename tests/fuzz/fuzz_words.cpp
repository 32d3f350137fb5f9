// Differential: answers in letters, as expressions and as numbers without brackets, read by the grammar and by its slow
// reference. The first byte selects the forms of answers, the tail and whether a completion surrounds it; the rest is
// the text.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "optgap/format.hpp"
#include "tests/text/reference_scanner.hpp"
#include "tests/text/word_syntaxes.hpp"

namespace {

void require_equal(bool equal, char const* what, std::string const& text) {
    if (!equal) {
        std::fprintf(stderr, "grammar and twin differ in %s on:\n%s\n", what, text.c_str());
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    using namespace optgap;
    std::vector<char> const exact(data + 1, data + size);  // of the exact size, for the address sanitizer
    std::string const text(exact.begin(), exact.end());
    answer_syntax const& syntax = word_syntaxes()[data[0] % word_syntaxes().size()];
    std::vector<std::string> const reference_words = reference_words_of(syntax);
    std::size_t const way = data[0] / word_syntaxes().size() % 3;
    std::vector<std::int32_t> words;
    parsed_text fast;
    text_reference::result slow;
    if (way == 2) {
        format_spec const& format = format_named("boxed");
        fast = parse_completion({exact.data(), exact.size()}, format, syntax, words);
        slow = text_reference::completion(text, format, reference_words, finish::unknown, syntax);
    } else {
        spelling_rule const spelling = way == 0 ? spelling_rule::strict : spelling_rule::free;
        std::span<std::string const> const ends = end_of_turn_strings();
        fast = parse_answer({exact.data(), exact.size()}, syntax, words, spelling);
        slow = text_reference::answer(text, reference_words, spelling, {ends.begin(), ends.end()}, syntax);
    }
    require_equal(fast.format_code == slow.parsed.format_code, "format_code", text);
    require_equal(fast.answer_code == slow.parsed.answer_code, "answer_code", text);
    require_equal(fast.where == slow.parsed.where, "where", text);
    require_equal(fast.answer == slow.parsed.answer, "span", text);
    require_equal(words == slow.block, "block", text);
    return 0;
}
