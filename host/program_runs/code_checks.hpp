#pragma once
// Python checks of rubrics (docs/rubrics.md). Each runs in a sandbox, one process for one code and a list of texts. A
// code is not trusted: its only influence is its verdicts on the texts that it gets.
//
//   code_checks judge(here);                       // a sandbox that holds Python
//   judge.prepare(asked);                          // all at once, on all slots
//   rubric.score({.text = text, .codes = &judge});  // prepared verdicts are known; the rest runs now

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "host/programs/sandbox.hpp"
#include "optgap/rubrics/rubric.hpp"

namespace optgap::programs {

/// One code and one text, borrowed for the call.
struct code_question {
    std::string_view code, text;
};

struct code_counts {
    std::int64_t verdicts = 0, processes = 0;
    std::int64_t failed = 0;  ///< verdicts with a reason
};

/// Answers no to everything and records the questions, so that many run at once. A combination may then skip some of
/// its checks; those run by themselves later.
class code_gatherer final : public rubrics::code_judge {
public:
    [[nodiscard]] rubrics::code_verdict judge(std::string_view code, std::string_view text) override;
    /// Valid while the rubrics live, whose codes are borrowed, and until `clear`.
    [[nodiscard]] std::span<code_question const> asked() const { return asked_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }  ///< of the stored texts
    void clear();

private:
    std::deque<std::string> texts_;
    std::vector<code_question> asked_;
    std::size_t bytes_ = 0;
};

/// Thread-safe. Keeps every verdict by the hashes of code and text.
class code_checks final : public rubrics::code_judge {
public:
    /// The processor time for one text. A code that takes more, or ends its process, three times is not asked again.
    static constexpr std::int64_t text_ms = 1000;
    static constexpr std::int32_t max_strikes = 3;
    static constexpr std::int64_t memory_mb = 256;

    explicit code_checks(sandbox& in) : in_(in) {}

    /// Runs what is not known yet. Throws error{sandbox_unavailable} for a fault of the machine, never for a fault of a
    /// code.
    void prepare(std::span<code_question const> asked);
    [[nodiscard]] rubrics::code_verdict judge(std::string_view code, std::string_view text) override;
    [[nodiscard]] code_counts counts() const;

private:
    struct hash_pair {
        std::uint64_t high = 0, low = 0;
        friend bool operator==(hash_pair const&, hash_pair const&) = default;
    };
    struct hash_of_pair {
        std::size_t operator()(hash_pair const& one) const { return std::size_t(one.high ^ one.low); }
    };
    /// The texts for one code in this call.
    struct work {
        std::string_view code;
        std::deque<std::string_view> texts;
        std::int32_t strikes = 0;
        std::size_t in_process = 0;  ///< number of texts given to the last process
    };

    static hash_pair key_of(std::string_view code, std::string_view text);
    void run(std::vector<work>& all);
    void take(work& one, run_result const& ended);
    void settle(work& one, rubrics::code_verdict verdict);

    sandbox& in_;
    mutable std::mutex mutex_;
    std::unordered_map<hash_pair, rubrics::code_verdict, hash_of_pair> known_;
    code_counts counts_;
    program_handle runner_;
};

}  // namespace optgap::programs
