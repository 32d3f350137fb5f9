#pragma once
// Runs the programs of a problem's author: the generator for inputs, the judge for outputs, the reference for
// baselines.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "host/programs/instance_set.hpp"
#include "host/programs/own/own_problem.hpp"

namespace optgap::programs {

using sandbox_of_language = std::function<sandbox&(program_language)>;

/// What a judge says of one output.
struct judgement_of_output {
    /// code_ok with the objective, code_judged_wrong, code_judge_failed, code_problem_fault or code_infrastructure.
    verdict found;
    std::string reason;  ///< the judge's words behind "wrong"; or the fault, which names the program
};

/// One problem and what is known of its instances. An instance is a seed or, of a problem with tests, a test's index.
/// One thread at a time.
class own_problem_runs {
public:
    own_problem_runs(std::shared_ptr<own_problem const> of, sandbox_of_language in)
        : of_(std::move(of)), in_(std::move(in)) {}

    [[nodiscard]] own_problem const& problem() const { return *of_; }
    /// Makes the inputs that are not known yet. Throws field_error{"problem", …} where the generator fails, and
    /// error{device_unavailable} for a fault of the machine.
    void prepare(std::span<std::uint64_t const> seeds, std::stop_token stop = {});
    /// Of a prepared instance.
    [[nodiscard]] std::string const& input(std::uint64_t seed) const;
    /// The objectives of the reference and the floor on each, without a bound; unknown where the problem has no
    /// reference. Throws as `prepare` does, also where the judge refuses their outputs.
    [[nodiscard]] std::vector<baseline> baselines(std::span<std::uint64_t const> seeds, std::stop_token stop = {});
    /// Judges outputs for prepared instances. A judge that fails on one is the output's fault (code_judge_failed) where
    /// it judges the reference's output to the instance or, without a reference, the expected or an empty output;
    /// otherwise it is the author's (code_problem_fault).
    [[nodiscard]] std::vector<judgement_of_output> judge(std::span<std::string_view const> outputs,
                                                         std::span<std::uint64_t const> seeds,
                                                         std::stop_token stop = {});
    /// Bytes of the problem's texts and of what was made for its instances.
    [[nodiscard]] std::size_t kept_bytes() const;

private:
    using objectives = std::map<std::uint64_t, std::int64_t>;  ///< by seed

    /// Runs an author's program that solves the problem on those seeds that `known` lacks.
    void solve_by(problem_program const& solver, std::span<std::uint64_t const> seeds, objectives& known,
                  std::stop_token stop);
    /// What the judge says, without a decision on whose fault a failure is.
    [[nodiscard]] std::vector<judgement_of_output> ask_judge(std::span<std::string_view const> outputs,
                                                             std::span<std::uint64_t const> seeds,
                                                             std::stop_token stop);
    /// The code of an output to the instance on which the judge failed.
    [[nodiscard]] std::int32_t failure_code(std::uint64_t seed, std::stop_token stop);
    [[nodiscard]] program_handle const& ready(problem_program const& which, std::stop_token stop);
    [[nodiscard]] judgement_of_output compared(std::string_view output, problem_test const& test) const;
    [[nodiscard]] judgement_of_output read_judgement(run_result const& ended) const;

    std::shared_ptr<own_problem const> of_;
    sandbox_of_language in_;
    std::map<std::string, program_handle> ready_;  ///< by file
    std::map<std::uint64_t, std::string> inputs_;
    std::size_t input_bytes_ = 0;
    objectives references_, floors_;
    std::map<std::uint64_t, std::int32_t> failure_codes_;  ///< of instances whose judge failed once
};

/// The instances of several such problems in one call. `runs` and `seeds` have an entry per instance.
class judged_instances final : public instance_set {
public:
    struct entry {
        own_problem_runs* runs;
        std::uint64_t seed;
    };
    explicit judged_instances(std::vector<entry> all, std::stop_token stop = {})
        : all_(std::move(all)), stop_(std::move(stop)) {}

    [[nodiscard]] std::int64_t size() const override { return std::int64_t(all_.size()); }
    [[nodiscard]] std::string const& input(std::int64_t instance, input_form) override {
        return all_[std::size_t(instance)].runs->input(all_[std::size_t(instance)].seed);
    }
    [[nodiscard]] std::vector<verdict> verify(std::span<run_result const> ended,
                                              std::span<std::int64_t const> instance_of) override;
    /// The sentence of a verdict with code_problem_fault, which names it by `where`.
    [[nodiscard]] std::string const& fault(verdict const& found) const { return faults_[std::size_t(found.where)]; }

private:
    std::vector<entry> all_;
    std::stop_token stop_;
    std::vector<std::string> faults_;
};

}  // namespace optgap::programs
