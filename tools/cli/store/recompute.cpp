// optgap recompute: baselines in bulk into a store that survives whatever happens to the process.

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "kernels/text/task_text.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/progress.hpp"
#include "tools/cli/store/recompute_inputs.hpp"
#include "tools/cli/store/store_rows.hpp"
#include "tools/cli/store/work_spec.hpp"

namespace optgap::cli {
namespace {

/// A transaction is at most this many steps of work: some ten seconds of the most expensive steps, flow_shop's of 6 µs.
constexpr std::int64_t steps_a_transaction = std::int64_t(1) << 21;

struct recompute_options {
    std::string store, spec, shard, only, log, task, keep = "all";
    std::vector<std::string> inputs;
    std::int64_t budget = -1;
};

volatile std::sig_atomic_t asked_to_stop = 0;
extern "C" void stop_recompute(int) { asked_to_stop = 1; }

/// What became of a shard's run.
struct recompute_counts {
    std::int64_t rows = 0, there = 0, solved = 0, changed = 0;
};

/// One shard: the file it writes, and what it takes from the work.
class shard_run {
public:
    shard_run(context& ctx, recompute_options const& options, std::string const& path, std::int64_t shard,
              std::int64_t shards)
        : ctx_(ctx),
          options_(options),
          by_(ctx.get_engine(false)),
          shard_(shard),
          shards_(shards),
          lock_(path),
          out_(path, sqlite::access::create) {
        if (keeps_expensive()) {
            kept_ = [this](store::row const& row, std::int32_t task) {
                return is_expensive(row, by_.tasks()[std::size_t(task)], ctx_.text(task).expensive_steps);
            };
        }
        if (!out_.base().network().empty()) {
            ctx.note(fmt::format("{} lies on {}: it is locked whole while this runs", path, out_.base().network()));
        }
        std::string const own = fmt::format("{}/{}", shard, shards), known = out_.meta("shard");
        if (known.empty()) {
            out_.set_meta("shard", own);
        } else if (known != own) {
            throw usage_error(
                fmt::format("{} is shard {}, not {}: expected another path, or --shard {}", path, known, own, known));
        }
    }

    void run_spec(std::vector<work_part> const& blocks) {
        std::int64_t all = 0, done = 0;
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            all += is_of_shard(std::int64_t(b), shard_, shards_) ? blocks[b].count : 0;
        }
        begin(options_.spec, all);
        progress bar(label(), "rows", all, ctx_.quiet);
        std::int64_t const passed = passed_blocks();
        for (std::size_t b = 0; b < blocks.size() && asked_to_stop == 0; ++b) {
            if (is_of_shard(std::int64_t(b), shard_, shards_)) {
                if (std::int64_t(b) >= passed) {
                    take(missing_of(blocks[b]), std::int64_t(b), [&](std::int64_t rows) { bar.update(done + rows); });
                    pass(std::int64_t(b) + 1);
                }
                done += blocks[b].count;
                bar.update(done);
            }
        }
        counts_.rows = all;
        end(options_.spec, all);
    }

    void run_inputs(std::vector<std::vector<store_item>> const& blocks, std::string const& asked) {
        std::int64_t all = 0;
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            all += is_of_shard(std::int64_t(b), shard_, shards_) ? std::int64_t(blocks[b].size()) : 0;
        }
        begin(asked, all);
        progress bar(label(), "rows", all, ctx_.quiet);
        std::int64_t done = 0;
        for (std::size_t b = 0; b < blocks.size() && asked_to_stop == 0; ++b) {
            if (is_of_shard(std::int64_t(b), shard_, shards_)) {
                std::vector<store_item> wanted;
                for (store_item const& item : blocks[b]) {
                    take_if_wanted(item, wanted);
                }
                take(wanted, std::int64_t(b), [&](std::int64_t rows) { bar.update(done + rows); });
                done += std::int64_t(blocks[b].size());
            }
        }
        counts_.rows = all;
        end(asked, all);
    }

    [[nodiscard]] recompute_counts const& counts() const { return counts_; }
    [[nodiscard]] std::string hash() { return kept_hash(out_, by_); }

private:
    [[nodiscard]] std::string label() const {
        return shards_ == 1 ? "recompute" : fmt::format("shard {}/{}", shard_, shards_);
    }
    [[nodiscard]] std::string with_budget(std::string const& asked) const {
        return asked + (options_.budget < 0 ? "" : fmt::format(" --budget {}", options_.budget)) +
               (keeps_expensive() ? " --keep expensive" : "");
    }
    [[nodiscard]] bool keeps_expensive() const { return options_.keep == "expensive"; }

    /// Of rows that are not kept the file does not say that they were solved: how many blocks are done with stands
    /// apart.
    [[nodiscard]] std::string pass_name() const { return "passed " + with_budget(options_.spec); }
    [[nodiscard]] std::int64_t passed_blocks() const {
        return keeps_expensive() && options_.only.empty() ? std::atoll(out_.meta(pass_name()).c_str()) : 0;
    }
    void pass(std::int64_t blocks) {
        if (keeps_expensive() && options_.only.empty() && asked_to_stop == 0) {
            out_.set_meta(pass_name(), std::to_string(blocks));
        }
    }
    void note(std::string const& asked, std::int64_t rows, bool finished) {
        for (store::run_entry const& run : out_.runs()) {
            if (run.asked == with_budget(asked) && (run.finished || run.finished == finished)) {
                return;
            }
        }
        out_.note_run({with_budget(asked), fmt::format("{}/{}", shard_, shards_), rows, finished});
    }
    void begin(std::string const& asked, std::int64_t rows) { note(asked, rows, false); }
    void end(std::string const& asked, std::int64_t rows) {
        if (asked_to_stop == 0) {
            note(asked, rows, true);
        }
    }

    /// Of a row that is there: is there still something to do?
    [[nodiscard]] bool is_open(bool proven, std::int64_t tried, std::int32_t task) const {
        if (options_.only == "all") {
            return true;
        }
        return options_.only != "missing" && !proven &&
               tried < steps_of(by_.tasks()[std::size_t(task)], options_.budget);
    }

    void take_if_wanted(store_item const& item, std::vector<store_item>& wanted) {
        instance_hash const hash = item.spec.task >= 0 ? instance_hash() : hash_words(item.words);
        auto const old = out_.find(key_of_item(by_, item, hash));
        if (old ? is_open(old->proven(), old->tried, item.task) : options_.only != "unproven") {
            wanted.push_back(item);
            if (old && options_.only != "all") {
                wanted.back().start = old->answer;
            }
        }
    }

    /// The block's keys that are not there, or not done with.
    std::vector<store_item> missing_of(work_part const& block) {
        task_info const& info = by_.tasks()[std::size_t(block.task)];
        std::vector<char> state(std::size_t(block.count), 0);  // 0: not there, 1: done with, 2: open
        sqlite::statement known = out_.base().prepare(
            "SELECT seed, status, tried FROM baselines WHERE task=? AND version=? AND split=? AND level=? AND "
            "seed>=? AND seed<=?");
        auto const look = [&](std::uint64_t first, std::uint64_t last) {
            known.with(info.name, info.version, std::int32_t(block.part), block.level.code, std::int64_t(first),
                       std::int64_t(last));
            while (known.step()) {
                bool const proven = known.integer(1) >= std::int64_t(baseline_status::optimal);
                state[std::size_t(std::uint64_t(known.integer(0)) - block.first)] =
                    is_open(proven, known.integer(2), block.task) ? 2 : 1;
            }
        };
        std::uint64_t const last = block.first + std::uint64_t(block.count - 1), middle = std::uint64_t(1) << 63;
        if (block.first < middle && last >= middle) {  // as signed numbers these are two ranges
            look(block.first, middle - 1);
            look(middle, last);
        } else {
            look(block.first, last);
        }
        std::vector<store_item> wanted;
        for (std::size_t i = 0; i < state.size(); ++i) {
            if (state[i] == 1 || (state[i] == 0 && options_.only == "unproven")) {
                continue;
            }
            store_item item;
            item.task = block.task;
            item.spec = {block.task, block.level, block.part, block.first + i};
            if (state[i] == 2 && options_.only != "all") {
                if (auto const old = out_.find(key_of_item(by_, item, {}))) {
                    item.start = old->answer;
                }
            }
            wanted.push_back(std::move(item));
        }
        counts_.there += block.count - std::int64_t(wanted.size());
        return wanted;
    }

    /// Solves them, a transaction at a time.
    template <class Shown>
    void take(std::vector<store_item> const& wanted, std::int64_t block, Shown const& shown) {
        if (counts_.solved == 0) {
            clock_.lap();  // looking for what is to be done is not the first transaction's time
        }
        for (std::size_t begin = 0; begin < wanted.size() && asked_to_stop == 0;) {
            std::int64_t const most = slice_rows(wanted[begin]);
            std::size_t const end = std::min(wanted.size(), begin + std::size_t(most));
            std::vector<store_item> const slice(wanted.begin() + std::ptrdiff_t(begin),
                                                wanted.begin() + std::ptrdiff_t(end));
            stored_counts const did = solve_into(out_, by_, slice, options_.budget, kept_, &clock_);
            counts_.changed += did.changed;
            grow(did.steps);
            counts_.solved += std::int64_t(slice.size());
            log(block, begin, slice);
            begin = end;
            shown(std::int64_t(begin));
        }
    }

    /// Rows of a transaction: as many as fit if each took its whole budget, and more once such rows took far less.
    /// Where a commit waits for a disk, a few rows each would be all that a run does.
    std::int64_t slice_rows(store_item const& of) {
        auto const like = std::pair(of.task, of.spec.level.code);
        if (like != grown_for_) {
            grown_for_ = like;
            grown_ = 1;
        }
        std::int64_t const steps =
            std::max<std::int64_t>(1, steps_of(by_.tasks()[std::size_t(of.task)], options_.budget));
        return std::min(block_rows,
                        grown_ * std::clamp<std::int64_t>(steps_a_transaction / steps, 2 * by_.threads(), block_rows));
    }
    void grow(std::int64_t spent) {
        if (spent > steps_a_transaction) {
            grown_ = 1;
        } else if (spent <= steps_a_transaction / 4) {
            grown_ = std::min(2 * grown_, block_rows);
        }
    }

    /// What was committed, a line a transaction.
    void log(std::int64_t block, std::size_t begin, std::vector<store_item> const& slice) const {
        if (options_.log.empty()) {
            return;
        }
        std::FILE* const file = std::fopen(options_.log.c_str(), "a");
        if (file == nullptr) {
            throw io_error(fmt::format("cannot write {}", options_.log));
        }
        fmt::print(file,
                   R"({{"shard":{},"block":{},"row":{},"rows":{}}})"
                   "\n",
                   shard_, block, begin, slice.size());
        std::fclose(file);
    }

    context& ctx_;
    recompute_options const& options_;
    engine const& by_;
    std::int64_t shard_, shards_;
    sqlite::writer_lock lock_;
    store::file out_;
    recompute_counts counts_;
    kept_rows kept_;
    lap_clock clock_;
    std::int64_t grown_ = 1;  ///< how many times as many rows a transaction has as the budget alone allows
    std::pair<std::int32_t, std::int32_t> grown_for_{-1, 0};
};

void recompute(context& ctx, recompute_options const& options) {
    if (options.spec.empty() == options.inputs.empty()) {
        throw usage_error("recompute needs --spec or --in, and not both; expected --spec 'tsp:benchmark:test:0-99'");
    }
    if (!options.task.empty() && options.inputs.empty()) {
        throw usage_error("--task is for files; expected --in FILE");
    }
    if (options.keep == "expensive" && options.spec.empty()) {
        throw usage_error("--keep expensive is for --spec: a spec makes again what is not kept, and files do not");
    }
    shard_choice const shards = parse_shard(options.shard, options.store);
    bool const in_folder = shards.is_told || std::filesystem::is_directory(options.store);
    if (in_folder && std::filesystem::is_regular_file(options.store)) {
        throw usage_error(
            fmt::format("{} is a file, and shards are files of a folder: expected --store DIR", options.store));
    }
    std::vector<work_part> const blocks =
        options.spec.empty() ? std::vector<work_part>() : blocks_of(parse_work(ctx, options.spec));
    std::vector<std::vector<store_item>> const inputs =
        options.spec.empty() ? read_inputs(ctx, options.inputs, options.task) : std::vector<std::vector<store_item>>();
    if (in_folder) {
        std::filesystem::create_directories(options.store);
    }
    asked_to_stop = 0;
    std::signal(SIGXFSZ, SIG_IGN);  // a file at its largest size is a failed write, which is reported
    std::signal(SIGINT, stop_recompute);
    std::signal(SIGTERM, stop_recompute);
    for (std::int64_t const shard : shards.mine) {
        std::string const path = in_folder ? shard_file(options.store, shard, shards.all) : options.store;
        shard_run run(ctx, options, path, shard, shards.all);
        options.spec.empty() ? run.run_inputs(inputs, fmt::format("--in {}", fmt::join(options.inputs, " ")))
                             : run.run_spec(blocks);
        recompute_counts const& did = run.counts();
        if (asked_to_stop != 0) {
            ctx.warn(fmt::format("{}: stopped after {} rows, all of them kept; resume with the same command", path,
                                 did.solved));
            return;
        }
        ctx.note(did.solved == 0
                     ? fmt::format("{}: nothing to do, {} of {} rows are {}; content {}", path, did.rows, did.rows,
                                   options.keep == "expensive" ? "there, or not expensive" : "there", run.hash())
                     : fmt::format("{}: {} of {} rows solved, {} changed; content {}", path, did.solved, did.rows,
                                   did.changed, run.hash()));
    }
}

}  // namespace

void add_recompute(command_line& app, context& ctx) {
    command_entry const command =
        app.add_command("recompute", "Baselines in bulk into a store that survives kills, resumes and shards",
                        {"optgap recompute --store tsp.db --spec 'tsp:benchmark:test:0-99'",
                         "optgap recompute --store runs/ --spec 'all:benchmark:train:0-99999' --shard 3/64",
                         "optgap recompute --store real.db --in tools/demo/instances/tsp --budget 100000"},
                        {"The same command resumes: a row that is there and proven, or tried with this budget, is not "
                         "solved again. A larger",
                         "--budget continues unproven rows alone, from their best answers. SIGTERM and SIGINT finish "
                         "what is under way and commit.",
                         "--shard i/N (from 0), or slurm for a job array, writes a file of its own into the folder of "
                         "--store. docs/scale.md.",
                         "Exit codes: 0 done or stopped, 1 rows were left out, 2 bad usage, 3 cannot write, or two "
                         "proofs contradict each other."});
    auto options = std::make_shared<recompute_options>();
    command.add_option("--store", options->store, "A file, or a folder of shards").required();
    command.add_option("--spec", options->spec, "TASK:LEVEL:SPLIT:FIRST-LAST, several joined by commas");
    command.add_option("--in", options->inputs, "JSONL of instances, instance files, or folders of these");
    command.add_option("--task", options->task, "The task of instance files whose extension several tasks know");
    command.add_option("--budget", options->budget, "Steps per instance, counted by the task; -1 is the task's default")
        .at_least(-1)
        .show_default();
    command.add_option("--shard", options->shard, "i/N with i from 0, slurm, or slurm/N");
    command
        .add_option("--only", options->only,
                    "missing: no row that is there; unproven: none that is not; all: solved again, too")
        .one_of({"missing", "unproven", "all"});
    command
        .add_option(
            "--keep", options->keep,
            "expensive: no row that is proven in fewer steps than reading it back saves; --spec makes those again")
        .one_of({"all", "expensive"})
        .show_default();
    command.add_option("--log", options->log, "Append a JSON line for each transaction that is committed");
    command.on_run([&ctx, options] { recompute(ctx, *options); });
}

}  // namespace optgap::cli
