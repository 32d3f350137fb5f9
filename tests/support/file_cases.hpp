#pragma once
// External files in tests: instances that are read are proven, and damaged files are refused by one sentence with place
// and reason.

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/status.hpp"
#include "tests/support/wide_proofs.hpp"

namespace optgap::testing {

using file_read = std::vector<std::int32_t> (*)(std::string_view text);

/// "line 3: …", or "accepted".
inline std::string refusal(file_read read, std::string const& text) {
    try {
        read(text);
        return "accepted";
    } catch (field_error const& problem) {
        return problem.field() + ": " + problem.rule();
    }
}

inline void expect_refused(file_read read, std::vector<std::pair<std::string, std::string>> const& cases) {
    for (auto const& [text, beginning] : cases) {
        std::string const said = refusal(read, text);
        EXPECT_EQ(said.substr(0, beginning.size()), beginning) << text << "\ngave: " << said;
        EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    }
}

template <class Task>
std::int64_t optimum_of_file(file_read read, std::string const& text) {
    wide_block const words = read(text);
    EXPECT_EQ(Task::check(wide_view(words)), nullptr);
    wide_proof const found = prove<Task>(words, Task::default_budget);
    EXPECT_EQ(found.result.status, baseline_status::optimal);
    return found.result.objective;
}

/// No beginning of the whole file that ends with a line may be read as an instance, except for `harmless` last lines.
inline void expect_cuts_refused(file_read read, std::string const& text, std::int32_t harmless = 0) {
    std::vector<std::size_t> ends;
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
        ends.push_back(at + 1);
    }
    for (std::size_t k = 0; k + 1 + std::size_t(harmless) < ends.size(); ++k) {
        std::string const cut = text.substr(0, ends[k]);
        EXPECT_NE(refusal(read, cut), "accepted") << cut;
    }
}

/// Spoils files: each is refused, or is read as a valid instance.
template <class Task>
void expect_no_nonsense(file_read read, std::string const& text) {
    std::mt19937 random(3);
    constexpr std::string_view hostile[] = {
        "-1", "0", "1",   "999999999999999999999", "2147483648", "1e9",         "nan", "%", "\n", "\r",
        " ",  "c", "EOF", "-2147483648",           ":",          "\xef\xbb\xbf"};
    for (std::int32_t round = 0; round < 400; ++round) {
        std::string spoiled = text;
        for (std::uint32_t change = 0; change <= random() % 3; ++change) {
            std::size_t const at = random() % (spoiled.size() + 1);
            std::size_t const gone = random() % 2 == 0 ? 0 : random() % 4;
            spoiled.replace(at, std::min(gone, spoiled.size() - at), hostile[random() % std::size(hostile)]);
        }
        try {
            wide_block const words = read(spoiled);
            EXPECT_EQ(Task::check(wide_view(words)), nullptr) << spoiled;
        } catch (field_error const& problem) {
            EXPECT_FALSE(problem.rule().empty());
        }
    }
}

}  // namespace optgap::testing
