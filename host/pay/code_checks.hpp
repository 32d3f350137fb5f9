#pragma once
// Checks of chains that are Python (docs/chains.md): each runs in a sandbox, one process for one code and a list of
// texts. Nothing of a code is trusted: it can say yes or no about the texts that it is given, and nothing else.
//
//   code_checks judge(here);                       // a sandbox that holds Python
//   judge.prepare(asked);                          // all at once, on all slots
//   chain.score({.text = text, .codes = &judge});  // what was prepared is known; the rest runs now

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
#include "optgap/chains/chain.hpp"

namespace optgap::programs {

/// One code and one text, borrowed for the call.
struct code_question {
    std::string_view code, text;
};

struct code_counts {
    std::int64_t verdicts = 0, processes = 0;
    std::int64_t failed = 0;  ///< verdicts with a reason
};

/// Says no to everything and remembers what it was asked, so that many questions run at once. A combination may not ask
/// all of its checks then; what is left runs by itself later.
class code_gatherer final : public chain::code_judge {
public:
    [[nodiscard]] chain::code_verdict judge(std::string_view code, std::string_view text) override;
    /// Good while the chains live, whose codes are borrowed, and until `clear`.
    [[nodiscard]] std::span<code_question const> asked() const { return asked_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }  ///< of the texts that are kept
    void clear();

private:
    std::deque<std::string> texts_;
    std::vector<code_question> asked_;
    std::size_t bytes_ = 0;
};

/// Thread-safe; remembers every verdict by the hashes of code and text.
class code_checks final : public chain::code_judge {
public:
    /// A text may take so much processor time; a code that takes more, or ends its process, three times is asked no
    /// more.
    static constexpr std::int64_t text_ms = 1000;
    static constexpr std::int32_t most_strikes = 3;
    static constexpr std::int64_t memory_mb = 256;

    explicit code_checks(sandbox& in) : in_(in) {}

    /// Runs what is not known yet. Throws error{sandbox_unavailable} for a fault of the machine, never for one of a
    /// code.
    void prepare(std::span<code_question const> asked);
    [[nodiscard]] chain::code_verdict judge(std::string_view code, std::string_view text) override;
    [[nodiscard]] code_counts counts() const;

private:
    struct hash_pair {
        std::uint64_t high = 0, low = 0;
        friend bool operator==(hash_pair const&, hash_pair const&) = default;
    };
    struct hash_of_pair {
        std::size_t operator()(hash_pair const& one) const { return std::size_t(one.high ^ one.low); }
    };
    /// The texts that one code is asked about in this call.
    struct work {
        std::string_view code;
        std::deque<std::string_view> texts;
        std::int32_t strikes = 0;
        std::size_t in_process = 0;  ///< of the texts, how many the last process was given
    };

    static hash_pair key_of(std::string_view code, std::string_view text);
    void run(std::vector<work>& all);
    void take(work& one, run_result const& ended);
    void settle(work& one, chain::code_verdict verdict);

    sandbox& in_;
    mutable std::mutex mutex_;
    std::unordered_map<hash_pair, chain::code_verdict, hash_of_pair> known_;
    code_counts counts_;
    program_handle runner_;
};

}  // namespace optgap::programs
