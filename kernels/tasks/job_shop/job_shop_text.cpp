// Texts of job_shop.

#include <string>
#include <vector>

#include "kernels/families/order/order_text.hpp"
#include "kernels/tasks/job_shop/job_shop.hpp"

namespace optgap::text::job_shop {
std::vector<std::int32_t> read_shop(std::string_view text);  // job_shop_files.cpp
}

namespace job_shop_text {

using optgap::append_integer;
using optgap::tasks::job_shop::shop_view;
using optgap::tasks::job_shop::task;

constexpr optgap::symmetry relabels{
    .axes = {{.name = "job"}, {.name = "machine", .count = "m"}},
    .fields = {{.name = "machines", .rows = "job", .names = {"machine"}}, {.name = "times", .rows = "job"}},
    .answer = {.names = {"job"}},
};

/// One line for each machine from time 0 to the end, with the jobs on it; operations that cannot be scheduled are left
/// out. Without an answer, one line for each job with its machines.
std::string draw_schedule(char const* title, optgap::words_view on, optgap::words_view answer) {
    shop_view const shop(on);
    optgap::answer_view const list = optgap::view_answer(answer);
    std::vector<std::int64_t> free(std::size_t(shop.machines));
    std::vector<std::int64_t> ready(std::size_t(shop.jobs));
    std::vector<std::int32_t> stage(std::size_t(shop.jobs));
    struct box {
        std::int32_t line;
        std::int64_t start;
        std::int32_t time;
        std::int32_t words;
    };
    std::vector<box> boxes;
    std::int64_t span = 1;
    bool const scheduled = list.count > 0;
    for (std::int32_t i = 0; i < (scheduled ? list.count : shop.operations()); ++i) {
        std::int32_t const job = scheduled ? list.values[i] : i / shop.stages;
        if (job < 0 || job >= shop.jobs || stage[std::size_t(job)] == shop.stages) {
            continue;
        }
        std::int32_t const own = job * shop.stages + stage[std::size_t(job)]++;
        std::int64_t& own_free = free[std::size_t(shop.machine[own])];
        std::int64_t& own_ready = ready[std::size_t(job)];
        std::int64_t const start = scheduled && own_free > own_ready ? own_free : own_ready;
        boxes.push_back(
            {scheduled ? shop.machine[own] : job, start, shop.time[own], scheduled ? job : shop.machine[own]});
        own_free = own_ready = start + shop.time[own];
        span = own_ready > span ? own_ready : span;
    }
    constexpr double width = 640;
    constexpr double pitch = 24;
    double const scale = width / double(span);
    optgap::svg out(40 + width, 10 + pitch * (scheduled ? shop.machines : shop.jobs), title);
    for (std::int32_t line = 0; line < (scheduled ? shop.machines : shop.jobs); ++line) {
        out.text({24, 20 + pitch * line}, std::to_string(line), "label", optgap::text_anchor::end);
    }
    for (box const& own : boxes) {
        double const x = 30 + scale * double(own.start);
        double const wide = scale * own.time;
        out.rectangle({x, 5 + pitch * own.line}, wide, pitch - 4, optgap::svg_group(own.words));
        if (wide > 12) {
            out.text({x + wide / 2, 20 + pitch * own.line}, std::to_string(own.words), "dot",
                     optgap::text_anchor::middle);
        }
    }
    return out.finish();
}

struct words : optgap::families::order_text<task> {
    static constexpr optgap::filler fillers[] = {
        {"n", [](std::string& text, optgap::words_view on) { append_integer(text, on[1]); }},
        {"last", [](std::string& text, optgap::words_view on) { append_integer(text, on[1] - 1); }},
        {"m", [](std::string& text, optgap::words_view on) { append_integer(text, on[0]); }},
        {"k", [](std::string& text, optgap::words_view on) { append_integer(text, on[2]); }},
        {"length", [](std::string& text, optgap::words_view on) { append_integer(text, task::size(on)); }},
        {"instance", [](std::string& text, optgap::words_view on) { text += optgap::layout_text(task::layout, on); }},
    };
    static constexpr optgap::answer_terms terms{
        .form = "[a, b, c, ...]",
        .shape = "one flat list of jobs with an entry for each operation",
        .low = [](optgap::words_view) { return 0; },
        .high = [](optgap::words_view on) { return on[1] - 1; },
        .rules = {{"unparsable", "the answer is a list, not a word"},
                  {"bad_depth", "it is one flat list"},
                  {"empty", "it is not the empty list"},
                  {"wrong_length", "it holds n * k values"},
                  {"out_of_range", "its values are 0 to n - 1", "the value"}},
    };
    static constexpr optgap::symmetry const* twins = &relabels;
    static std::string picture(char const* title, optgap::words_view on, optgap::words_view answer) {
        return draw_schedule(title, on, answer);
    }
};

/// "job 0: machine 2 for 5, machine 0 for 3", a line each.
void append_jobs(std::string& text, optgap::words_view on) {
    shop_view const shop(on);
    for (std::int32_t i = 0; i < shop.operations(); ++i) {
        text += i % shop.stages == 0 ? "job " + std::to_string(i / shop.stages) + ": " : ", ";
        text += "machine " + std::to_string(shop.machine[i]) + " for " + std::to_string(shop.time[i]);
        text += (i + 1) % shop.stages == 0 ? "\n" : "";
    }
}

/// "0: 2/5 0/3", one line for each job.
void append_pairs(std::string& text, optgap::words_view on) {
    shop_view const shop(on);
    for (std::int32_t i = 0; i < shop.operations(); ++i) {
        text += i % shop.stages == 0 ? std::to_string(i / shop.stages) + ": " : " ";
        text += std::to_string(shop.machine[i]) + "/" + std::to_string(shop.time[i]);
        text += (i + 1) % shop.stages == 0 ? "\n" : "";
    }
}

template <bool Times>
void append_table(std::string& text, optgap::words_view on) {
    shop_view const shop(on);
    optgap::families::append_rows(text, Times ? shop.time : shop.machine, shop.jobs, shop.stages);
}

constexpr optgap::file_format files[] = {
    {".jsp", optgap::text::job_shop::read_shop}, {".txt", optgap::text::job_shop::read_shop}, {nullptr, nullptr}};

constexpr optgap::declarative_text says{
    .title = "Job shop",
    .summary = "jobs that visit machines, each in an order of its own, scheduled so that all is done soonest",
    .category = "scheduling",
    .objective = "makespan",
    .singular = "job",
    .plural = "jobs",
    .prompts =
        {"{n} jobs, numbered 0 to {last}, are done on {m} machines. A job is a chain of {k} operations, done one after "
         "the other in the order in which they stand below; each occupies one machine for some time, without a break, "
         "and a machine does one operation at a time.\n\n{jobs}\nA schedule is told by a list of {length} job numbers "
         "that names every job {k} times. It is read from first to last: each time a job is named, its next operation "
         "is put behind all that its machine was given before, and begins as soon as both that machine and the job's "
         "operation before are done. Work begins at time 0.\n\nFind the list whose last operation ends soonest, and "
         "answer with it.\n",
         "In a garage wait {n} cars, 0 to {last}, and there are {m} work stations. Each car has to visit stations in "
         "its own fixed order; a line below gives a car, then station/minutes for each of its {k} visits.\n\n{pairs}\n"
         "A station holds one car at a time and keeps it until its visit is over; cars may wait in the yard for as "
         "long as needed. Write the order in which the visits are granted, as a list of cars in which each car stands "
         "once for each of its visits ({k} times, {length} entries in all): the first entry of a car is its first "
         "visit, and so on. A granted visit begins when the car is back from the visit before and the station is done "
         "with all visits granted earlier. The garage closes when the last car is ready: make that as early as you "
         "can.\n",
         "Job shop scheduling, minimise the makespan.\n\nmachines, a row per job, in the order of its operations:\n"
         "{machines}\nprocessing times, likewise:\n{times}\nJobs 0 to {last}, machines 0 to {m} - 1, no preemption. "
         "Give a permutation with repetition: a sequence of {length} job indices with {k} of each, whose i-th "
         "occurrence of job j stands for the i-th operation of j. It is decoded to a semi-active schedule, in which "
         "operation after operation starts at the larger one of its job's and its machine's last completion time. The "
         "makespan is the largest completion time.\n",
         "A print shop runs {n} orders (0 to {last}) over {m} devices. An order goes through its devices from left to "
         "right; each step reads device/minutes:\n\n{pairs}\nNo device serves two orders at once and nothing "
         "is interrupted. The foreman calls out order numbers, {length} calls in all, {k} for each order. At a call "
         "the "
         "order's next step is queued at its device: it runs once the steps queued there before it are through and the "
         "order has finished its own step before. Which calls finish all orders in the least number of minutes? Write "
         "the numbers called, from first to last.\n",
         "{instance}\n\nIn the object above job j has operations i = 0, 1, ..., each on machine machines[j][i] for "
         "times[j][i] units, to be done in this order without interruption; each of the `m` machines does one "
         "operation at a time. Return a list of {length} job indices, counted from 0, in which every job occurs {k} "
         "times: taking the entries in turn, start the job's next operation when both the job and the machine have "
         "finished what was taken before. The largest end is to be as small as possible.\n"},
    .sentences =
        {"Jobs stand in the list too often or too seldom, by {violation} in sum; the first entry too many is at "
         "position {where}."},
    .examples = {{R"({"m": 2, "machines": [[0, 1], [1, 0]], "times": [[3, 2], [2, 4]]})", "[0, 1, 0, 1]", "ok", 7},
                 {"", "[1, 0, 0, 1]", "ok", 7},
                 {"", "[0, 0, 1, 1]", "ok", 11},
                 {"", "[1, 1, 0, 0]", "ok", 11},
                 {"", "[0, 1, 0, 0]", "wrong_count"},
                 {"", "[1, 1, 1, 1]", "wrong_count"},
                 {"", "[0, 1, 0]", "wrong_length"},
                 {"", "[0, 1, 0, 2]", "out_of_range"},
                 {"", "[[0, 1, 0, 1]]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"m": 1, "machines": [[0, 0]], "times": [[3, 2]]})", "[0, 0]", "ok", 5},
                 {R"({"m": 2, "machines": [[0, 2]], "times": [[3, 2]]})", "machines[0][1]", "refused"},
                 {R"({"m": 2, "machines": [[0, 1]], "times": [[3, 0]]})", "times[0][1]", "refused"},
                 {R"({"m": 2, "machines": [[0, 1]], "times": [[3]]})", "times[0]", "refused"}},
    .fillers = {{"jobs", append_jobs},
                {"pairs", append_pairs},
                {"machines", append_table<false>},
                {"times", append_table<true>}},
    .tags = {"scheduling", "permutation"},
    .expensive_steps = 32,
    .files = files,
};

}  // namespace job_shop_text

extern optgap::task_text const optgap_text_job_shop;
optgap::task_text const optgap_text_job_shop =
    optgap::declarative_task_text<job_shop_text::task, job_shop_text::words, job_shop_text::says>();
