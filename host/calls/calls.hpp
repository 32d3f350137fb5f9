#pragma once
// The calls behind the engine's public verbs. The daemon serves them all: `fields` names what goes over the wire, in
// order, and `made_by` is the public verb, which the daemon runs.

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "host/calls/call_list.hpp"
#include "host/calls/data_place.hpp"
#include "host/calls/verb.hpp"
#include "optgap/engine.hpp"

namespace optgap {

struct generate_call {
    using result = instance_batch;
    static constexpr verb which = verb::generate;

    std::span<instance_spec const> specs = {};

    [[nodiscard]] std::int64_t rows() const { return std::int64_t(specs.size()); }
    [[nodiscard]] data_place data() const { return place_of(specs); }
    [[nodiscard]] result made_by(engine const& by) const { return by.generate(specs); }
    static auto fields(auto& call) { return std::tie(call.specs); }
};

struct verify_call {
    using result = std::vector<verdict>;
    static constexpr verb which = verb::verify;

    instance_view instances = {};
    csr_view answers = {};
    std::span<std::int32_t const> instance_of = {};  ///< per answer; empty: answer r is of instance r

    [[nodiscard]] std::int64_t rows() const { return answers.rows; }
    [[nodiscard]] data_place data() const { return place_of(instances.blocks) + place_of(answers); }
    [[nodiscard]] result made_by(engine const& by) const { return by.verify(instances, answers, instance_of); }
    static auto fields(auto& call) { return std::tie(call.instances, call.answers, call.instance_of); }
};

struct greedy_call {
    using result = csr_words;
    static constexpr verb which = verb::greedy;

    instance_view instances = {};

    [[nodiscard]] std::int64_t rows() const { return instances.blocks.rows; }
    [[nodiscard]] data_place data() const { return place_of(instances.blocks); }
    [[nodiscard]] result made_by(engine const& by) const { return by.greedy(instances); }
    static auto fields(auto& call) { return std::tie(call.instances); }
};

struct improve_call {
    using result = improved_batch;
    static constexpr verb which = verb::improve;

    instance_view instances = {};
    csr_view answers = {};
    std::span<std::int32_t const> instance_of = {};  ///< as in verify_call
    std::int64_t steps = 0;
    std::uint64_t seed = 0;

    [[nodiscard]] std::int64_t rows() const { return answers.rows; }
    [[nodiscard]] data_place data() const { return place_of(instances.blocks) + place_of(answers); }
    [[nodiscard]] result made_by(engine const& by) const {
        return by.improve(instances, answers, steps, seed, instance_of);
    }
    static auto fields(auto& call) {
        return std::tie(call.instances, call.answers, call.instance_of, call.steps, call.seed);
    }
};

struct solve_call {
    using result = solved_batch;
    static constexpr verb which = verb::solve;

    instance_view instances = {};
    std::int64_t budget = -1;
    csr_view starts = {};  ///< per instance, an empty row for none; no rows: none at all

    [[nodiscard]] std::int64_t rows() const { return instances.blocks.rows; }
    [[nodiscard]] result made_by(engine const& by) const { return by.solve(instances, budget, starts); }
    /// The start of row r; empty when it has none.
    [[nodiscard]] std::span<std::int32_t const> start(std::int64_t r) const {
        return starts.rows == 0 ? std::span<std::int32_t const>() : starts.row(r);
    }
    static auto fields(auto& call) { return std::tie(call.instances, call.budget, call.starts); }
};

struct grade_call {
    using result = grade_batch;
    static constexpr verb which = verb::grade;

    grade_request request = {};

    [[nodiscard]] std::int64_t rows() const { return std::int64_t(request.texts.size()); }
    [[nodiscard]] result made_by(engine const& by) const { return by.grade(request); }
    static auto fields(auto& call) {
        auto& of = call.request;
        return std::tie(of.instances, of.baselines, of.instance_of, of.length, of.format_of, of.finished, of.formats,
                        of.reward, of.texts);
    }
};

/// The calls that executors run. The engine itself runs proofs and grades.
using shared_calls = call_list<generate_call, verify_call, greedy_call, improve_call>;
using served_calls = append<shared_calls, solve_call, grade_call>;

[[nodiscard]] constexpr bool is_served(verb which) {
    bool found = false;
    for_each_call(served_calls{}, [&]<class Call>() { found = found || Call::which == which; });
    return found;
}

/// For code in which a null pointer means "row r is of instance r".
[[nodiscard]] inline std::int32_t const* rows_or_null(std::span<std::int32_t const> instance_of) {
    return instance_of.empty() ? nullptr : instance_of.data();
}

}  // namespace optgap
