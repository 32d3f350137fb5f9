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
        std::vector<std::string> const files = store::files_of(path);
        for (std::string const& name : files) {
            check_file(name);
        }
        if (wrong_ == 0 && files.size() > 1) {  // do the files contradict each other?
            store::reader rows(files, false);
            while (rows.next([&](std::string const& task) { return store::direction_of(by_, task); })) {
            }
        }
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
        std::string faults;

        void blame(std::string const& rule) { faults += (faults.empty() ? "" : "; ") + rule; }
    };

    void complain(std::string const& what, std::string const& rule) {
        if (++wrong_ <= 20) {
            ctx_.warn(fmt::format("{}: {}", what, rule));
        }
    }

    void check_file(std::string const& name) {
        store::file const file(name, sqlite::access::read);
        file.base().check_integrity();
        if (!file.has_digests()) {
            ctx_.note(fmt::format("{}: its rows have no digests, as schema 1 has none", name));
        }
        std::int64_t const wrong_before = wrong_, unknown_before = unknown_;
        file.each([&](store::row const& one, bool whole) {
            ++rows_;
            if (store::find_task(by_, one.key.task, one.key.version) == nullptr && whole) {
                ++unknown_;
                return;
            }
            entry read{one, std::nullopt, ""};
            if (!whole) {
                read.blame("the row is not what was written");
            }
            try {
                read.own = one.key.part == store::explicit_part ? file.instance(one.key) : std::nullopt;
            } catch (store::damaged_row const&) {
                read.blame("its instance is not what was written");
            }
            if (!whole) {
                check_batch();  // what a damaged row says may be refused whole, and must not cost its neighbours
                check_damaged(std::move(read));
                return;
            }
            batch_.push_back(std::move(read));
            if (batch_.size() == batch_rows) {
                check_batch();
            }
        });
        check_batch();
        for (char const* const which : {"hash", "snapshot"}) {
            std::string const kept = file.meta(which);
            if (!kept.empty() && wrong_ == wrong_before && unknown_ == unknown_before &&
                kept != store::hash_of(name, by_)) {
                complain(name, fmt::format("its content has another hash than the {} that it keeps", kept));
            }
        }
    }

    /// Says what else is wrong with it.
    void check_damaged(entry damaged) {
        batch_.push_back(std::move(damaged));
        try {
            check_batch();
        } catch (error const& refused) {
            batch_[0].blame(refused.what());
            complain(store::to_string(batch_[0].row.key, batch_[0].row.hash), batch_[0].faults);
            batch_.clear();
        }
    }

    void check_batch() {
        std::vector<instance_spec> specs;
        for (entry const& one : batch_) {
            if (is_keyed(one)) {
                specs.push_back({by_.task_index(one.row.key.task),
                                 {one.row.key.level},
                                 split(one.row.key.part),
                                 std::uint64_t(one.row.key.seed)});
            }
        }
        instance_batch const made = by_.generate(specs);
        instance_batch instances;
        csr_words answers;
        std::vector<entry*> with_answer;
        std::int64_t next = 0;
        for (entry& one : batch_) {
            bool const keyed = is_keyed(one);
            if (!keyed && !one.own) {
                if (one.faults.empty()) {
                    one.blame("its instance is not in the store");
                }
                continue;
            }
            std::span<std::int32_t const> const words =
                keyed ? made.blocks.row(next++) : std::span<std::int32_t const>(one.own->words);
            instance_hash const hash = hash_words(words);
            if (hash != one.row.hash || (!keyed && hash != one.row.key.own)) {
                one.blame(fmt::format("its hash is not that of its instance, {}", hex32(hash)));
                continue;
            }
            try {
                store::require_sound(one.row, store::direction_of(by_, one.row.key.task));
            } catch (store::alarm const& crossing) {
                one.blame(crossing.what());
                continue;
            }
            std::int32_t const task = by_.task_index(one.row.key.task);
            if (!keyed) {
                by_.check(task, words);
            }
            instances.append(task, words);
            answers.append(one.row.answer);
            with_answer.push_back(&one);
        }
        std::vector<verdict> const found = by_.verify(instances.view(), answers.view());
        for (std::size_t i = 0; i < with_answer.size(); ++i) {
            store::row const& row = with_answer[i]->row;
            if (row.objective != no_objective && (!found[i].feasible() || found[i].objective != row.objective)) {
                with_answer[i]->blame(found[i].feasible()
                                          ? fmt::format("its objective is {}, but its answer is worth {}",
                                                        row.objective, found[i].objective)
                                          : fmt::format("its answer is not feasible: {}",
                                                        by_.code_name(instances.task[i], found[i].code)));
            }
            prove(*with_answer[i], instances.task[i], instances.blocks.row(std::int64_t(i)));
        }
        for (entry const& one : batch_) {
            if (!one.faults.empty()) {
                complain(store::to_string(one.row.key, one.row.hash), one.faults);
            }
        }
        batch_.clear();
    }

    /// Whether it is of a task of this build, by a spec that generates it. A damaged row may be of none.
    [[nodiscard]] bool is_keyed(entry const& one) const {
        return one.row.key.part != store::explicit_part &&
               store::find_task(by_, one.row.key.task, one.row.key.version) != nullptr;
    }

    /// The first so many proven rows, from nothing but the instance.
    void prove(entry& of, std::int32_t task, std::span<std::int32_t const> words) {
        store::row const& row = of.row;
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
            of.blame("another proof says otherwise");
        } else if (!again.proven()) {
            of.blame("its budget proves nothing now");
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
