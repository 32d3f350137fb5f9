// optgap._native.Pool: the library's, over arrays. The GIL is released during work.

#include "host/pool/pool.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "host/pool/check.hpp"
#include "python/src/values/arrays.hpp"
#include "python/src/values/baselines.hpp"
#include "python/src/values/interpreter_lock.hpp"
#include "python/src/values/lookups.hpp"

namespace optgap::python {
namespace {

constexpr std::int64_t proofs_on_load = 4;

/// A pool, and what this process brings to the end of the step.
class bound_pool {
public:
    bound_pool(std::string const& path, std::optional<std::uint64_t> seed, std::optional<std::string> const& by,
               std::optional<std::int64_t> window, std::optional<std::int64_t> capacity, bool writes) {
        released_gil const released;
        if (writes && !std::filesystem::exists(path)) {
            pool::settings const usual;
            pool::file::make(path, {seed.value_or(usual.seed), by ? pool::policy_named(*by) : usual.by,
                                    window.value_or(usual.window), capacity.value_or(usual.capacity)});
        }
        pool_ = std::make_unique<pool::pool>(path, writes);
        writes_ = writes;
        pool::settings const& made = pool_->made_with();
        auto const other = [&](char const* name, std::string const& known) {
            throw argument_error(name, path + " was made with " + known + ": expected that, or nothing said");
        };
        if (seed && *seed != made.seed) {
            other("seed", std::to_string(made.seed));
        }
        if (by && pool::policy_named(*by) != made.by) {
            other("policy", pool::policy_names[std::size_t(made.by)]);
        }
        if (window && *window != made.window) {
            other("window", std::to_string(made.window));
        }
        if (capacity && *capacity != made.capacity) {
            other("capacity", std::to_string(made.capacity));
        }
        pool::check_report const found = pool::check(lookup_engine(), *pool_, proofs_on_load);
        if (found.wrong > 0) {
            throw sqlite::failure(sqlite::problem::damaged, path,
                                  found.sentences[0] + "; expected what its entries say to be true");
        }
    }

    /// Codes, canonical keys, coarse, duplicate_of and baselines of the rows. `proofs`, with their answers: of all
    /// rows, by this process and with this budget; None: they are made.
    nb::tuple add(int32_in const& task, int32_in const& words, int64_in const& offsets,
                  std::vector<std::int32_t> const& kinds, std::vector<std::string> const& parents, std::int64_t budget,
                  std::optional<nb::dict> const& proofs, std::optional<int32_in> const& answers,
                  std::optional<int64_in> const& answer_offsets) {
        instance_view const instances = instances_of(task, words, offsets);
        std::vector<pool::lineage> from(kinds.size());
        for (std::size_t r = 0; r < from.size(); ++r) {
            from[r].kind = pool::origin(kinds[r]);
            if (!parents[r].empty()) {
                from[r].parent = pool::hash_from(parents[r], "parent");
            }
        }
        std::optional<solved_batch> known;
        if (proofs && answers && answer_offsets) {
            rows_of("answers", *answers, *answer_offsets);
            known = {baselines_from(*proofs),
                     {{answers->data(), answers->data() + answers->size()},
                      {answer_offsets->data(), answer_offsets->data() + answer_offsets->size()}}};
        }
        std::vector<pool::received> got;
        {
            released_gil const released;
            for (std::int64_t r = 0; r < instances.blocks.rows; ++r) {
                lookup_engine().check(instances.task[r], instances.blocks.row(r));
            }
            got = take(instances, from, budget, known ? &*known : nullptr);
        }
        std::vector<std::int32_t> codes;
        std::vector<std::uint8_t> coarse;
        std::vector<std::int64_t> duplicate_of;
        std::vector<std::string> canonical;
        std::vector<baseline> found;
        for (std::size_t r = 0; r < got.size(); ++r) {
            task_info const& info = task_at(task.data()[r]);
            codes.push_back(std::int32_t(got[r].code));
            coarse.push_back(got[r].coarse ? 1 : 0);
            duplicate_of.push_back(got[r].duplicate_of);
            canonical.push_back(std::string(info.name) + "@" + std::to_string(info.version) +
                                ":c:" + hex32(got[r].canonical));
            found.push_back(got[r].found);
        }
        return nb::make_tuple(to_array(std::move(codes)), canonical, to_mask(std::move(coarse)),
                              to_array(std::move(duplicate_of)), baseline_columns(std::move(found)));
    }

    /// Codes, canonical keys and duplicate_of of questions in free text. `quality`: NaN where judges say nothing.
    nb::tuple add_questions(std::vector<nb::bytes> const& texts, std::vector<nb::bytes> const& references,
                            array_in<double> const& quality, bool seeds, double enough) {
        std::vector<std::int32_t> codes;
        std::vector<std::int64_t> duplicate_of;
        std::vector<std::string> canonical;
        std::vector<pool::question> questions;
        for (std::size_t r = 0; r < texts.size(); ++r) {  // a wrong row leaves all as it was
            questions.push_back({{texts[r].c_str(), texts[r].size()}, {references[r].c_str(), references[r].size()}});
            try {
                static_cast<void>(pool::question_entry(questions.back()));
            } catch (field_error const& broken) {
                throw argument_error(broken.field().c_str(), "row " + std::to_string(r) + " " + broken.rule());
            }
        }
        pool::lineage const from{seeds ? pool::origin::seed : pool::origin::question, {}};
        for (std::size_t r = 0; r < texts.size(); ++r) {
            pool::received const got = receiver_of(budget_).take(questions[r], from, quality.data()[r], enough);
            codes.push_back(std::int32_t(got.code));
            duplicate_of.push_back(got.duplicate_of);
            canonical.push_back(std::string(pool::question_task) + "@1:c:" + hex32(got.canonical));
        }
        keep_entries();
        return nb::make_tuple(to_array(std::move(codes)), canonical, to_array(std::move(duplicate_of)));
    }

    /// entry, text and reference of the questions that are drawn.
    nb::tuple draw_questions(std::int64_t first, std::int64_t count, std::optional<std::string> const& by) const {
        pool::drawer const draws(pool_->made_with().seed, pool_->step(),
                                 pool_->weights(policy_of(by), pool::content::questions));
        std::vector<std::int64_t> entry;
        for (std::int64_t index = first; index < first + count; ++index) {
            entry.push_back(draws.draw(index).place);
        }
        return questions_at(std::move(entry));
    }
    /// The same of all that came in from entry `first` on.
    nb::tuple questions(std::int64_t first) const {
        std::vector<std::int64_t> entry;
        for (std::int64_t id = first; id < pool_->entries(); ++id) {
            if (pool_->is_of(std::size_t(id), pool::content::questions)) {
                entry.push_back(id);
            }
        }
        return questions_at(std::move(entry));
    }
    [[nodiscard]] bool holds_questions() const { return pool_->holds(pool::content::questions); }

    void observe(int64_in const& entry, array_in<double> const& quality, array_in<bool> const& optimal) {
        std::map<std::int64_t, pool::outcome> sums = sums_;  // a wrong row leaves all as it was
        for (std::size_t r = 0; r < entry.size(); ++r) {
            std::int64_t const id = entry.data()[r];
            if (id < 0 || id >= pool_->entries()) {
                throw argument_error("entry", "row " + std::to_string(r) + ": expected an entry of the pool, 0 to " +
                                                  std::to_string(pool_->entries() - 1));
            }
            double const x = quality.data()[r];
            if (!(x >= -1 && x <= 1)) {
                throw argument_error("normalized", "row " + std::to_string(r) + ": expected a number from -1 to 1");
            }
            pool::outcome& sum = sums.try_emplace(id, pool::outcome{id, 0, 0, 0, 0}).first->second;
            if (sum.attempts == pool::max_attempts) {
                throw argument_error("entry",
                                     "row " + std::to_string(r) + ": no more attempts of one entry are counted");
            }
            sum += pool::outcome_of(id, optimal.data()[r], pool::quality_units(std::max(x, 0.0)));
        }
        sums_ = std::move(sums);
    }

    /// What this process has brought, up to the first call in this step.
    std::string delta(std::int32_t rank) {
        if (sent_.empty() || sent_.parts().begin()->first.step != pool_->step()) {
            pool::part mine{{pool_->step(), rank, 0}, pool_->hash(), std::move(entries_), {}};
            for (auto const& [id, sum] : sums_) {
                mine.outcomes.push_back(sum);
            }
            entries_.clear();
            sums_.clear();
            had_.reset();
            sent_ = {};
            sent_.add(std::move(mine));
        } else if (sent_.parts().begin()->first.rank != rank) {
            throw argument_error(
                "rank", "this step's delta was made as rank " + std::to_string(sent_.parts().begin()->first.rank));
        }
        return pool::to_text(sent_);
    }

    bool merge(std::string_view text, std::int64_t proofs) {
        require_writer("merge");
        released_gil const released;
        pool::delta const given = pool::delta_from(text);
        if (pool_->is_in(given)) {
            return false;
        }
        std::size_t const before = arrived_.parts().size();
        pool::delta all = arrived_;
        all.join(given.of_step(pool_->step()));
        if (all.parts().size() == before) {
            return false;
        }
        pool::require_sound(lookup_engine(), given, proofs);
        arrived_ = std::move(all);
        return true;
    }

    nb::tuple step() {
        require_writer("step");
        pool::step_counts did;
        {
            released_gil const released;
            if (arrived_.empty()) {
                bool const sent = !sent_.empty() && sent_.parts().begin()->first.step == pool_->step();
                if (!sent) {
                    static_cast<void>(delta(0));
                }
                arrived_ = sent_;
            }
            did = pool_->end_step(arrived_);
            arrived_ = {};
        }
        return nb::make_tuple(did.added, did.repeated, did.outcomes, did.gone);
    }

    /// steps, entries, outcomes and gone that were dropped, and the file that keeps them.
    nb::tuple rewind(std::int64_t step, std::optional<std::string> const& hash) {
        require_writer("rewind");
        pool::rewind_counts did;
        {
            nb::gil_scoped_release const released;
            did = pool_->rewind(step, hash ? std::optional(pool::hash_from(*hash, "hash")) : std::nullopt);
            forget();
        }
        return nb::make_tuple(did.steps, did.entries, did.outcomes, did.gone, did.kept);
    }

    /// entry, task, words and offsets, and the baselines of the draws.
    nb::tuple draw(std::int64_t first, std::int64_t count, std::optional<std::string> const& by) const {
        std::vector<std::int64_t> entry;
        instance_batch shown;
        std::vector<baseline> known;
        {
            released_gil const released;
            pool::drawer const draws(pool_->made_with().seed, pool_->step(),
                                     pool_->weights(policy_of(by), pool::content::problems));
            for (std::int64_t index = first; index < first + count; ++index) {
                pool::drawn_entry const drawn = draws.draw(index);
                pool::entry const one = pool_->read(drawn.place);
                pool::posed const posed = pool::pose(lookup_engine(), one, drawn.label_seed);
                shown.append(posed.task, posed.words);
                entry.push_back(drawn.place);
                // Floor and greedy are of the labels that came in, and may be others under these.
                known.push_back({.objective = one.objective,
                                 .bound = one.objective,
                                 .steps = one.steps,
                                 .status = one.infeasible ? baseline_status::infeasible : baseline_status::optimal});
            }
        }
        return nb::make_tuple(to_array(std::move(entry)), to_array(std::move(shown.task)),
                              to_arrays(std::move(shown.blocks)), baseline_columns(std::move(known)));
    }

    [[nodiscard]] nb::object weights(std::optional<std::string> const& by) const {
        return to_array(pool_->weights(policy_of(by)));
    }
    [[nodiscard]] std::vector<std::string> verify(std::int64_t proofs) const {
        released_gil const released;
        return pool::check(lookup_engine(), *pool_, proofs).sentences;
    }
    bool refresh() {
        bool const went_on = pool_->refresh();
        if (!went_on) {
            forget();
        }
        return went_on;
    }
    [[nodiscard]] std::string hash() const { return hex32(pool_->hash()); }
    [[nodiscard]] std::int64_t entries() const { return pool_->entries(); }
    [[nodiscard]] std::int64_t steps() const { return pool_->step(); }
    [[nodiscard]] std::uint64_t seed() const { return pool_->made_with().seed; }
    [[nodiscard]] std::int64_t window() const { return pool_->made_with().window; }
    [[nodiscard]] std::string by() const { return pool::policy_names[std::size_t(pool_->made_with().by)]; }

private:
    [[nodiscard]] pool::policy policy_of(std::optional<std::string> const& by) const {
        return by ? pool::policy_named(*by) : pool_->made_with().by;
    }
    void require_writer(char const* what) const {
        if (!writes_) {
            throw argument_error("writes", std::string(what) + " changes the file: expected a Pool with writes=True");
        }
    }
    /// What this process brought to a step of another past.
    void forget() {
        had_.reset();
        entries_.clear();
        sums_.clear();
        sent_ = {};
        arrived_ = {};
    }
    std::vector<pool::received> take(instance_view instances, std::span<pool::lineage const> from, std::int64_t budget,
                                     solved_batch const* known) {
        std::vector<pool::received> out = receiver_of(budget).take(instances, from, known);
        keep_entries();
        return out;
    }
    pool::receiver& receiver_of(std::int64_t budget) {
        if (!had_ || budget_ != budget) {
            had_ = std::make_unique<pool::receiver>(lookup_engine(), *pool_, budget);
            budget_ = budget;
        }
        return *had_;
    }
    void keep_entries() {
        std::vector<pool::entry>& fresh = had_->entries();
        entries_.insert(entries_.end(), std::make_move_iterator(fresh.begin()), std::make_move_iterator(fresh.end()));
        fresh.clear();
    }
    [[nodiscard]] nb::tuple questions_at(std::vector<std::int64_t> entry) const {
        std::vector<std::string> texts, references;
        for (std::int64_t const id : entry) {
            pool::question one = pool::question_of(pool_->read(id));
            texts.push_back(std::move(one.text));
            references.push_back(std::move(one.reference));
        }
        return nb::make_tuple(to_array(std::move(entry)), texts, references);
    }

    std::unique_ptr<pool::pool> pool_;
    bool writes_ = false;
    std::unique_ptr<pool::receiver> had_;
    std::int64_t budget_ = -1;
    std::vector<pool::entry> entries_;
    std::map<std::int64_t, pool::outcome> sums_;
    pool::delta sent_, arrived_;
};

}  // namespace

void bind_pool(nb::module_& m) {
    m.def("question_key", [](nb::bytes const& text) {
        pool::entry const one = pool::question_entry({{text.c_str(), text.size()}, {}});
        return nb::make_tuple(pool::question_of(one).text, pool::key_of(one));
    });
    nb::class_<bound_pool>(m, "Pool")
        .def(nb::init<std::string const&, std::optional<std::uint64_t>, std::optional<std::string> const&,
                      std::optional<std::int64_t>, std::optional<std::int64_t>, bool>(),
             nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg().none(), nb::arg().none(), nb::arg())
        .def("add", &bound_pool::add, nb::lock_self(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
             nb::arg().none(), nb::arg().none(), nb::arg().none())
        .def("add_questions", &bound_pool::add_questions, nb::lock_self())
        .def("draw_questions", &bound_pool::draw_questions, nb::lock_self(), nb::arg(), nb::arg(), nb::arg().none())
        .def("questions", &bound_pool::questions, nb::lock_self())
        .def("holds_questions", &bound_pool::holds_questions, nb::lock_self())
        .def("observe", &bound_pool::observe, nb::lock_self())
        .def("delta", &bound_pool::delta, nb::lock_self())
        .def("merge", &bound_pool::merge, nb::lock_self())
        .def("step", &bound_pool::step, nb::lock_self())
        .def("rewind", &bound_pool::rewind, nb::lock_self(), nb::arg(), nb::arg().none())
        .def("draw", &bound_pool::draw, nb::lock_self(), nb::arg(), nb::arg(), nb::arg().none())
        .def("weights", &bound_pool::weights, nb::lock_self(), nb::arg().none())
        .def("verify", &bound_pool::verify, nb::lock_self())
        .def("refresh", &bound_pool::refresh, nb::lock_self())
        .def_prop_ro("hash", &bound_pool::hash, nb::lock_self())
        .def_prop_ro("entries", &bound_pool::entries, nb::lock_self())
        .def_prop_ro("steps", &bound_pool::steps, nb::lock_self())
        .def_prop_ro("seed", &bound_pool::seed, nb::lock_self())
        .def_prop_ro("window", &bound_pool::window, nb::lock_self())
        .def_prop_ro("policy", &bound_pool::by, nb::lock_self());
}

}  // namespace optgap::python
