// Texts of flow_shop.

#include "kernels/families/order/order_text.hpp"
#include "kernels/tasks/flow_shop/flow_shop.hpp"

namespace optgap::text::flow_shop {
std::vector<std::int32_t> read_flow(std::string_view text);  // flow_shop_files.cpp
}

namespace flow_shop_text {

using optgap::tasks::flow_shop::task;

constexpr optgap::symmetry relabels{
    .axes = {{.name = "job"}},
    .fields = {{.name = "times", .rows = "job"}},
    .answer = {.names = {"job"}},
};

struct words : optgap::families::order_text<task> {
    static constexpr optgap::symmetry const* twins = &relabels;
};

void append_machines(std::string& text, optgap::words_view on) { optgap::append_integer(text, on[1]); }

/// "job 0: 3 1 2", a line each.
void append_jobs(std::string& text, optgap::words_view on) {
    std::int32_t const m = on[1];
    for (std::int32_t j = 0; j < on[0]; ++j) {
        text += "job " + std::to_string(j) + ":";
        for (std::int32_t k = 0; k < m; ++k) {
            text += ' ';
            optgap::append_integer(text, on[2 + j * m + k]);
        }
        text += '\n';
    }
}

/// "station 0: 3 1 2", one line for each machine, by job.
void append_columns(std::string& text, optgap::words_view on) {
    std::int32_t const m = on[1];
    for (std::int32_t k = 0; k < m; ++k) {
        text += "station " + std::to_string(k) + ":";
        for (std::int32_t j = 0; j < on[0]; ++j) {
            text += ' ';
            optgap::append_integer(text, on[2 + j * m + k]);
        }
        text += '\n';
    }
}

void append_table(std::string& text, optgap::words_view on) {
    optgap::families::append_rows(text, on.data + 2, on[0], on[1]);
}

constexpr optgap::file_format files[] = {
    {".fsp", optgap::text::flow_shop::read_flow}, {".txt", optgap::text::flow_shop::read_flow}, {nullptr, nullptr}};

constexpr optgap::declarative_text says{
    .title = "Flow shop",
    .summary = "jobs that pass all machines one after the other, in an order so that the last one is done soonest",
    .category = "scheduling",
    .objective = "makespan",
    .singular = "job",
    .plural = "jobs",
    .prompts =
        {"A line of {m} machines does {n} jobs, numbered 0 to {last}. Every job goes through the machines in the order "
         "0, 1, and so on. A machine works on one job at a time and never interrupts it, and all machines "
         "take the jobs in the same order; a job begins on a machine as soon as that machine is free and the job has "
         "left the machine before. These are the times of each job on machine 0, 1, ...:\n\n{jobs}\nWork begins at "
         "time 0. Find the order of the jobs in which the last job leaves the last machine soonest, and answer with "
         "the list of all jobs from first to last.\n",
         "A laundry has {m} stations in a row, and {n} bundles wait in front of it, with the numbers 0 to {last}. A "
         "bundle is treated at station 0, then at station 1, and so on to the end. No station holds two bundles at "
         "once, and bundles cannot overtake each other, but they may wait between stations. Minutes at each station, "
         "for bundle 0, 1, ...:\n\n{stations}\nIn which order should the bundles be sent through so that the whole "
         "laundry is finished as early as possible? List all their numbers.\n",
         "Permutation flow shop, minimise the makespan.\n\nprocessing times, a row per job and a column per "
         "machine:\n{table}\nFor a permutation p of the jobs 0 to {last}, C(i, k) = max(C(i - 1, k), C(i, k - 1)) + "
         "time of job p(i) on machine k, where C is 0 outside of the table; the makespan is C of the last job on the "
         "last machine. Give a permutation of least makespan.\n",
         "Rows are parts, columns are the steps that each part takes, from left to right; an entry says how many "
         "seconds a step needs.\n\n{table}\nEvery step is done at a desk of its own by one clerk, part by part, and "
         "every clerk keeps to one and the same sequence of the {n} parts (rows count from 0). A clerk starts a part "
         "when the clerk before is done with it and the own desk is empty. Choose the sequence that ends the last "
         "step of the last part at the earliest second, and write it as a list of row numbers.\n",
         "{instance}\n\nIn the object above, times[j][k] is how long job j occupies machine k. All jobs visit machines "
         "0, 1, 2, ... in this order; each machine handles the jobs one by one, without a break in a job, and in the "
         "same sequence as every other machine. Return the permutation of the indices of `times`, counted from 0, "
         "whose last completion time is smallest.\n"},
    .sentences = {},
    .examples = {{R"({"times": [[3, 1, 2], [1, 3, 3], [2, 2, 1]]})", "[1, 0, 2]", "ok", 10},
                 {"", "[1, 2, 0]", "ok", 10},
                 {"", "[0, 1, 2]", "ok", 11},
                 {"", "[0, 2, 1]", "ok", 13},
                 {"", "[1, 0]", "wrong_length"},
                 {"", "[1, 0, 2, 1]", "wrong_length"},
                 {"", "[1, 0, 3]", "out_of_range"},
                 {"", "[1, 0, 1]", "repeated"},
                 {"", "[[1, 0, 2]]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"times": [[0, 5]]})", "[0]", "ok", 5},
                 {R"({"times": [[1, 2], [3, -1]]})", "times[1][1]", "refused"},
                 {R"({"times": [[1, 2], [3]]})", "times[1]", "refused"}},
    .fillers = {{"m", append_machines}, {"jobs", append_jobs}, {"stations", append_columns}, {"table", append_table}},
    .tags = {"scheduling", "permutation"},
    .rlve = {"PipelineArrangement"},
    .expensive_steps = 16,
    .files = files,
};

}  // namespace flow_shop_text

extern optgap::task_text const optgap_text_flow_shop;
optgap::task_text const optgap_text_flow_shop =
    optgap::declarative_task_text<flow_shop_text::task, flow_shop_text::words, flow_shop_text::says>();
