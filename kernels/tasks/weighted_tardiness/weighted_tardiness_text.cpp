// Texts of weighted_tardiness.

#include "kernels/families/order/order_text.hpp"
#include "kernels/tasks/weighted_tardiness/weighted_tardiness.hpp"

namespace weighted_tardiness_text {

using optgap::tasks::weighted_tardiness::task;

constexpr optgap::symmetry relabels{
    .axes = {{.name = "job"}},
    .fields = {{.name = "times", .rows = "job"}, {.name = "weights", .rows = "job"}, {.name = "due", .rows = "job"}},
    .answer = {.names = {"job"}},
};

struct words : optgap::families::order_text<task> {
    static constexpr optgap::symmetry const* twins = &relabels;
};

/// "job 0: time 3, weight 2, due 9", a line each.
void append_jobs(std::string& text, optgap::words_view on) {
    std::int32_t const n = on[0];
    for (std::int32_t j = 0; j < n; ++j) {
        text += "job " + std::to_string(j) + ": time " + std::to_string(on[1 + j]) + ", weight " +
                std::to_string(on[1 + n + j]) + ", due " + std::to_string(on[1 + 2 * n + j]) + "\n";
    }
}

template <std::int32_t Which>
void append_field(std::string& text, optgap::words_view on) {
    optgap::append_list(text, on.data + 1 + Which * on[0], on[0]);
}

constexpr optgap::declarative_text says{
    .title = "Weighted tardiness",
    .summary = "jobs in an order on one machine so that their weighted lateness is least",
    .category = "scheduling",
    .objective = "weighted tardiness",
    .singular = "job",
    .plural = "jobs",
    .prompts =
        {"One machine does {n} jobs, numbered 0 to {last}, one after the other, from time 0 and without a pause. A job "
         "that ends after its due date is late by the difference, and costs its weight times that; a job that ends in "
         "time costs nothing.\n\n{jobs}\nFind the order of all jobs that costs least in total, and answer with the "
         "list of the jobs from first to last.\n",
         "A workshop has promised {n} repairs and has one bench. Repair i, counted from 0, takes the i-th of these "
         "numbers of hours: {times}. It was promised for the hour {due}, again in the order of the repairs, and each "
         "hour of delay after that is fined by {weights}. Work begins at hour 0 and never rests.\n\nIn which order "
         "should the repairs be done so that the fines together are smallest? List all their numbers.\n",
         "Minimise the total weighted tardiness on a single machine.\n\nprocessing times: {times}\nweights: "
         "{weights}\ndue dates: {due}\n\nThe jobs are 0 to {last}; all are there at time 0, no job is interrupted. "
         "Job j that ends at C costs weight * max(0, C - due). Give a sequence of all jobs.\n",
         "You are to send {n} files, 0 to {last}, through a line that takes one at a time, back to back from second "
         "0.\n\n{jobs}\nHere time is how many seconds a file takes, due is the second by which it should have "
         "arrived, and weight is what every second of being late costs. An early file earns nothing. Write all file "
         "numbers in the order of sending that keeps the sum of the costs lowest.\n",
         "{instance}\n\nThe object above describes jobs for one machine. In an order, a job ends at the sum of the "
         "`times` of all jobs up to it, itself included; the order costs the sum of weights[j] * max(0, end of j - "
         "due[j]). Return a permutation of the indices, counted from 0, of least cost.\n"},
    .sentences = {},
    .examples = {{R"({"times": [2, 3, 1], "weights": [1, 2, 9], "due": [2, 3, 1]})", "[2, 1, 0]", "ok", 6},
                 {"", "[2, 0, 1]", "ok", 7},
                 {"", "[0, 1, 2]", "ok", 49},
                 {"", "[2, 1]", "wrong_length"},
                 {"", "[2, 1, 0, 2]", "wrong_length"},
                 {"", "[2, 1, 3]", "out_of_range"},
                 {"", "[2, 1, 2]", "repeated"},
                 {"", "[[2, 1, 0]]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"times": [4], "weights": [5], "due": [9]})", "[0]", "ok", 0},
                 {R"({"times": [4, 0], "weights": [5, 5], "due": [9, 9]})", "times[1]", "refused"},
                 {R"({"times": [4, 1], "weights": [5], "due": [9, 9]})", "weights", "refused"}},
    .fillers = {{"jobs", append_jobs},
                {"times", append_field<0>},
                {"weights", append_field<1>},
                {"due", append_field<2>}},
    .tags = {"scheduling", "permutation"},
    .expensive_steps = 8,
};

}  // namespace weighted_tardiness_text

extern optgap::task_text const optgap_text_weighted_tardiness;
optgap::task_text const optgap_text_weighted_tardiness =
    optgap::declarative_task_text<weighted_tardiness_text::task, weighted_tardiness_text::words,
                                  weighted_tardiness_text::says>();
