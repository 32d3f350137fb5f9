// optgap store verify: nothing in a store is believed.

#include <memory>

#include <fmt/format.h>

#include "tools/cli/store/store_commands.hpp"
#include "tools/cli/store/store_rows.hpp"

namespace optgap::cli {
namespace {

constexpr std::size_t batch_rows = 1024;

class store_checker {
public:
    store_checker(context& ctx, std::int64_t proofs) : ctx_(ctx), by_(ctx.get_engine(false)), proofs_(proofs) {}

    void check(std::string const& path) {
        for (std::string const& file : store::files_of(path)) {
            store::file const one(file, sqlite::access::read);
            one.base().check_integrity();
            auto wrong = one.base().prepare(
                "SELECT task, split, level, seed FROM baselines WHERE (status=2 AND (objective IS NULL OR bound IS "
                "NULL OR "
                "objective<>bound)) OR (status=1 AND (objective IS NULL OR objective=bound)) OR (status=3 AND "
                "objective IS "
                "NOT NULL) OR (status=0 AND objective IS NOT NULL)");
            while (wrong.step()) {
                complain(fmt::format("{}: {} seed {}", file, wrong.text(0), wrong.integer(3)),
                         "the status is not what objective and bound say");
            }
        }
        store::reader rows(path);
        while (auto one = rows.next([&](std::string const& task) { return store::direction_of(by_, task); })) {
            ++rows_;
            if (store::find_task(by_, one->key.task, one->key.version) == nullptr) {
                ++unknown_;
                continue;
            }
            auto own = one->key.part == store::explicit_part ? rows.instance(one->key) : std::nullopt;
            batch_.push_back({std::move(*one), std::move(own)});
            if (batch_.size() == batch_rows) {
                check_batch();
            }
        }
        check_batch();
    }

    void finish() {
        if (unknown_ > 0) {
            ctx_.warn(fmt::format(
                "{} rows are of tasks or versions that this build does not have, and were not verified", unknown_));
            ctx_.end_with(exit_rejected);
        }
        fmt::print("{} rows verified, {} wrong; {} proved again\n", rows_ - unknown_, wrong_, proved_);
        if (wrong_ > 0) {
            ctx_.end_with(exit_rejected);
        }
    }

private:
    struct entry {
        store::row row;
        std::optional<store::own_instance> own;
    };

    void complain(std::string const& what, std::string const& rule) {
        if (++wrong_ <= 20) {
            ctx_.warn(fmt::format("{}: {}", what, rule));
        }
    }

    void check_batch() {
        std::vector<instance_spec> specs;
        for (entry const& one : batch_) {
            if (one.row.key.part != store::explicit_part) {
                specs.push_back({by_.task_index(one.row.key.task),
                                 {one.row.key.level},
                                 split(one.row.key.part),
                                 std::uint64_t(one.row.key.seed)});
            }
        }
        instance_batch const made = by_.generate(specs);
        instance_batch instances;
        csr_words answers;
        std::vector<entry const*> with_answer;
        std::int64_t next = 0;
        for (entry const& one : batch_) {
            std::string const name = store::to_string(one.row.key, one.row.hash);
            bool const keyed = one.row.key.part != store::explicit_part;
            if (!keyed && !one.own) {
                complain(name, "its instance is not in the store");
                continue;
            }
            std::span<std::int32_t const> const words =
                keyed ? made.blocks.row(next++) : std::span<std::int32_t const>(one.own->words);
            instance_hash const hash = hash_words(words);
            if (hash != one.row.hash || (!keyed && hash != one.row.key.own)) {
                complain(name, fmt::format("its hash is not that of its instance, {}", hex32(hash)));
                continue;
            }
            try {
                store::require_sound(one.row, store::direction_of(by_, one.row.key.task));
            } catch (store::alarm const& crossing) {
                complain(name, crossing.what());
                continue;
            }
            if (!keyed) {
                by_.check(by_.task_index(one.row.key.task), words);
            }
            instances.append(by_.task_index(one.row.key.task), words);
            answers.append(one.row.answer);
            with_answer.push_back(&one);
        }
        std::vector<verdict> const found = by_.verify(instances.view(), answers.view());
        for (std::size_t i = 0; i < with_answer.size(); ++i) {
            store::row const& row = with_answer[i]->row;
            if (row.objective != no_objective && (!found[i].feasible() || found[i].objective != row.objective)) {
                complain(store::to_string(row.key, row.hash),
                         found[i].feasible() ? fmt::format("its objective is {}, but its answer is worth {}",
                                                           row.objective, found[i].objective)
                                             : fmt::format("its answer is not feasible: {}",
                                                           by_.code_name(instances.task[i], found[i].code)));
            }
            prove(row, instances.task[i], instances.blocks.row(std::int64_t(i)));
        }
        batch_.clear();
    }

    /// The first so many proven rows, from nothing but the instance.
    void prove(store::row const& row, std::int32_t task, std::span<std::int32_t const> words) {
        if (proved_ >= proofs_ || !row.proven()) {
            return;
        }
        ++proved_;
        instance_batch one;
        one.append(task, words);
        baseline const again =
            by_.solve(one.view(), std::max<std::int64_t>(row.bounded.budget, row.found.budget)).rows[0];
        bool const same = again.status == row.status() && again.objective == row.objective;
        if (again.proven() ? !same : false) {
            complain(store::to_string(row.key, row.hash), "another proof says otherwise");
        } else if (!again.proven()) {
            complain(store::to_string(row.key, row.hash), "its budget proves nothing now");
        }
    }

    context& ctx_;
    engine const& by_;
    std::int64_t proofs_, rows_ = 0, wrong_ = 0, unknown_ = 0, proved_ = 0;
    std::vector<entry> batch_;
};

}  // namespace

void add_store_verify(command_entry store, context& ctx) {
    command_entry const command = store.add_command(
        "verify", "Every answer against the rules, every key against its hash, every status against its bound",
        {"optgap store verify tsp.db", "optgap store verify runs/ --prove 100"},
        {"Exit code 1 if anything is wrong, 3 if a file is damaged."});
    auto path = std::make_shared<std::string>();
    auto proofs = std::make_shared<std::int64_t>(0);
    command.add_option("PATH", *path, "A store, or a folder of shards").required();
    command.add_option("--prove", *proofs, "Prove the first so many proven rows again, from the instance alone")
        .at_least(0);
    command.on_run([&ctx, path, proofs] {
        store_checker checker(ctx, *proofs);
        checker.check(*path);
        checker.finish();
    });
}

}  // namespace optgap::cli
