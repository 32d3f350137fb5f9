#include "host/program_runs/code_checks.hpp"

#include <algorithm>

#include <xxhash.h>
#include <nlohmann/json.hpp>

#include "host/program_runs/code_runner.hpp"
#include "optgap/status.hpp"

namespace optgap::programs {
namespace {

namespace code_words {

using json = nlohmann::json;

constexpr std::size_t max_texts = 1024;                   ///< per process
constexpr std::size_t max_bytes = std::size_t(16) << 20;  ///< of all texts of one process
constexpr std::size_t longest_reason = 100;
constexpr std::int64_t start_ms = 2000, honest_ms = 20;  ///< for a process, and for each of its texts

std::string question(std::string_view code, std::deque<std::string_view> const& texts, std::size_t count,
                     std::int32_t strikes) {
    json out{{"code", code}, {"strikes", strikes}, {"text_ms", code_checks::text_ms}, {"texts", json::array()}};
    for (std::size_t i = 0; i < count; ++i) {
        out["texts"].push_back(texts[i]);
    }
    return out.dump(-1, ' ', true, json::error_handler_t::replace);
}

/// Reads a line of the runner. Returns false for anything else, since the code runs in the same process and may write
/// there, too.
bool read_line(std::string_view line, rubrics::code_verdict& out) {
    json const row = json::parse(line, nullptr, false);
    if (!row.is_array() || row.size() != 2 || !row[0].is_number_integer() || !row[1].is_string()) {
        return false;
    }
    out.reason = row[1].get<std::string>().substr(0, longest_reason);
    out.passed = row[0] == 1 && out.reason.empty();
    return true;
}

}  // namespace code_words

}  // namespace

rubrics::code_verdict code_gatherer::judge(std::string_view code, std::string_view text) {
    if (texts_.empty() || texts_.back() != text) {  // many codes are asked about the same text
        texts_.emplace_back(text);
        bytes_ += text.size();
    }
    asked_.push_back({code, texts_.back()});
    return {};
}

void code_gatherer::clear() {
    asked_.clear();
    texts_.clear();
    bytes_ = 0;
}

code_checks::hash_pair code_checks::key_of(std::string_view code, std::string_view text) {
    XXH128_hash_t const of_code = XXH3_128bits(code.data(), code.size());
    XXH128_hash_t const of_text = XXH3_128bits_withSeed(text.data(), text.size(), of_code.high64);
    return {of_text.high64, of_text.low64 ^ of_code.low64};
}

code_counts code_checks::counts() const {
    std::scoped_lock const lock(mutex_);
    return counts_;
}

void code_checks::settle(work& one, rubrics::code_verdict verdict) {
    counts_.verdicts += 1;
    counts_.failed += verdict.reason.empty() ? 0 : 1;
    known_[key_of(one.code, one.texts.front())] = std::move(verdict);
    one.texts.pop_front();
    --one.in_process;
}

void code_checks::take(work& one, run_result const& ended) {
    if (ended.code == run_code::infrastructure) {
        throw error(status::sandbox_unavailable, "a check in Python could not be run: " +
                                                     (ended.trouble.empty() ? "no reason given" : ended.trouble));
    }
    bool first = true;
    for (std::size_t at = 0; at < ended.output.size() && one.in_process > 0;) {
        std::size_t const end = ended.output.find('\n', at);
        rubrics::code_verdict verdict;
        bool const whole = end != std::string::npos;
        if (!whole || !code_words::read_line(std::string_view(ended.output).substr(at, end - at), verdict)) {
            break;
        }
        one.strikes += verdict.reason == "run_time" ? 1 : 0;
        settle(one, std::move(verdict));
        first = false;
        at = end + 1;
    }
    // A text at which a process ended is charged only if it was the first one there, since no text before it has used
    // any resource. Otherwise it comes first in the next process.
    if (one.in_process > 0 && first) {
        bool const said = ended.code != run_code::ok && ended.code != run_code::run_no_output;
        std::string reason = said ? std::string(name_of(ended.code)) : std::string("gives no answer");
        one.strikes += 1;
        settle(one, {false, std::move(reason)});
    }
    while (one.strikes >= max_strikes && !one.texts.empty()) {
        settle(one, {false, "not_run"});
    }
}

void code_checks::run(std::vector<work>& all) {
    if (runner_ == nullptr) {
        compile_result const built = in_.compile({program_language::python, code_runner_source, {}});
        if (built.code != run_code::ok) {
            throw error(status::sandbox_unavailable, "checks in Python have no runner: " + built.log);
        }
        runner_ = built.program;
    }
    for (;;) {
        std::vector<work*> asked;
        std::deque<std::string> inputs;
        std::vector<run_request> requests;
        std::size_t bytes = 0;
        for (work& one : all) {
            if (one.texts.empty() || bytes > code_words::max_bytes * 4) {
                continue;
            }
            std::size_t own = 0;
            one.in_process = 0;
            while (one.in_process < std::min(one.texts.size(), code_words::max_texts) &&
                   (one.in_process == 0 || own + one.texts[one.in_process].size() <= code_words::max_bytes)) {
                own += one.texts[one.in_process++].size();
            }
            bytes += own;
            inputs.push_back(code_words::question(one.code, one.texts, one.in_process, max_strikes - one.strikes));
            run_limits limits;
            limits.cpu_ms = code_words::start_ms + max_strikes * text_ms +
                            code_words::honest_ms * std::int64_t(one.in_process) + std::int64_t(own >> 10);
            limits.memory_mb = memory_mb;
            requests.push_back({runner_, inputs.back(), limits});
            asked.push_back(&one);
        }
        if (asked.empty()) {
            return;
        }
        std::vector<run_result> const ended = in_.run_all(requests);
        for (std::size_t i = 0; i < asked.size(); ++i) {
            counts_.processes += 1;
            take(*asked[i], ended[i]);
        }
    }
}

void code_checks::prepare(std::span<code_question const> asked) {
    std::scoped_lock const lock(mutex_);
    std::vector<work> all;
    std::unordered_map<std::string_view, std::size_t> place_of;
    std::unordered_map<hash_pair, bool, hash_of_pair> seen;
    for (code_question const& one : asked) {
        hash_pair const key = key_of(one.code, one.text);
        if (known_.contains(key) || !seen.try_emplace(key, true).second) {
            continue;
        }
        auto const [place, is_new] = place_of.try_emplace(one.code, all.size());
        if (is_new) {
            all.emplace_back().code = one.code;
        }
        all[place->second].texts.push_back(one.text);
    }
    run(all);
}

rubrics::code_verdict code_checks::judge(std::string_view code, std::string_view text) {
    code_question const alone{code, text};
    prepare({&alone, 1});
    std::scoped_lock const lock(mutex_);
    return known_.at(key_of(code, text));
}

}  // namespace optgap::programs
