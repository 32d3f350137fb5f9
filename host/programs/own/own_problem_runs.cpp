#include "host/programs/own/own_problem_runs.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "host/programs/run_batch.hpp"
#include "optgap/programs/codes.hpp"
#include "optgap/status.hpp"

namespace optgap::programs {
namespace {

/// The limits of the author's generator and judge.
constexpr run_limits author_limits{.cpu_ms = 10'000, .memory_mb = 2048, .output_kb = 16'384};
constexpr compile_limits author_compile_limits{.cpu_ms = 60'000, .memory_mb = 2048};
constexpr std::size_t max_judged_bytes = std::size_t(256) << 20;  ///< of the texts of one call
constexpr std::size_t shown_of_author = 200;

constexpr std::string_view blank_bytes = " \t\r\n\v\f";

std::string_view trimmed_end(std::string_view text) {
    std::size_t const last = text.find_last_not_of(blank_bytes);
    return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

/// Removes the next line and returns it without blanks at its end.
std::string_view take_line(std::string_view& text) {
    std::size_t const end = text.find('\n');
    std::string_view const line = trimmed_end(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}
std::string_view take_token(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(blank_bytes), text.size()));
    std::string_view const token = text.substr(0, text.find_first_of(blank_bytes));
    text.remove_prefix(token.size());
    return token;
}

/// Bytes that may stand in a sentence.
std::string in_words(std::string_view text) {
    std::string out;
    for (char const byte : text.substr(0, shown_of_author)) {
        out += byte >= ' ' && byte <= '~' ? byte : ' ';
    }
    return std::string(trimmed_end(out));
}

std::string end_of_run(run_result const& ended) {
    std::string const status = ended.where >= 0 ? fmt::format(" {}", ended.where) : std::string();
    std::string_view errors = trimmed_end(ended.error_head);
    errors = errors.substr(errors.rfind('\n') == std::string_view::npos ? 0 : errors.rfind('\n') + 1);
    return fmt::format("ended with {}{}{}", name_of(ended.code), status,
                       errors.empty() ? std::string() : fmt::format(": {}", in_words(errors)));
}

verdict invalid(std::int32_t code, std::int32_t where = -1) { return {code, where, 0, 1, 1}; }

}  // namespace

program_handle const& own_problem_runs::ready(problem_program const& which, std::stop_token stop) {
    program_handle& known = ready_[which.file];
    if (known == nullptr) {
        compile_result built =
            in_(which.language).compile({which.language, which.source, author_compile_limits, std::move(stop)});
        if (built.code == run_code::infrastructure) {
            throw error(status::device_unavailable, fmt::format("{} could not be compiled", which.file));
        }
        if (built.code != run_code::ok) {
            throw field_error("problem", fmt::format("{}: {} does not compile: {}", of_->name, which.file,
                                                     in_words(built.first_line)));
        }
        known = built.program;
    }
    return known;
}

void own_problem_runs::prepare(std::span<std::uint64_t const> seeds, std::stop_token stop) {
    std::set<std::uint64_t> asked;
    for (std::uint64_t const seed : seeds) {
        if (!inputs_.contains(seed)) {
            asked.insert(seed);
        }
    }
    if (!of_->tests.empty()) {
        for (std::uint64_t const seed : asked) {
            inputs_[seed] = of_->tests[std::size_t(seed)].input;
            input_bytes_ += inputs_[seed].size();
        }
        return;
    }
    std::vector<std::string> texts;
    std::vector<run_request> requests;
    for (std::uint64_t const seed : asked) {
        texts.push_back(fmt::format("{}\n", seed));
    }
    for (std::string const& text : texts) {
        requests.push_back({ready(*of_->generator, stop), text, author_limits, stop});
    }
    std::vector<run_result> ended =
        requests.empty() ? std::vector<run_result>() : in_(of_->generator->language).run_all(requests);
    std::size_t k = 0;
    for (std::uint64_t const seed : asked) {
        run_result& one = ended[k++];
        if (one.code == run_code::infrastructure) {
            throw error(status::device_unavailable, fmt::format("{} could not be run", of_->generator->file));
        }
        if (one.code != run_code::ok) {
            throw field_error("problem", fmt::format("{}: {} {}, on the seed {}", of_->name, of_->generator->file,
                                                     end_of_run(one), seed));
        }
        input_bytes_ += one.output.size();
        inputs_[seed] = std::move(one.output);
    }
}

std::string const& own_problem_runs::input(std::uint64_t seed) const { return inputs_.at(seed); }

std::size_t own_problem_runs::kept_bytes() const {
    constexpr std::size_t entry_bytes = 64;  // of a map's node
    return bytes_of(*of_) + input_bytes_ +
           entry_bytes * (inputs_.size() + references_.size() + floors_.size() + failure_codes_.size());
}

void own_problem_runs::solve_by(problem_program const& solver, std::span<std::uint64_t const> seeds, objectives& known,
                                std::stop_token stop) {
    std::vector<std::uint64_t> asked;
    std::vector<run_request> requests;
    for (std::uint64_t const seed : seeds) {
        if (!known.contains(seed) && std::ranges::find(asked, seed) == asked.end()) {
            asked.push_back(seed);
            requests.push_back({ready(solver, stop), input(seed), of_->limits.run, stop});
        }
    }
    if (requests.empty()) {
        return;
    }
    std::vector<run_result> const ended = in_(solver.language).run_all(requests);
    std::vector<std::string_view> outputs;
    for (std::size_t k = 0; k < ended.size(); ++k) {
        if (ended[k].code == run_code::infrastructure) {
            throw error(status::device_unavailable, fmt::format("{} could not be run", solver.file));
        }
        if (ended[k].code != run_code::ok) {
            throw field_error("problem", fmt::format("{}: {} {}, on the instance {}", of_->name, solver.file,
                                                     end_of_run(ended[k]), asked[k]));
        }
        outputs.push_back(ended[k].output);
    }
    std::vector<judgement_of_output> const judged = ask_judge(outputs, asked, stop);
    for (std::size_t k = 0; k < judged.size(); ++k) {
        if (judged[k].found.code == code_infrastructure) {
            throw error(status::device_unavailable, fmt::format("{} could not be run", of_->judge->file));
        }
        if (judged[k].found.code == code_problem_fault) {
            throw field_error("problem", judged[k].reason);
        }
        if (judged[k].found.code != code_ok) {
            throw field_error("problem", fmt::format("{}: {} is not valid on the instance {}: {}", of_->name,
                                                     solver.file, asked[k], judged[k].reason));
        }
        known[asked[k]] = judged[k].found.objective;
    }
}

std::vector<baseline> own_problem_runs::baselines(std::span<std::uint64_t const> seeds, std::stop_token stop) {
    std::vector<baseline> out(seeds.size());
    if (!of_->judge) {
        for (baseline& one : out) {  // every test can be passed
            one.objective = one.bound = 1;
            one.status = baseline_status::optimal;
        }
        return out;
    }
    if (of_->reference) {
        solve_by(*of_->reference, seeds, references_, stop);
    }
    if (of_->floor) {
        solve_by(*of_->floor, seeds, floors_, stop);
    }
    for (std::size_t k = 0; k < seeds.size(); ++k) {
        if (of_->reference) {
            out[k].objective = references_.at(seeds[k]);
            out[k].status = baseline_status::bounded;
        }
        if (of_->floor) {
            out[k].floor = floors_.at(seeds[k]);
        }
    }
    return out;
}

judgement_of_output own_problem_runs::compared(std::string_view output, problem_test const& test) const {
    std::string_view left = trimmed_end(output), right = trimmed_end(test.expected);
    auto const take = of_->comparison == output_comparison::lines ? take_line : take_token;
    for (std::int64_t place = 1; !left.empty() || !right.empty(); ++place) {
        if (take(left) != take(right)) {
            return {invalid(code_judged_wrong),
                    fmt::format("{} {} differs from the expected one",
                                of_->comparison == output_comparison::lines ? "line" : "token", place)};
        }
    }
    return {{.objective = 1, .violation_max = 1}, {}};
}

judgement_of_output own_problem_runs::read_judgement(run_result const& ended) const {
    if (ended.code == run_code::infrastructure) {
        return {invalid(code_infrastructure), ended.trouble};
    }
    if (ended.code != run_code::ok) {
        return {invalid(code_problem_fault), fmt::format("{}: {} {}", of_->name, of_->judge->file, end_of_run(ended))};
    }
    std::string_view const text = trimmed_end(ended.output);
    if (text == "wrong" || text.starts_with("wrong ")) {
        return {invalid(code_judged_wrong), in_words(text.substr(std::min<std::size_t>(6, text.size())))};
    }
    std::int64_t const score =
        text.starts_with("score ") ? read_score(text.substr(6), of_->decimals).value_or(-1) : std::int64_t(-1);
    if (score < 0) {
        return {
            invalid(code_problem_fault),
            fmt::format(
                "{}: {} printed \"{}\"; expected `score NUMBER`, 0 or more, with at most {} decimals, below 10^15 in "
                "units of the last, or `wrong REASON`",
                of_->name, of_->judge->file, in_words(text), of_->decimals)};
    }
    return {{.objective = score, .violation_max = 1}, {}};
}

std::int32_t own_problem_runs::failure_code(std::uint64_t seed, std::stop_token stop) {
    if (references_.contains(seed)) {
        return code_judge_failed;
    }
    if (auto const known = failure_codes_.find(seed); known != failure_codes_.end()) {
        return known->second;
    }
    std::string_view const control = of_->tests.empty() ? "" : of_->tests[std::size_t(seed)].expected;
    std::int32_t const code = ask_judge({&control, 1}, {&seed, 1}, std::move(stop))[0].found.code;
    if (code == code_infrastructure) {
        return code;
    }
    return failure_codes_[seed] = code == code_problem_fault ? code_problem_fault : code_judge_failed;
}

std::vector<judgement_of_output> own_problem_runs::judge(std::span<std::string_view const> outputs,
                                                         std::span<std::uint64_t const> seeds, std::stop_token stop) {
    std::vector<judgement_of_output> out = ask_judge(outputs, seeds, stop);
    for (std::size_t k = 0; k < out.size(); ++k) {
        if (out[k].found.code == code_problem_fault) {
            out[k].found.code = failure_code(seeds[k], stop);
        }
    }
    return out;
}

std::vector<judgement_of_output> own_problem_runs::ask_judge(std::span<std::string_view const> outputs,
                                                             std::span<std::uint64_t const> seeds,
                                                             std::stop_token stop) {
    std::vector<judgement_of_output> out(outputs.size());
    if (!of_->judge) {
        for (std::size_t k = 0; k < outputs.size(); ++k) {
            out[k] = compared(outputs[k], of_->tests[std::size_t(seeds[k])]);
        }
        return out;
    }
    program_handle program;
    try {
        program = ready(*of_->judge, stop);
    } catch (field_error const& broken) {
        std::ranges::fill(out, judgement_of_output{invalid(code_problem_fault), broken.rule()});
        return out;
    }
    for (std::size_t begin = 0; begin < outputs.size();) {
        std::vector<std::string> texts;
        std::size_t bytes = 0, end = begin;
        for (; end < outputs.size() && (end == begin || bytes < max_judged_bytes); ++end) {
            std::string const& asked = input(seeds[end]);
            std::string_view const expected =
                of_->tests.empty() ? std::string_view() : of_->tests[std::size_t(seeds[end])].expected;
            std::string text = fmt::format("{} {} {}\n", asked.size(), outputs[end].size(), expected.size());
            text.append(asked).append(outputs[end]).append(expected);
            bytes += text.size();
            texts.push_back(std::move(text));
        }
        std::vector<run_request> requests;
        for (std::string const& text : texts) {
            requests.push_back({program, text, author_limits, stop});
        }
        std::vector<run_result> const ended = in_(of_->judge->language).run_all(requests);
        for (std::size_t k = 0; k < ended.size(); ++k) {
            out[begin + k] = read_judgement(ended[k]);
        }
        begin = end;
    }
    return out;
}

std::vector<verdict> judged_instances::verify(std::span<run_result const> ended,
                                              std::span<std::int64_t const> instance_of) {
    std::vector<verdict> out(ended.size());
    std::map<own_problem_runs*, std::vector<std::size_t>> printed;
    for (std::size_t i = 0; i < ended.size(); ++i) {
        if (ended[i].code == run_code::ok) {
            printed[all_[std::size_t(instance_of[i])].runs].push_back(i);
        } else {
            out[i] = invalid(code_of(ended[i].code), ended[i].where);
        }
    }
    for (auto const& [runs, places] : printed) {
        std::vector<std::string_view> outputs;
        std::vector<std::uint64_t> seeds;
        for (std::size_t const i : places) {
            outputs.push_back(ended[i].output);
            seeds.push_back(all_[std::size_t(instance_of[i])].seed);
        }
        std::vector<judgement_of_output> judged = runs->judge(outputs, seeds, stop_);
        for (std::size_t k = 0; k < places.size(); ++k) {
            out[places[k]] = judged[k].found;
            if (judged[k].found.code == code_problem_fault) {
                out[places[k]].where = std::int32_t(faults_.size());
                faults_.push_back(std::move(judged[k].reason));
            }
        }
    }
    return out;
}

}  // namespace optgap::programs
