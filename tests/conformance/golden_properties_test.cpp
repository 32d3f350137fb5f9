// Frozen rows: a key must reproduce the same instance, and its answer, verdict and baseline must stay the same.

#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "tests/support/source_folder.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

class golden_properties : public ::testing::TestWithParam<std::int32_t> {};
INSTANTIATE_TEST_SUITE_P(tasks, golden_properties, ::testing::ValuesIn(all_tasks()), task_name);

std::int64_t or_none(nlohmann::json const& value) { return value.is_null() ? no_objective : value.get<std::int64_t>(); }

/// An answer of the greedy policy with mistakes, as JSON.
std::string noisy_answer(instance_batch const& batch) {
    csr_words const answers = cpu_engine().noisy_greedy(batch.view(), 1);
    if (answers.row(0).empty()) {
        return "null";
    }
    return answer_text(answers.row(0));
}

TEST_P(golden_properties, frozen_rows_have_not_moved) {
    task_info const& info = cpu_engine().tasks()[std::size_t(GetParam())];
    std::filesystem::path const path = source_folder() / "kernels" / "tasks" / info.name / "golden.jsonl";
    std::ifstream file(path);
    if (!file) {
        GTEST_SKIP() << "no frozen rows yet: tools/freeze_golden.py " << info.name << " writes " << path;
    }
    std::string line;
    std::int64_t rows = 0;
    while (std::getline(file, line)) {
        ++rows;
        nlohmann::json const row = nlohmann::json::parse(line);
        instance_key const key = parse_key(row["key"].get<std::string>());
        instance_spec const spec = cpu_engine().spec_of(key);
        instance_batch const batch = cpu_engine().generate({&spec, 1});
        ASSERT_EQ(hex8(hash_words(batch.blocks.row(0))), key.hash) << "row " << rows << ": the generator has changed";

        csr_words answers;
        std::vector<std::int32_t> block;
        ASSERT_EQ(
            parse_answer(row["answer"].dump(), syntax_of(*registry()[std::size_t(GetParam())].text), block).answer_code,
            code_ok);
        answers.append(block);
        verdict const found = cpu_engine().verify(batch.view(), answers.view())[0];
        EXPECT_EQ(cpu_engine().code_name(GetParam(), found.code), row["code"]) << "row " << rows;
        EXPECT_EQ(found.feasible() ? found.objective : no_objective, or_none(row["objective"])) << "row " << rows;
        EXPECT_EQ(found.where, row["where"]) << "row " << rows;
        EXPECT_EQ(found.violation, row["violation"]) << "row " << rows;
        EXPECT_EQ(found.violation_max, row["violation_max"]) << "row " << rows;

        if (row.contains("baseline")) {
            baseline const solved = cpu_engine().solve(batch.view()).rows[0];
            nlohmann::json const& frozen = row["baseline"];
            EXPECT_EQ(solved.objective, or_none(frozen["objective"])) << "row " << rows;
            EXPECT_EQ(solved.bound, or_none(frozen["bound"])) << "row " << rows;
            EXPECT_EQ(solved.proven(), frozen["proven"]) << "row " << rows;
            EXPECT_EQ(solved.floor, or_none(frozen["floor"])) << "row " << rows;
            EXPECT_EQ(solved.greedy, or_none(frozen["greedy"])) << "row " << rows;
            EXPECT_EQ(solved.steps, frozen["steps"]) << "row " << rows;
            EXPECT_EQ(nlohmann::json::parse(noisy_answer(batch)), row["noisy"]) << "row " << rows;
        }
    }
    EXPECT_GE(rows, 20);
}

}  // namespace
}  // namespace optgap::testing
