#include "tools/cli/problem/problem_checks.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include <fmt/format.h>

#include "host/programs/run_batch.hpp"
#include "optgap/programs/codes.hpp"
#include "optgap/status.hpp"
#include "tools/cli/problem/hostile_candidates.hpp"

namespace optgap::cli {
namespace {

using programs::judgement_of_output, programs::run_result;

class wall_clock {
public:
    [[nodiscard]] std::string text() const {
        return fmt::format("{:.2f} s",
                           std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count());
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::string code_text(std::int32_t code) {
    return code == code_ok ? std::string("ok") : std::string(program_code_name(code));
}

std::string said(judgement_of_output const& one) {
    return one.reason.empty() ? code_text(one.found.code)
                              : fmt::format("{}: {}", code_text(one.found.code), one.reason);
}

std::string last_line(std::string_view text) {
    text = text.substr(0, text.find_last_not_of("\r\n ") + 1);
    text = text.substr(text.rfind('\n') == std::string_view::npos ? 0 : text.rfind('\n') + 1);
    return std::string(text.substr(0, 200));
}

/// How many of the judgements got a score.
std::size_t scores_in(std::vector<judgement_of_output> const& judged) {
    return std::size_t(
        std::ranges::count(judged, code_ok, [](judgement_of_output const& one) { return one.found.code; }));
}

bool same(std::vector<judgement_of_output> const& one, std::vector<judgement_of_output> const& other) {
    return std::ranges::equal(one, other, [](judgement_of_output const& a, judgement_of_output const& b) {
        return a.found == b.found && a.reason == b.reason;
    });
}

}  // namespace

problem_checks::tried problem_checks::attempt(programs::program_language language, std::string_view source,
                                              std::size_t instances) {
    tried out;
    programs::compile_result const built = in_(language).compile({language, source, of_->limits.compile});
    if (built.code != programs::run_code::ok) {
        out.trouble = fmt::format("{}: {}", programs::name_of(built.code), built.first_line);
        return out;
    }
    std::vector<programs::run_request> requests;
    for (std::size_t k = 0; k < instances; ++k) {
        requests.push_back({built.program, runs_.input(seeds_[k]), of_->limits.run});
    }
    out.ended = in_(language).run_all(requests);
    out.judged.resize(instances);
    for (std::size_t k = 0; k < instances; ++k) {
        run_result const& one = out.ended[k];
        if (one.code == programs::run_code::infrastructure) {
            throw error(status::device_unavailable, fmt::format("a program could not be run: {}", one.trouble));
        }
        if (one.code != programs::run_code::ok) {
            out.judged[k].found.code = programs::code_of(one.code);
            out.judged[k].reason = last_line(one.error_head);
            continue;
        }
        std::string_view const output = one.output;
        out.judged[k] = runs_.judge({&output, 1}, {&seeds_[k], 1})[0];
    }
    return out;
}

bool problem_checks::check_inputs(std::int32_t instances) {
    bool const tested = !of_->tests.empty();
    for (std::int32_t k = 0; k < std::min(instances, of_->instances); ++k) {
        seeds_.push_back(std::uint64_t(k) + (tested ? 0 : 1));
    }
    wall_clock const clock;
    try {
        runs_.prepare(seeds_);
        if (tested) {
            note("inputs", fmt::format("{} tests", of_->tests.size()));
            return true;
        }
        programs::own_problem_runs again(of_, in_);
        again.prepare(seeds_);
        std::set<std::string> different;
        std::size_t least = SIZE_MAX, most = 0;
        for (std::uint64_t const seed : seeds_) {
            std::string const& input = runs_.input(seed);
            if (input != again.input(seed)) {
                add("generator, twice", false, fmt::format("the seed {} gives another input the second time", seed));
                return false;
            }
            different.insert(input);
            least = std::min(least, input.size());
            most = std::max(most, input.size());
        }
        add("generator, twice", true,
            fmt::format("{} inputs of {} to {} bytes, the same again, {}", seeds_.size(), least, most, clock.text()));
        if (seeds_.size() > 1) {
            add("generator, by seed", different.size() > 1,
                different.size() > 1 ? fmt::format("{} different inputs of {} seeds", different.size(), seeds_.size())
                                     : std::string("every seed gives the same input"));
        }
        return true;
    } catch (field_error const& broken) {
        add("generator", false, broken.rule());
        return false;
    }
}

bool problem_checks::check_solvers() {
    tried solved[2];
    std::optional<programs::problem_program> const* const solvers[] = {&of_->reference, &of_->floor};
    char const* const names[] = {"reference", "floor"};
    for (std::size_t s = 0; s < 2; ++s) {
        if (!*solvers[s]) {
            note(names[s], s == 0 ? "none: quality is 0, and rankings alone say something" : "none");
            continue;
        }
        wall_clock const clock;
        solved[s] = attempt((*solvers[s])->language, (*solvers[s])->source, seeds_.size());
        expects_scores_ = true;
        if (!solved[s].trouble.empty()) {
            add(names[s], false, solved[s].trouble);
            return false;
        }
        auto const bad =
            std::ranges::find_if(solved[s].judged, [](auto const& one) { return one.found.code != code_ok; });
        scored_ = scored_ || scores_in(solved[s].judged) > 0;
        if (bad != solved[s].judged.end()) {
            add(names[s], false,
                fmt::format("is not valid on the instance {}: {}", seeds_[std::size_t(bad - solved[s].judged.begin())],
                            said(*bad)));
            return false;
        }
        double slowest = 0;
        for (run_result const& one : solved[s].ended) {
            slowest = std::max(slowest, one.cpu_ms);
        }
        add(names[s], true,
            fmt::format("{} of {} valid, at most {:.0f} of {} ms, {}", seeds_.size(), seeds_.size(), slowest,
                        of_->limits.run.cpu_ms, clock.text()));
    }
    for (run_result const& one : solved[0].ended) {
        right_outputs_.push_back(one.output);
    }
    check_direction(solved[0], solved[1]);
    return true;
}

void problem_checks::check_direction(tried const& reference, tried const& floor) {
    if (!of_->judge) {
        return;
    }
    if (reference.judged.empty() || floor.judged.empty()) {
        note("direction of scores", "not shown: it takes a reference and a floor");
        return;
    }
    std::size_t better = 0;
    for (std::size_t k = 0; k < seeds_.size(); ++k) {
        std::int64_t const right = reference.judged[k].found.objective, plain = floor.judged[k].found.objective;
        if (of_->direction == sense::minimise ? plain < right : plain > right) {
            add("direction of scores", false,
                fmt::format("on the instance {} the floor's score {} is better than the reference's {}", seeds_[k],
                            programs::score_text(plain, of_->decimals), programs::score_text(right, of_->decimals)));
            return;
        }
        better += right != plain ? 1 : 0;
    }
    add("direction of scores", better > 0,
        better > 0 ? fmt::format("{}: the reference is better than the floor on {} of {}",
                                 of_->direction == sense::minimise ? "min" : "max", better, seeds_.size())
                   : std::string("reference and floor have the same score on every instance"));
}

void problem_checks::check_candidates(std::vector<known_candidate> const& candidates) {
    for (known_candidate const& one : candidates) {
        tried const found = attempt(one.language, one.source, seeds_.size());
        std::size_t const scores = scores_in(found.judged);
        scored_ = scored_ || scores > 0;
        expects_scores_ = expects_scores_ || one.good;
        auto const bad =
            std::ranges::find_if(found.judged, [](auto const& each) { return each.found.code != code_ok; });
        std::string const first = !found.trouble.empty()      ? ", " + found.trouble
                                  : bad == found.judged.end() ? std::string()
                                                              : ", " + said(*bad);
        add(fmt::format("{} {}", one.good ? "good" : "bad", one.file),
            one.good ? scores == seeds_.size() : scores < seeds_.size(),
            fmt::format("{} of {} valid{}", scores, seeds_.size(), first));
    }
}

void problem_checks::check_judge() {
    if (!of_->judge) {
        return;
    }
    std::string const right = right_outputs_.empty() ? std::string("0\n") : right_outputs_[0];
    std::vector<bad_output> const bad =
        bad_outputs(right, right_outputs_.size() > 1 ? right_outputs_[1] : std::string(), of_->limits.run.output_kb);
    std::vector<std::string_view> outputs;
    for (bad_output const& one : bad) {
        outputs.push_back(one.text);
    }
    std::vector<std::uint64_t> const seeds(outputs.size(), seeds_[0]);
    wall_clock const clock;
    std::vector<judgement_of_output> const judged = runs_.judge(outputs, seeds);
    std::string took = clock.text(), failed, accepted;
    for (std::size_t k = 0; k < judged.size(); ++k) {
        std::int32_t const code = judged[k].found.code;
        if (code == code_infrastructure) {
            throw error(status::device_unavailable, fmt::format("{} could not be run", of_->judge->file));
        }
        if (code == code_judge_failed || code == code_problem_fault) {
            failed += fmt::format("{}{} ({})", failed.empty() ? "" : "; ", bad[k].name, judged[k].reason);
        } else if (code == code_ok) {
            accepted += fmt::format("{}{}", accepted.empty() ? "" : ", ", bad[k].name);
        }
    }
    add("judge, no output breaks it", failed.empty(),
        failed.empty() ? fmt::format("{} outputs, {}", outputs.size(), took) : "fails on " + failed);
    std::size_t const scores = scores_in(judged);
    bool const accepts_all = scores == judged.size();
    add("judge, not content with everything", !accepts_all,
        accepts_all   ? std::string("every output gets a score")
        : scores == 0 ? fmt::format("{} outputs are wrong", outputs.size())
                      : fmt::format("{} of {} get a score: {}", scores, outputs.size(), accepted));
    if (expects_scores_ || scores > 0) {
        add("judge, can be satisfied", scored_ || scores > 0,
            scored_ || scores > 0 ? "a score was given" : "no output got a score");
    } else {
        note("judge, can be satisfied", "not shown: it takes a reference, or --good FILE");
    }
    if (!right_outputs_.empty()) {
        outputs.insert(outputs.end(), right_outputs_.begin(), right_outputs_.end());
    }
    std::vector<std::uint64_t> all(bad.size(), seeds_[0]);
    all.insert(all.end(), seeds_.begin(), seeds_.begin() + std::ptrdiff_t(right_outputs_.size()));
    bool const steady = same(runs_.judge(outputs, all), runs_.judge(outputs, all));
    add("judge, twice", steady,
        steady ? fmt::format("{} outputs, the same again", outputs.size()) : "one output is judged in two ways");
}

void problem_checks::check_hostile() {
    for (hostile_candidate const& one : hostile_candidates(folder_)) {
        tried found;
        try {
            found = attempt(programs::program_language::python, one.source, 1);
        } catch (field_error const& broken) {
            add("candidate " + one.name, false, broken.rule());
            continue;
        }
        std::string const name = "candidate " + one.name;
        if (!found.trouble.empty()) {
            add(name, false, found.trouble);
            continue;
        }
        bool const printed = found.ended[0].code == programs::run_code::ok;
        bool const held = !printed || (!one.must_print.empty() && found.ended[0].output == one.must_print);
        std::int32_t const code = found.judged[0].found.code;
        add(name, held && code != code_problem_fault,
            held ? said(found.judged[0]) : fmt::format("got through: {}", found.ended[0].output.substr(0, 80)));
    }
}

std::vector<problem_check> problem_checks::run(std::vector<known_candidate> const& candidates, std::int32_t instances) {
    done_.clear();
    if (!check_inputs(instances)) {
        return done_;
    }
    check_solvers();
    check_candidates(candidates);
    check_judge();
    check_hostile();
    return done_;
}

}  // namespace optgap::cli
