#include "tools/cli/store/store_rows.hpp"

#include <algorithm>

#include <fmt/format.h>

#ifndef OPTGAP_VERSION
#define OPTGAP_VERSION "unknown"
#endif

namespace optgap::cli {
namespace {

store::row row_of(baseline const& found, std::span<std::int32_t const> answer, task_info const& info,
                  std::int64_t budget) {
    store::row out;
    out.floor = found.floor;
    out.greedy = found.greedy;
    store::origin const by{found.steps, budget, "exact", OPTGAP_VERSION};
    if (!answer.empty()) {
        out.objective = found.objective;
        out.answer.assign(answer.begin(), answer.end());
        out.found = by;
    }
    out.excluded = found.status == baseline_status::infeasible;
    if (out.excluded || found.bound != no_objective) {
        out.bound = out.excluded ? no_objective : found.bound;
        out.bound_kind = info.bound_kinds[std::size_t(found.bound_kind)];
        out.bounded = by;
    }
    out.tried = budget;
    return out;
}

/// What the times of a transaction are kept under.
store::time_entry kind_of(engine const& by, std::vector<store_item> const& items) {
    constexpr char const* several = "several";
    auto const level_of = [](store_item const& item) {
        return item.spec.task < 0 ? std::string("explicit") : level_name(item.spec.level);
    };
    task_info const& info = by.tasks()[std::size_t(items.front().task)];
    store::time_entry out{fmt::format("{}@{}", info.name, info.version), level_of(items.front()), OPTGAP_VERSION,
                          by.threads()};
    for (store_item const& item : items) {
        out.task = item.task == items.front().task ? out.task : several;
        out.level = level_of(item) == out.level ? out.level : several;
    }
    return out;
}

}  // namespace

std::int64_t steps_of(task_info const& info, std::int64_t budget) { return budget < 0 ? info.default_budget : budget; }

store::row_key key_of_item(engine const& by, store_item const& item, instance_hash hash) {
    task_info const& info = by.tasks()[std::size_t(item.task)];
    instance_key const key = item.spec.task >= 0 ? optgap::key_of(info, item.spec, hash) : explicit_key(info, hash);
    return store::key_of(key, hash);
}

void forget_hash(store::file& of) { of.base().execute("DELETE FROM meta WHERE name='hash'"); }

std::string kept_hash(store::file& of, engine const& by) {
    std::string hash = of.meta("hash");
    if (hash.empty()) {
        hash = store::hash_of(of.path(), by);
        of.set_meta("hash", hash);
    }
    return hash;
}

bool is_expensive(store::row const& of, task_info const& info, std::int64_t expensive_steps) {
    bool const ours = of.found.solver == "exact" || of.found.solver.empty();
    return of.key.part == store::explicit_part || !of.proven() || !ours ||
           std::max(of.found.steps, of.bounded.steps) > std::min(expensive_steps, info.default_budget);
}

stored_counts solve_into(store::file& out, engine const& by, std::vector<store_item> const& items, std::int64_t budget,
                         kept_rows const& kept, lap_clock* clock) {
    std::vector<instance_spec> specs, generated;
    for (store_item const& item : items) {
        specs.push_back(item.start.empty() ? item.spec : instance_spec{-1, {}, split::train, 0});
        if (item.spec.task >= 0) {
            generated.push_back(item.spec);
        }
    }
    instance_batch const made = by.generate(generated);
    csr_words const plants = by.planted(specs);
    instance_batch batch;
    csr_words starts;
    std::int64_t next = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        store_item const& item = items[i];
        batch.append(item.task,
                     item.spec.task >= 0 ? made.blocks.row(next++) : std::span<std::int32_t const>(item.words));
        starts.append(item.start.empty() ? plants.row(std::int64_t(i)) : std::span<std::int32_t const>(item.start));
    }
    std::vector<verdict> const worth = by.verify(batch.view(), starts.view());
    solved_batch const solved = by.solve(batch.view(), budget, starts.view());
    stored_counts did;
    sqlite::transaction all(out.base());
    for (std::size_t i = 0; i < items.size(); ++i) {
        store_item const& item = items[i];
        task_info const& info = by.tasks()[std::size_t(item.task)];
        std::span<std::int32_t const> const words = batch.blocks.row(std::int64_t(i));
        store::row found = row_of(solved.rows[i], solved.answers.row(std::int64_t(i)), info, steps_of(info, budget));
        did.steps += solved.rows[i].steps;
        found.hash = hash_words(words);
        found.key = key_of_item(by, item, found.hash);
        if (!item.start.empty() && std::ranges::equal(solved.answers.row(std::int64_t(i)), item.start)) {
            // The search found no other answer: it stays whose it was, also where this run spent no steps.
            found.objective = no_objective;
            found.answer.clear();
            found.found = {};
        }
        if (!item.solver.empty()) {  // the answer as it was given, whatever our own search makes of it
            store::row given = found;
            given.objective = worth[i].objective;
            given.answer = item.start;
            given.found = {0, 0, item.solver, OPTGAP_VERSION};
            found = store::join(found, given, info.objective_sense);
        }
        if (kept && !kept(found, item.task) && !out.find(found.key)) {
            continue;
        }
        did.changed += out.put(found, info.objective_sense) ? 1 : 0;
        if (item.spec.task < 0) {
            out.put_instance(found.key, {item.name, {words.begin(), words.end()}});
        }
    }
    if (did.changed > 0) {
        forget_hash(out);
    }
    if (clock != nullptr && !items.empty()) {
        store::time_entry spent = kind_of(by, items);
        spent.rows = std::int64_t(items.size());
        spent.steps = did.steps;
        spent.nanoseconds = clock->lap();
        out.add_time(spent);
    }
    all.commit();
    return did;
}

}  // namespace optgap::cli
