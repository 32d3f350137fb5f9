// Untrusted rubrics and labels: any bytes are read, or refused by field_error. A rubric that was read is written to
// text that reads to the same rubric, and scores every text alike. The first byte selects: a rubric's JSON and a text
// after a line feed, or a Python literal.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/rubrics/rubric.hpp"
#include "optgap/status.hpp"
#include "tools/cli/rubric/literal.hpp"

namespace optgap::rubric_fuzzing {

void require(bool holds, char const* what) {
    if (!holds) {
        std::fprintf(stderr, "%s\n", what);
        std::abort();
    }
}

void literal(std::string_view text) {
    try {
        nlohmann::ordered_json const found = cli::read_literal(text, "label");
        std::string const again = found.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
        require(nlohmann::ordered_json::accept(again), "a literal is no JSON");
    } catch (field_error const&) {
    }
}

void rubric_and_text(std::string_view given) {
    std::size_t const line = given.find('\n');
    std::string_view const text = line == given.npos ? std::string_view() : given.substr(line + 1);
    try {
        rubrics::text_rubric const first(given.substr(0, line));
        rubrics::text_rubric const again(first.to_json());
        require(first.key() == again.key() && first.to_json() == again.to_json(),
                "a rubric's JSON reads to another rubric");
        rubrics::text_score const one = first.score({.text = text}), other = again.score({.text = text});
        require(one.total == other.total && one.points == other.points && one.checks == other.checks,
                "a rubric read again rewards otherwise");
        require(one.factor >= 0 && one.factor <= rubrics::full_factor, "a gate's factor is out of range");
        static_cast<void>(rubrics::floors_of(first, {}, text));
        static_cast<void>(first.explain({.text = text}));
    } catch (field_error const&) {
    }
}

}  // namespace optgap::rubric_fuzzing

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    // A fresh heap block of the exact size, so that the address sanitizer sees a read one byte beyond it.
    std::vector<char> const exact(data + 1, data + size);
    std::string_view const text(exact.data(), exact.size());
    if (data[0] % 2 == 0) {
        optgap::rubric_fuzzing::rubric_and_text(text);
    } else {
        optgap::rubric_fuzzing::literal(text);
    }
    return 0;
}
