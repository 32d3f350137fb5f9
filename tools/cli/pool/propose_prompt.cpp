// optgap propose-prompt: what a proposer is asked, with problems of a pool for references.

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "host/rows/json/json_text.hpp"
#include "optgap/proposals/prompt.hpp"
#include "optgap/proposals/proposal.hpp"
#include "tools/cli/pool/pool_commands.hpp"
#include "tools/cli/rows/instance_row.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"

namespace optgap::cli {
namespace {

constexpr std::int64_t max_references = 16;
/// Draws a reference may take until it is another than those before.
constexpr std::int64_t draws_each = 16;

struct prompt_options {
    std::vector<std::string> tasks;
    std::string pool, target;
    std::int64_t references = -1, count = 1, first = 0;
};

/// "10-20"
void read_target(std::string const& text, proposer_request& out) {
    char const* const end = text.data() + text.size();
    auto const [dash, first_problem] = std::from_chars(text.data(), end, out.gap_low);
    bool const split = first_problem == std::errc() && dash != end && *dash == '-';
    auto const [rest, problem] = std::from_chars(split ? dash + 1 : end, end, out.gap_high);
    if (!split || problem != std::errc() || rest != end || out.gap_low < 0 || out.gap_low > out.gap_high ||
        out.gap_high > 100) {
        throw usage_error(fmt::format("--target {}: expected percents LOW-HIGH such as 10-20", text));
    }
}

/// Draws problems of one task from a pool.
class reference_source {
public:
    reference_source(context& ctx, pool::pool const& of, std::int32_t task) : ctx_(ctx), pool_(of) {
        engine const& by = ctx.get_engine(false);
        task_info const& info = by.tasks()[std::size_t(task)];
        weights_ = of.weights(of.made_with().by);
        for (std::int64_t id = 0; id < of.entries(); ++id) {
            pool::entry const one = of.read(id);
            bool const fits = one.task == info.name && one.version == info.version;
            weights_[std::size_t(id)] = fits ? std::max<std::uint64_t>(1, weights_[std::size_t(id)]) : 0;
            known_ += fits && !of.standings()[std::size_t(id)].gone ? 1 : 0;
            weights_[std::size_t(id)] *= of.standings()[std::size_t(id)].gone ? 0 : 1;
        }
    }
    [[nodiscard]] std::int64_t known() const { return known_; }
    /// The `index`-th prompt's references, each an entry of its own under labels of its draw.
    [[nodiscard]] std::vector<std::string> draw(std::int64_t index, std::int64_t count) const {
        pool::drawer const draws(pool_.made_with().seed, pool_.step(), weights_);
        std::vector<std::string> out;
        std::vector<std::int64_t> had;
        for (std::int64_t i = 0; i < count * draws_each && std::int64_t(out.size()) < std::min(count, known_); ++i) {
            pool::drawn_entry const drawn = draws.draw(index * max_references * draws_each + i);
            if (std::ranges::find(had, drawn.place) != had.end()) {
                continue;
            }
            had.push_back(drawn.place);
            pool::posed const shown = pool::pose(ctx_.get_engine(false), pool_.read(drawn.place), drawn.label_seed);
            out.push_back(instance_json(ctx_.text(shown.task), shown.words));
        }
        return out;
    }

private:
    context& ctx_;
    pool::pool const& pool_;
    std::vector<std::uint64_t> weights_;
    std::int64_t known_ = 0;
};

void write_prompts(context& ctx, prompt_options const& options) {
    if (options.pool.empty() && options.references >= 0) {
        throw usage_error("--reference: expected --pool POOL beside it, which holds them");
    }
    if (options.first + options.count > std::int64_t(UINT32_MAX) / (max_references * draws_each)) {
        throw usage_error("--first and --count: the last index must be below 2^24");
    }
    engine const& by = ctx.get_engine(false);
    proposer_request wanted;
    if (!options.target.empty()) {
        read_target(options.target, wanted);
    }
    std::vector<std::int32_t> const tasks = ctx.tasks_named(options.tasks, true);
    std::unique_ptr<pool::pool> const of = options.pool.empty() ? nullptr : opened_pool(ctx, options.pool, false);
    std::int64_t const references = of == nullptr ? 0 : options.references < 0 ? 2 : options.references;
    row_output output;
    for (std::int32_t const task : tasks) {
        wanted.task = task;
        auto const source = of == nullptr ? nullptr : std::make_unique<reference_source>(ctx, *of, task);
        for (std::int64_t index = options.first; index < options.first + options.count; ++index) {
            bool const shows = source != nullptr && references > 0 && source->known() > 0;
            wanted.references = shows ? source->draw(index, references) : std::vector<std::string>();
            std::string const prompt = proposer_prompt(by, wanted);
            row_writer row(output.buffer(), nullptr);
            row.text("role", "proposer");
            row.text("asked", by.tasks()[std::size_t(task)].name);
            row.integer("index", index);
            row.integer("references", std::int64_t(wanted.references.size()));
            row.text("prompt", prompt);
            row.integer("prompt_chars", characters(prompt));
            row.finish();
            output.end_row();
        }
    }
    output.finish(ctx);
}

}  // namespace

void add_propose_prompt(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "propose-prompt", "Prompts that ask a model for a problem, with problems of a pool for references",
        {"optgap propose-prompt knapsack tsp --count 4",
         "optgap propose-prompt tsp --pool pool.db --reference 3 --target 10-20"},
        {"Rows with `role` proposer, which `score` rewards once they have a `completion`; equal prompts are one group.",
         "References are drawn by the pool's policy among the task's entries, each another one, and stand there "
         "written",
         "anew from words, under labels of their draw, without answer, optimum and key."});
    auto options = std::make_shared<prompt_options>();
    command.add_option("TASK", options->tasks, "Tasks as NAME or NAME@VERSION, or all").required();
    command.add_option("--pool", options->pool, "A pool that references come from");
    command.add_option("--reference", options->references, "How many of them; 2 by default").between(0, max_references);
    command.add_option("--target", options->target,
                       "Percent LOW-HIGH of the way from the floor to the optimum that greed should miss");
    command.add_option("--count", options->count, "Prompts a task").at_least(1).show_default();
    command.add_option("--first", options->first, "Index of the first one, by which references are drawn")
        .at_least(0)
        .show_default();
    command.on_run([&ctx, options] { write_prompts(ctx, *options); });
}

}  // namespace optgap::cli
