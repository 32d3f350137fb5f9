// Texts of partition.

#include "kernels/families/labels/parts_text.hpp"
#include "kernels/tasks/partition/partition.hpp"

namespace partition_text {

using optgap::words_view;
using optgap::tasks::partition::task;

struct words : optgap::families::parts_text<task> {
    static constexpr optgap::answer_terms terms =
        terms_with("a list of k lists with the positions of the values", "it has k lists, of which some may be empty");
    static std::string picture(char const* title, words_view on, words_view answer) {
        return optgap::families::draw_parts(title, on, answer, task::root_bound(on, nullptr));
    }
    static constexpr optgap::symmetry const* twins = nullptr;
};

constexpr optgap::symmetry relabels{
    .axes = {{.name = "item"}},
    .fields = {{.name = "values", .rows = "item"}},
    .answer = {.names = {"item"}},
};

constexpr optgap::declarative_text says{
    .title = "Number partitioning",
    .summary = "numbers shared out among k parts so that the largest sum of a part is least",
    .category = "packing",
    .objective = "largest sum of a part",
    .singular = "position",
    .plural = "positions",
    .prompts =
        {"Divide the {n} numbers below into exactly {number} parts, so that every number is in exactly one part and "
         "the largest of the sums of the parts is as small as possible.\n\nThe numbers, each after its position:\n"
         "{lines}\nAnswer with a list of {number} lists, one for each part, which hold the positions (0 to {last}) of "
         "its numbers, not the numbers themselves. The order of the parts, and within them, does not matter.\n",
         "A team of {number} people has {n} jobs to do today. Job i, counted from 0, takes the i-th of these numbers "
         "of "
         "minutes: {sizes}. Each job is done by one person from begin to end, everybody starts at once and does one "
         "job after the other, and the team goes home when the last of them has finished. Share the jobs out so that "
         "this happens as early as possible. Write, for each person, the list of that person's jobs, all {number} "
         "lists in one list; somebody without a job gets an empty list.\n",
         "k-way number partitioning, minimise the maximum subset sum.\nk = {number}\nv = {sizes}\n\nOutput k lists of "
         "0-based indices into v that together hold each index exactly once.\n",
         "Files #0 to #{last} with their sizes in MB: {pairs}.\n\nThey are to be copied, none of them split, onto "
         "{number} discs that are alike. What size do the discs need at least? Show it by an assignment whose fullest "
         "disc holds as little as can be: a list with one list of file numbers for each of the {number} discs, with "
         "every file on one disc.\n",
         "Balance {number} scales. You have weights\n\n{lines}\n(number: grams) and must put each of them on one of "
         "the "
         "scales, so that the scale with the largest load shows as few grams as possible. The reply is a list of "
         "{number} lists of weight numbers, scale by scale.\n",
         "{instance}\n\nPartition the indices of `values`, counted from 0, into k lists (they may be empty), every "
         "index in exactly one of them, such that the maximum over the lists of the sum of the values at their indices "
         "is minimal. Return the list of the k lists.\n"},
    .sentences = {"Values are left out: {violation} of {violation_max} stand in no part."},
    .examples = {{R"({"k": 2, "values": [5, 4, 3, 2, 2]})", "[[0, 2], [1, 3, 4]]", "ok", 8},
                 {"", "[[4, 3, 1], [2, 0]]", "ok", 8},
                 {"", "[[0, 1], [2, 3, 4]]", "ok", 9},
                 {"", "[[0, 1, 2, 3, 4], []]", "ok", 16},
                 {"", "[[0, 2], [1, 3]]", "missing_item"},
                 {"", "[[], []]", "missing_item"},
                 {"", "[[0, 2], [1, 3, 4, 0]]", "repeated"},
                 {"", "[[5, 3], [4, 2, 2]]", "out_of_range"},
                 {"", "[[0, 2], [1, 3], [4]]", "wrong_length"},
                 {"", "[[0, 1, 2, 3, 4]]", "wrong_length"},
                 {"", "[0, 1, 0, 1, 1]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"k": 3, "values": [7]})", "[[], [0], []]", "ok", 7},
                 {R"({"k": 2, "values": [3, 0]})", "values[1]", "refused"},
                 {R"({"k": 0, "values": [3]})", "k", "refused"},
                 {R"({"k": 2, "values": []})", "values", "refused"}},
    .twins = &relabels,
    .tags = {"numbers", "partitioning"},
    .rlve = {"KPartition"},
    .reward = R"({"shape": "normalized", "from": "greedy"})",
};

}  // namespace partition_text

extern optgap::task_text const optgap_text_partition;
optgap::task_text const optgap_text_partition =
    optgap::declarative_task_text<partition_text::task, partition_text::words, partition_text::says>();
