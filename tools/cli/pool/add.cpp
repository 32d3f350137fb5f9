// optgap pool add and observe: proposals and what rollouts observed, as a step of a pool or as a rank's part of one.

#include <cmath>
#include <cstdlib>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "host/rows/read/fields.hpp"
#include "host/rows/read/instances.hpp"
#include "host/rows/read/rollout.hpp"
#include "tools/cli/pool/pool_commands.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/whole_file.hpp"

namespace optgap::cli {
namespace {

constexpr std::string_view add_columns[] = {"code",      "canonical", "coarse", "duplicate_of",
                                            "objective", "proven",    "steps"};
constexpr std::string_view question_columns[] = {"code", "canonical", "duplicate_of"};

struct add_options {
    std::string path, delta;
    std::vector<std::string> files, observed;
    std::int64_t budget = -1;
    double quality = 0.7;
    std::int32_t rank = 0, part = 0;
};

/// `origin` and `parent` of a row.
pool::lineage lineage_of(json_row const& row) {
    pool::lineage out;
    if (auto const said = string_of(row, "origin")) {
        std::size_t which = 0;
        while (which < std::size(pool::origin_names) && *said != pool::origin_names[which]) {
            ++which;
        }
        if (which == std::size(pool::origin_names)) {
            throw field_error("origin", fmt::format("'{}': expected {}", *said, fmt::join(pool::origin_names, ", ")));
        }
        out.kind = pool::origin(which);
    }
    bool const has_parent = out.kind == pool::origin::edit || out.kind == pool::origin::constrain;
    auto const parent = string_of(row, "parent");
    if (has_parent != parent.has_value()) {
        throw field_error("parent", has_parent ? "missing: an edit or a constraint has one, TASK@VERSION:c:HASH32"
                                               : "is for origin edit or constrain alone");
    }
    if (parent) {
        std::size_t const mark = parent->rfind(":c:");
        if (mark == std::string::npos) {
            throw field_error("parent", fmt::format("'{}': expected TASK@VERSION:c:HASH32", *parent));
        }
        out.parent = pool::hash_from(std::string_view(*parent).substr(mark + 3), "parent");
    }
    return out;
}

/// Whether a row is a question in free text, such as GSM8K has them, and no problem of a task.
bool asks_in_words(json_row const& row) {
    return has(row, "question") && !has(row, "key") && !has(row, "task") && !has(row, "instance");
}

/// `question`, and `reference` or, as in GSM8K, `answer`.
pool::question question_in(json_row const& row) {
    pool::question out;
    std::string_view const* const text = field_of(row, "question");
    if (!is_json_string(*text)) {
        throw field_error("question", "must be a text");
    }
    out.text = decode_json_string(*text);
    for (char const* const name : {"reference", "answer"}) {
        std::string_view const* const known = field_of(row, name);
        if (known != nullptr && !is_json_string(*known)) {
            throw field_error(name, "must be a text");
        }
        if (known != nullptr && out.reference.empty()) {
            out.reference = decode_json_string(*known);
        }
    }
    return out;
}

class adder {
public:
    adder(context& ctx, add_options const& options)
        : ctx_(ctx),
          options_(options),
          pool_(opened_pool(ctx, options.path, options.delta.empty())),
          receiver_(ctx.get_engine(false), *pool_, options.budget) {
        part_.name = {pool_->step(), options.rank, options.part};
        part_.base = pool_->hash();
    }

    void run() {
        if (!options_.files.empty()) {
            row_input input(ctx_, options_.files, "pool add");
            instance_set instances(ctx_.tasks());
            for (auto items = input.next(); !items.empty(); items = input.next()) {
                while (!items.empty()) {  // runs of questions and of problems, in the rows' order
                    bool const in_words = is_question(items.front());
                    auto const end = std::ranges::find_if(
                        items, [&](row_item const& item) { return is_question(item) != in_words; });
                    std::span<row_item> const run = items.first(std::size_t(end - items.begin()));
                    items = items.subspan(run.size());
                    if (in_words) {
                        take_questions(run);
                        continue;
                    }
                    instances.resolve(run);
                    take(run, instances);
                }
            }
            input.finish(ctx_);
        }
        if (!options_.observed.empty()) {
            row_input input(ctx_, options_.observed, "observed");
            for (auto items = input.next(); !items.empty(); items = input.next()) {
                for (row_item& item : items) {
                    observe(item);
                }
            }
            input.finish(ctx_);
        }
        for (auto const& [id, sums] : sums_) {
            part_.outcomes.push_back(sums);
        }
        part_.entries = std::move(receiver_.entries());
        end();
        write_stdout(out_);
        output_.finish(ctx_);
    }

private:
    static bool is_question(row_item const& item) { return item.sound() && asks_in_words(item.row); }

    void take_questions(std::span<row_item> items) {
        for (row_item& item : items) {
            try {
                double quality = std::numeric_limits<double>::quiet_NaN();
                if (has(item.row, "judged_quality")) {
                    quality = number_of(item.row, "judged_quality");
                    if (quality < 0 || quality > 1) {
                        throw field_error("judged_quality", fmt::format("{}: expected a number from 0 to 1", quality));
                    }
                }
                pool::lineage const from = lineage_of(item.row);
                if (from.kind != pool::origin::seed && from.kind != pool::origin::question) {
                    throw field_error("origin", "is of a problem of a task: expected seed or question");
                }
                pool::received const got = receiver_.take(question_in(item.row), from, quality, options_.quality);
                row_writer row = output_.begin(item, question_columns);
                row.text("code", pool::reception_names[std::size_t(got.code)]);
                row.text("canonical", fmt::format("{}@1:c:{}", pool::question_task, hex32(got.canonical)));
                if (got.code == pool::reception::duplicate) {
                    row.integer_or_null("duplicate_of", got.duplicate_of, -1);
                }
                row.finish();
                ++counts_[std::size_t(got.code)];
            } catch (field_error const& broken) {
                item.reject(broken.field(), broken.rule());
                output_.reject(item);
            }
            out_ += output_.buffer();
            output_.buffer().clear();
        }
    }

    void take(std::span<row_item> items, instance_set const& instances) {
        instance_batch brought;
        std::vector<pool::lineage> lineages;
        std::vector<std::int64_t> places(items.size(), -1);
        for (std::size_t i = 0; i < items.size(); ++i) {
            row_item& item = items[i];
            if (item.sound() && item.instance < 0) {
                item.reject("task", "is none of this build's: expected a task with instances");
            }
            if (!item.sound()) {
                continue;
            }
            try {
                pool::lineage const from = lineage_of(item.row);
                if (from.kind == pool::origin::question) {
                    throw field_error("origin", "is of a question in free text: expected that of a problem");
                }
                lineages.push_back(from);
            } catch (field_error const& broken) {
                item.reject(broken.field(), broken.rule());
                continue;
            }
            places[i] = brought.size();
            brought.append(instances.task(item.instance), instances.words(item.instance));
        }
        std::vector<pool::received> const got = receiver_.take(brought.view(), lineages);
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (places[i] < 0) {
                output_.reject(items[i]);
                out_ += output_.buffer();
                output_.buffer().clear();
                continue;
            }
            write(items[i], instances.task(items[i].instance), got[std::size_t(places[i])]);
        }
    }

    void write(row_item const& item, std::int32_t task, pool::received const& got) {
        task_info const& info = ctx_.get_engine(false).tasks()[std::size_t(task)];
        row_writer row = output_.begin(item, add_columns);
        row.text("code", pool::reception_names[std::size_t(got.code)]);
        row.text("canonical", fmt::format("{}@{}:c:{}", info.name, info.version, hex32(got.canonical)));
        row.boolean("coarse", got.coarse);
        if (got.code == pool::reception::duplicate) {
            row.integer_or_null("duplicate_of", got.duplicate_of, -1);
        } else {
            row.integer_or_null("objective", got.found.objective, no_objective);
            row.boolean("proven", got.found.proven());
            row.integer("steps", got.found.steps);
        }
        row.finish();
        out_ += output_.buffer();
        output_.buffer().clear();
        ++counts_[std::size_t(got.code)];
    }

    /// A row that was drawn and scored: `entry`, `normalized`, `optimal`. Those that did not end say nothing.
    void observe(row_item& item) {
        try {
            if (!item.sound()) {
                throw field_error(item.field, item.rule);
            }
            std::int64_t const id = integer_of(item.row, "entry", -1, "entry");
            if (id < 0 || id >= pool_->entries()) {
                throw field_error("entry", fmt::format("expected one of the pool's, 0 to {}", pool_->entries() - 1));
            }
            double const quality = number_of(item.row, "normalized"), optimal = number_of(item.row, "optimal");
            if (optimal != 0 && optimal != 1) {
                throw field_error("optimal", "expected 0 or 1, as `score` writes it");
            }
            if (quality < -1 || quality > 1) {
                throw field_error("normalized", fmt::format("{}: expected a number from -1 to 1", quality));
            }
            // Worse than the floor is worth what an infeasible answer is.
            pool::outcome const one = pool::outcome_of(id, optimal == 1, pool::quality_units(std::max(quality, 0.0)));
            pool::outcome& sums = sums_.try_emplace(id, pool::outcome{id, 0, 0, 0, 0}).first->second;
            if (sums.attempts == pool::max_attempts) {
                throw field_error("entry", fmt::format("has {} attempts already: no more are counted", sums.attempts));
            }
            sums += one;
            ++observed_;
        } catch (field_error const& broken) {
            item.reject(broken.field(), broken.rule());
            output_.reject(item);
            out_ += output_.buffer();
            output_.buffer().clear();
        }
    }

    static double number_of(json_row const& row, std::string const& name) {
        std::string_view const* const value = row.find(name);
        if (value == nullptr) {
            throw field_error(name, "missing: expected a row that `optgap score` wrote");
        }
        std::string const text(*value);
        char* end = nullptr;
        double const number = std::strtod(text.c_str(), &end);
        if (text.empty() || *end != '\0' || !std::isfinite(number)) {
            throw field_error(name, fmt::format("{}: expected a number", text.substr(0, 40)));
        }
        return number;
    }

    void end() {
        std::string const poor = counts_[3] > 0 ? fmt::format("{} of low quality, ", counts_[3]) : std::string();
        std::string const did = fmt::format("{} ok, {} duplicates, {} unproven, {}{} rollouts observed", counts_[0],
                                            counts_[1], counts_[2], poor, observed_);
        pool::delta parts;
        std::int64_t const added = std::int64_t(part_.entries.size());
        bool const empty = part_.entries.empty() && part_.outcomes.empty();
        parts.add(std::move(part_));
        if (!options_.delta.empty()) {
            write_whole(options_.delta, pool::to_text(parts));
            ctx_.note(fmt::format("{}: {}; {} entries for step {}", options_.delta, did, added, pool_->step()));
            return;
        }
        if (empty) {
            ctx_.note(
                fmt::format("{}: {}; nothing new, the step goes on; {}", options_.path, did, sentence_of(*pool_)));
            return;
        }
        pool_->end_step(parts);
        ctx_.note(fmt::format("{}: {}; {}", options_.path, did, sentence_of(*pool_)));
    }

    context& ctx_;
    add_options const& options_;
    std::unique_ptr<pool::pool> pool_;
    pool::receiver receiver_;
    pool::part part_;
    std::map<std::int64_t, pool::outcome> sums_;
    std::array<std::int64_t, std::size(pool::reception_names)> counts_{};
    std::int64_t observed_ = 0;
    row_output output_;
    std::string out_;  ///< rows, for when the step has ended
};

void add_rows(context& ctx, add_options const& options) {
    if (options.delta.empty() && (options.rank != 0 || options.part != 0)) {
        throw usage_error("--rank and --part name a part of a step: expected --delta FILE beside them");
    }
    if (options.delta.empty() && !options.files.empty()) {
        make_where_missing(ctx, options.path);
    }
    adder(ctx, options).run();
}

void add_part_options(command_entry command, add_options& options) {
    command.add_option("--delta", options.delta, "Write a part of the step to this file instead");
    command.add_option("--rank", options.rank, "Whose part it is").at_least(0).show_default();
    command.add_option("--part", options.part, "Which of the rank's parts in this step").at_least(0).show_default();
}

}  // namespace

void add_pool_add(command_entry pool, context& ctx) {
    command_entry const command = pool.add_command(
        "add", "Proves instances, leaves out what the pool has under any labels, and ends the pool's step with them",
        {"optgap generate tsp --level d3 --count 8 | optgap pool add pool.db -",
         "optgap pool add pool.db proposals.jsonl --observed scored.jsonl",
         "optgap pool add pool.db proposals.jsonl --rank 1 --delta rank1.jsonl"},
        {"Rows have `key`, or `task` and `instance`, and may have `origin` (seed, spec, instance, edit, constrain) and",
         "`parent` (a canonical key). They come out with `code` (ok, duplicate, unproven), `canonical`, and the "
         "optimum.",
         "A row with a `question` in free text, as GSM8K has them, may have a `reference` (or `answer`) and, as "
         "`judged_quality`, what judges make of it, 0 to 1. Its `code` is ok, duplicate (equal words) or low_quality.",
         "--observed takes what `pool observe` takes, for the same step.",
         "--delta writes what would come in to a file and leaves the pool as it is: ranks make one each, and `pool "
         "merge`",
         "ends the step with all of them.", rows_help});
    auto options = std::make_shared<add_options>();
    command.add_option("POOL", options->path, "A pool; made with the usual settings where there is none").required();
    command.add_option("FILE", options->files, "JSONL with instances; - is stdin").required();
    command.add_option("--observed", options->observed, "JSONL of scored draws");
    command.add_option("--budget", options->budget, "Steps of a proof, counted by the task; -1 is the task's default")
        .at_least(-1)
        .show_default();
    command.add_option("--quality", options->quality, "Least `judged_quality` of a question that has one")
        .between(0.0, 1.0)
        .show_default();
    add_part_options(command, *options);
    command.on_run([&ctx, options] { add_rows(ctx, *options); });
}

void add_pool_observe(command_entry pool, context& ctx) {
    command_entry const command = pool.add_command(
        "observe", "Counts what rollouts of sampled problems earned, and ends the pool's step with it",
        {"optgap pool sample pool.db --count 64 --prompts > asked.jsonl", "optgap score answered.jsonl > scored.jsonl",
         "optgap pool observe pool.db scored.jsonl"},
        {"Rows of `pool sample` that were scored: `entry`, `normalized`, `optimal`. Those of a step that also brings "
         "problems go to",
         "`pool add --observed`, so that both are one step. --delta as of `pool add`.", rows_help});
    auto options = std::make_shared<add_options>();
    command.add_option("POOL", options->path, "A pool").required();
    command.add_option("FILE", options->observed, "JSONL of scored draws; - is stdin").required();
    add_part_options(command, *options);
    command.on_run([&ctx, options] { add_rows(ctx, *options); });
}

}  // namespace optgap::cli
