#include "tests/support/relabel_property.hpp"

#include "kernels/text/relabel.hpp"
#include "tests/support/sample.hpp"

namespace optgap::testing {
namespace {

words_view view_of(std::span<std::int32_t const> row) { return {row.data(), std::int64_t(row.size())}; }

std::string unlike(std::string const& what, std::int64_t row) { return what + ", row " + std::to_string(row); }

/// Compares the optima where both are proven.
std::string other_optimum(solved_batch const& there, solved_batch const& here) {
    for (std::size_t r = 0; r < there.rows.size(); ++r) {
        bool const both = there.rows[r].proven() && here.rows[r].proven();
        if (both &&
            (there.rows[r].status != here.rows[r].status || there.rows[r].objective != here.rows[r].objective)) {
            return unlike("the twin has another optimum", std::int64_t(r));
        }
    }
    return "";
}

/// Where little is proven, a long search gives the property tests no more than a short one.
std::int64_t budget_of(std::int32_t task) { return abilities_of(task).proves || long_form() ? -1 : 5000; }

}  // namespace

answered_instances answered_cases(std::int32_t task, std::int64_t mutations) {
    answered_instances made;
    made.task = task;
    made.instances = small_instances(task, repeats(3));
    std::vector<instance_spec> const more = {{task, difficulty::easy(), split::train, 5},
                                             {task, difficulty::easy(), split::val, 5},
                                             {task, difficulty::hard(), split::train, 1},
                                             {task, difficulty::benchmark(), split::val, 2}};
    instance_batch const others = cpu_engine().generate(more);
    for (std::int64_t r = 0; r < others.size(); ++r) {
        made.instances.append(task, others.blocks.row(r));
    }
    made.solved = cpu_engine().solve(made.instances.view(), budget_of(task));
    std::mt19937_64 random(17);
    for (std::int64_t i = 0; i < made.instances.size(); ++i) {
        for (words const& answer : answers_for(task, made.instances.blocks.row(i), mutations, random)) {
            made.answers.append(answer);
            made.instance_of.push_back(std::int32_t(i));
        }
    }
    return made;
}

std::string breach_of_equivariance(task_text const& says, answered_instances const& cases, std::uint64_t seed) {
    instance_batch twins;
    std::vector<label_words> labels;
    try {
        for (std::int64_t i = 0; i < cases.instances.size(); ++i) {
            std::span<std::int32_t const> const original = cases.instances.blocks.row(i);
            twin const made = twin_of(says, view_of(original), {seed, std::uint32_t(i)});
            cpu_engine().check(cases.task, made.instance);
            twins.append(cases.task, made.instance);
            labels.push_back(made.labels);
        }
    } catch (error const& refused) {
        return std::string("the twin is no instance: ") + refused.what();
    }
    csr_words moved;
    for (std::int64_t r = 0; r < cases.answers.rows(); ++r) {
        label_words const& own = labels[std::size_t(cases.instance_of[std::size_t(r)])];
        words there;
        answer_labels(says, view_of(own), direction::forth).append(view_of(cases.answers.row(r)), there);
        words back;
        answer_labels(says, view_of(own), direction::back).append(view_of(there), back);
        if (back != words(cases.answers.row(r).begin(), cases.answers.row(r).end())) {
            return unlike("there and back is not the identity", r);
        }
        moved.append(there);
    }
    std::vector<verdict> const there =
        cpu_engine().verify(cases.instances.view(), cases.answers.view(), cases.instance_of);
    std::vector<verdict> here = cpu_engine().verify(twins.view(), moved.view(), cases.instance_of);
    for (std::size_t r = 0; r < there.size(); ++r) {
        here[r].where = there[r].where;
        if (here[r] != there[r]) {
            return unlike("another verdict: " + answer_text(cases.answers.row(std::int64_t(r))) + " became " +
                              answer_text(moved.row(std::int64_t(r))),
                          std::int64_t(r));
        }
    }
    return other_optimum(cases.solved, cpu_engine().solve(twins.view(), budget_of(cases.task)));
}

}  // namespace optgap::testing
