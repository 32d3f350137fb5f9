// An engine whose tasks' solvers lie refuses every baseline that they claim. This program has its own registry, so that
// no other sees these tasks.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/launch/define_task.hpp"
#include "kernels/registry/registry.hpp"
#include "kernels/tasks/clique/clique.hpp"
#include "kernels/tasks/coloring/coloring.hpp"
#include "optgap/engine.hpp"
#include "optgap/status.hpp"
#include "tests/faulty_tasks/planted_clique.hpp"

extern optgap::task_text const optgap_text_clique;
extern optgap::task_text const optgap_text_coloring;

namespace optgap {
namespace {

/// A claim to be falsified, with its answer.
struct claimed {
    task_kernels const& honest;
    words_view instance;
    std::int32_t* answer;
    solve_result result;

    /// The amount by which an objective improves.
    [[nodiscard]] std::int64_t gain() const { return honest.objective_sense == sense::maximise ? 1 : -1; }
    /// Claims the answer of the floor policy, honestly.
    void answer_floor() {
        std::vector<std::int32_t> scratch(std::size_t(honest.scratch_words(instance)) + 16);
        result.answer_words = honest.floor(instance, answer, scratch.data());
        result.objective = honest.verify(instance, {answer, result.answer_words}, scratch.data()).objective;
    }
};

using lie = void (*)(claimed&);
lie told = nullptr;

template <class Task>
task_kernels liar(char const* name) {
    task_kernels table = cpu_table<Task>(name);
    table.exact = [](words_view instance, solve_result start, search_slice slice, std::int32_t* answer,
                     std::int32_t* scratch) {
        task_kernels const honest = cpu_table<Task>("honest");
        claimed claim{honest, instance, answer, honest.exact(instance, start, slice, answer, scratch)};
        if (told != nullptr) {
            told(claim);
        }
        return claim.result;
    };
    return table;
}

/// The search's answer serves as the generator's knowledge.
std::int64_t plant(draw source, difficulty level, std::int32_t* answer, std::int32_t* scratch) {
    task_kernels const honest = cpu_table<tasks::clique::task>("honest");
    std::vector<std::int32_t> words(std::size_t(honest.instance_words(source, level)));
    honest.generate(source, level, words.data(), scratch);
    words_view const instance{words.data(), std::int64_t(words.size())};
    std::vector<std::int32_t> own(std::size_t(honest.exact_scratch_words(instance)) + 16);
    solve_result const best = honest.exact(instance, {}, {0, honest.default_budget}, answer, own.data());
    switch (told_plant) {
        case plant_lie::none: return best.answer_words;
        case plant_lie::nothing: return 0;
        case plant_lie::infeasible: answer[best.answer_words - 1] = -7; return best.answer_words;
        case plant_lie::no_block: answer[0] = 100'000; return best.answer_words;
        case plant_lie::too_long: return 100'001;
    }
    return 0;
}

task_kernels with_plant(task_kernels table) {
    table.planted_words = [](draw, difficulty) { return std::int64_t(100'000); };
    table.planted_scratch_words = table.generate_scratch_words;
    table.planted = plant;
    return table;
}

/// A maximising and a minimising task, with as many builds as there are instruction sets.
task_kernels const lying_clique = liar<tasks::clique::task>("clique");
task_kernels const lying_coloring = liar<tasks::coloring::task>("coloring");
task_kernels const planted_clique = with_plant(cpu_table<tasks::clique::task>("clique"));
task_kernels const* const planted_builds[] = {&planted_clique, nullptr};
task_kernels const* const clique_builds[] = {&lying_clique, nullptr};
task_kernels const* const coloring_builds[] = {&lying_coloring, nullptr};
task_entry const entries[] = {{"clique", clique_builds, &optgap_text_clique, nullptr},
                              {"coloring", coloring_builds, &optgap_text_coloring, nullptr},
                              {"clique", planted_builds, &optgap_text_clique, nullptr}};
constexpr char const* isa_names[] = {"isa_base"};

/// The engine's message on a solver's lie for either task; "" when it accepts the lie.
std::string said_of(lie now, std::int32_t task, std::int64_t budget = -1) {
    engine const by({.where = device::cpu, .threads = 1});
    std::vector<instance_spec> specs;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        specs.push_back({task, difficulty::benchmark(), split::test, seed});
    }
    instance_batch const instances = by.generate(specs);
    told = now;
    try {
        static_cast<void>(by.solve(instances.view(), budget));
        return "";
    } catch (error const& refused) {
        EXPECT_EQ(refused.code(), status::internal);
        return refused.what();
    }
}

void expect_refused(lie now, std::string const& reason, std::int64_t budget = -1) {
    for (std::int32_t const task : {0, 1}) {
        std::string const said = said_of(now, task, budget);
        EXPECT_NE(said.find(reason), std::string::npos) << "task " << task << " got: '" << said << "'";
        EXPECT_NE(said.find(": the solver claims status "), std::string::npos) << said;
    }
}

TEST(lying_solver, is_believed_when_it_does_not_lie) {
    for (std::int32_t const task : {0, 1}) {
        EXPECT_EQ(said_of(nullptr, task), "");
        EXPECT_EQ(said_of(nullptr, task, 0), "");
    }
}

TEST(lying_solver, claims_a_better_objective_than_its_answer_has) {
    expect_refused([](claimed& by) { by.result.objective = by.result.bound += by.gain(); },
                   "the objective is not the answer's");
    expect_refused([](claimed& by) { by.result.objective = by.result.bound -= by.gain(); },
                   "the objective is not the answer's");
}

TEST(lying_solver, gives_an_answer_that_is_none) {
    expect_refused([](claimed& by) { by.answer[by.result.answer_words - 1] = -7; },
                   "the objective is not the answer's");
}

TEST(lying_solver, claims_a_bound_that_its_own_answer_beats) {
    expect_refused([](claimed& by) { by.result.bound -= by.gain(); }, "the answer is better than the bound");
    expect_refused([](claimed& by) { by.result.bound = no_objective; }, "the answer is better than the bound");
}

TEST(lying_solver, claims_a_proof_where_bound_and_answer_do_not_meet) {
    expect_refused([](claimed& by) { by.result.bound += by.gain(); }, "the status says otherwise than the bound");
    expect_refused([](claimed& by) { by.result.status = baseline_status::bounded; },
                   "the status says otherwise than the bound");
    expect_refused([](claimed& by) { by.result.status = baseline_status::optimal; },
                   "the status says otherwise than the bound", 0);
}

TEST(lying_solver, gives_an_answer_to_what_it_calls_infeasible_or_unknown) {
    expect_refused([](claimed& by) { by.result.status = baseline_status::infeasible; },
                   "the status says otherwise than the answer");
    expect_refused([](claimed& by) { by.result.status = baseline_status::unknown; },
                   "the status says otherwise than the answer");
    expect_refused([](claimed& by) { by.result.status = baseline_status(7); },
                   "the status says otherwise than the answer");
}

TEST(lying_solver, claims_a_proof_without_an_answer) {
    expect_refused([](claimed& by) { by.result.answer_words = 0; }, "the status says otherwise than the answer");
}

TEST(lying_solver, claims_an_objective_without_an_answer) {
    expect_refused(
        [](claimed& by) {
            by.result.answer_words = 0;
            by.result.status = baseline_status::unknown;
        },
        "the objective is not the answer's");
}

/// A search that is given the optimum and returns a worse answer.
TEST(lying_solver, loses_its_start) {
    engine const by({.where = device::cpu, .threads = 1});
    for (std::int32_t const task : {0, 1}) {
        instance_batch const one =
            by.generate(std::vector<instance_spec>{{task, difficulty::benchmark(), split::test, 0}});
        told = nullptr;
        csr_words const best = by.solve(one.view()).answers;
        told = [](claimed& claim) {
            claim.answer_floor();
            claim.result.status = baseline_status::bounded;
            claim.result.bound = claim.result.objective + 1000 * claim.gain();
        };
        try {
            static_cast<void>(by.solve(one.view(), 10, best.view()));
            ADD_FAILURE() << "believed";
        } catch (error const& refused) {
            EXPECT_EQ(refused.code(), status::internal);
            EXPECT_NE(std::string(refused.what()).find("the start is lost"), std::string::npos) << refused.what();
        }
    }
}

TEST(lying_solver, names_a_kind_of_bound_that_is_none) {
    expect_refused([](claimed& by) { by.result.bound_kind = 1000; }, "the bound is of no kind that the task names");
    expect_refused([](claimed& by) { by.result.bound_kind = -1; }, "the bound is of no kind that the task names");
}

TEST(lying_solver, calls_optimal_what_greedy_beats) {
    expect_refused(
        [](claimed& by) {
            by.answer_floor();
            by.result.bound = by.result.objective;
        },
        "an anchor is better than the bound");
}

TEST(lying_solver, excludes_every_answer_although_greedy_has_one) {
    expect_refused([](claimed& by) { by.result = {.status = baseline_status::infeasible}; },
                   "an anchor is better than the bound");
}

}  // namespace

std::span<task_entry const> registry() { return entries; }
std::span<char const* const> instruction_sets() { return isa_names; }

}  // namespace optgap
