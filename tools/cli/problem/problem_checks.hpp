#pragma once
// What `optgap problem check` tries: the author's programs on their own, the judge on outputs that no right program
// prints, and candidates that are wrong, slow or hostile.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/programs/own/own_problem_runs.hpp"

namespace optgap::cli {

enum class check_outcome { passed, failed, noted };  ///< noted: nothing to be shown by this problem

struct problem_check {
    std::string name;
    check_outcome outcome = check_outcome::passed;
    std::string found;
};

/// A program whose place in the order of scores its author knows.
struct known_candidate {
    std::string file;
    programs::program_language language = programs::program_language::python;
    std::string source;
    bool good = false;  ///< valid on every instance; else invalid on one at least
};

class problem_checks {
public:
    /// `folder` is absolute; hostile candidates look for it.
    problem_checks(std::shared_ptr<programs::own_problem const> of, programs::sandbox_of_language in,
                   std::string folder)
        : of_(std::move(of)), in_(std::move(in)), folder_(std::move(folder)), runs_(of_, in_) {}

    /// Every check, in order; those that need an earlier one are left out where that failed. Throws
    /// error{device_unavailable} for a fault of the machine.
    std::vector<problem_check> run(std::vector<known_candidate> const& candidates, std::int32_t instances);

private:
    struct tried {
        std::string trouble;  ///< of the compiler; then the others are empty
        std::vector<programs::run_result> ended;
        std::vector<programs::judgement_of_output> judged;  ///< of every instance
    };

    bool check_inputs(std::int32_t instances);
    bool check_solvers();
    void check_direction(tried const& reference, tried const& floor);
    void check_candidates(std::vector<known_candidate> const& candidates);
    void check_judge();
    void check_hostile();
    [[nodiscard]] tried attempt(programs::program_language language, std::string_view source, std::size_t instances);
    void add(std::string name, bool passed, std::string found) {
        done_.push_back({std::move(name), passed ? check_outcome::passed : check_outcome::failed, std::move(found)});
    }
    void note(std::string name, std::string found) {
        done_.push_back({std::move(name), check_outcome::noted, std::move(found)});
    }

    std::shared_ptr<programs::own_problem const> of_;
    programs::sandbox_of_language in_;
    std::string folder_;
    programs::own_problem_runs runs_;
    std::vector<std::uint64_t> seeds_;
    std::vector<std::string> right_outputs_;  ///< of the reference, one an instance; empty without one
    bool scored_ = false;                     ///< some output got a score
    bool expects_scores_ = false;             ///< some program that ran is known to be right
    std::vector<problem_check> done_;
};

}  // namespace optgap::cli
