// Gates that compare a proposal with others and prove its value.

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>

#include <nlohmann/json.hpp>

#include "host/proposal/profile.hpp"
#include "host/proposal/reading.hpp"
#include "kernels/canonical/form.hpp"
#include "kernels/registry/registry.hpp"

namespace optgap {
namespace proposals {

struct canonical_id {
    std::int32_t task = 0;
    instance_hash hash;
    friend bool operator==(canonical_id const&, canonical_id const&) = default;
};
struct canonical_bits {
    std::size_t operator()(canonical_id const& id) const { return std::size_t(id.hash.low) ^ std::size_t(id.task); }
};

}  // namespace proposals

namespace {

using proposals::canonical_bits;
using proposals::canonical_id;
using proposals::profile;

constexpr std::int64_t state_format = 1;
/// The number of rows that are solved in one call. Rows after the one that uses up the batch's steps are solved in
/// vain.
constexpr std::size_t solved_together = 64;
/// The number of entries that a proposal is compared with, the newest of its size.
constexpr std::size_t compared_entries = 64;

char const* why_trivial(checked_proposal const& of) {
    std::int64_t const best = of.base.objective;
    if (of.base.floor == best) {
        return "the constant policy's answer is optimal";
    }
    if (of.base.greedy == best) {
        return "the greedy answer is optimal";
    }
    if (of.levels == 1) {
        return "all noisy greedy answers are worth the same";
    }
    canonical_rules const* const rules = registry()[std::size_t(of.task)].canonical;
    std::int64_t const choices = rules == nullptr || rules->choices == nullptr
                                     ? -1
                                     : rules->choices({of.words.data(), std::int64_t(of.words.size())});
    return choices >= 0 && (best <= 1 || best == choices) ? "an optimal answer has all or at most one" : nullptr;
}

constexpr std::int32_t first_gate = code_not_json;
constexpr std::int32_t last_gate = code_trivial;

}  // namespace

format_spec const& question_format() {
    static format_spec const spec =
        parse_format(R"({"name": "question", "reasoning": "optional", "answer": ["<question>", "</question>"]})");
    return spec;
}

float gate_reward(std::int32_t code) {
    if (code == code_ok) {
        return 1.0f;
    }
    if (code == code_proposal_not_run) {
        return std::numeric_limits<float>::quiet_NaN();
    }
    if (code == code_over_quota) {
        return 0.0f;
    }
    return is_proposal_code(code) ? -0.5f + 0.375f * float(code - first_gate) / float(last_gate - first_gate) : -1.0f;
}

struct proposal_checker::state {
    engine const& by;
    proposal_options options;
    std::mutex turn;
    std::unordered_map<std::string, std::pair<std::int32_t, std::vector<std::int32_t>>> parents;
    proposals::text_reader reader;
    std::unordered_map<canonical_id, std::string, canonical_bits> known;  ///< with the first one's key
    std::unordered_map<canonical_id, bool, canonical_bits> held_out;
    /// By task and size, the newest last. Each has the key of its words in `parents`.
    std::map<std::pair<std::int32_t, std::size_t>, std::deque<std::pair<std::string, profile>>> entries;
    std::int64_t rows = 0;
    std::int64_t infeasible = 0;                                           ///< accepted infeasible ones
    std::int64_t used = 0;                                                 ///< steps used by proofs
    std::map<std::pair<std::int64_t, std::int32_t>, std::int64_t> passed;  ///< by step and task, for the quota

    state(engine const& engine_, proposal_options options_)
        : by(engine_),
          options(std::move(options_)),
          reader(by, limits(), [this](std::string_view name, std::int32_t& task) { return parent_named(name, task); }) {
    }

    [[nodiscard]] std::vector<proposal_limits> limits() const {
        std::size_t const tasks = by.tasks().size();
        if (!options.limits.empty() && options.limits.size() != tasks) {
            misuse("limits: expected one for each of the " + std::to_string(tasks) + " tasks");
        }
        return options.limits.empty() ? std::vector<proposal_limits>(tasks) : options.limits;
    }
    [[nodiscard]] std::vector<std::int32_t> parent_named(std::string_view name, std::int32_t& task) const {
        if (auto const found = parents.find(std::string(name)); found != parents.end()) {
            task = found->second.first;
            return found->second.second;
        }
        return options.parent_of ? options.parent_of(name, task) : std::vector<std::int32_t>{};
    }
    [[nodiscard]] canonical_id id_of(std::string_view key) const {
        std::size_t const at = key.find('@');
        std::size_t const mark = key.find(":c:");
        if (at == std::string_view::npos || mark == std::string_view::npos || key.size() != mark + 35) {
            throw field_error("canonical", "must be a canonical key such as tsp@1:c:HASH32");
        }
        canonical_id id;
        task_info const* info = nullptr;
        for (std::size_t t = 0; t < by.tasks().size(); ++t) {
            if (by.tasks()[t].name == key.substr(0, at)) {
                id.task = std::int32_t(t);
                info = &by.tasks()[t];
            }
        }
        if (info == nullptr || std::to_string(info->version) != key.substr(at + 1, mark - at - 1)) {
            throw field_error("canonical", "names no task and version of this build");
        }
        for (std::size_t i = 0; i < 32; ++i) {
            std::size_t const digit = std::string_view("0123456789abcdef").find(key[mark + 3 + i]);
            if (digit == std::string_view::npos) {
                throw field_error("canonical", "must end with 32 hex digits in lower case");
            }
            std::uint64_t& half = i < 16 ? id.hash.high : id.hash.low;
            half = half << 4 | std::uint64_t(digit);
        }
        return id;
    }

    void fail(checked_proposal& row, std::int32_t code, std::string rule) const {
        row.code = code;
        row.rule = std::move(rule);
    }
    /// Sets held_out, duplicate and near_duplicate for a row that was read.
    void compare(checked_proposal& row) {
        canonical_hash const form = canonical_of(by, row.task, row.words);
        row.canonical = canonical_key(by.tasks()[std::size_t(row.task)], form);
        row.coarse = form.coarse;
        canonical_id const id{row.task, form.hash};
        if (held_out.contains(id)) {
            return fail(row, code_held_out, "is the same problem as one that is held out");
        }
        if (auto const [before, is_new] = known.try_emplace(id, row.key); !is_new) {
            row.duplicate_of = before->second;
            return fail(row, code_duplicate, "is the same problem as " + before->second);
        }
        if (options.near_entries > 0 && row.kind != proposal_kind::spec) {
            profile own = proposals::profile_of(row.task, row.words);
            auto& there = entries[{row.task, own.size()}];
            auto const near = std::ranges::count_if(there, [&](auto const& other) {
                return proposals::distance(own, other.second) <= options.near_distance;
            });
            if (near >= options.near_entries) {
                return fail(row, code_near_duplicate, "is near to " + std::to_string(near) + " proposals");
            }
            there.emplace_back(row.key, std::move(own));
            if (there.size() > compared_entries) {
                there.pop_front();
            }
        }
        parents.try_emplace(row.key, row.task, row.words);
    }

    [[nodiscard]] std::int64_t allowance(checked_proposal const& row) const {
        return options.budget >= 0 ? options.budget : by.tasks()[std::size_t(row.task)].default_budget;
    }
    [[nodiscard]] bool has_steps_for(checked_proposal const& row) const {
        return options.steps < 0 || allowance(row) <= options.steps - used;
    }

    /// The number of distinct objectives of noisy greedy answers; 0 where some have none. Solves one instance per call,
    /// since random draws depend on the row.
    [[nodiscard]] std::int32_t levels_of(checked_proposal const& row) const {
        instance_batch one;
        one.append(row.task, row.words);
        csr_words const answers = by.noisy_greedy(one.view(), proposal_greedies);
        std::vector<std::int32_t> const same(std::size_t(proposal_greedies), 0);
        std::set<std::int64_t> objectives;
        for (verdict const& found : by.verify(one.view(), answers.view(), same)) {
            if (!found.feasible()) {
                return 0;
            }
            objectives.insert(found.objective);
        }
        return std::int32_t(objectives.size());
    }

    void settle(checked_proposal& row, std::int64_t row_number, std::int64_t step, baseline const& found,
                std::span<std::int32_t const> answer) {
        used += found.steps;
        row.base = found;
        row.answer.assign(answer.begin(), answer.end());
        if (!found.proven()) {
            return fail(row, code_unproven, "its budget ended first");
        }
        bool const has_answer = found.status != baseline_status::infeasible;
        if (!has_answer && (infeasible + 1) * 1000 > options.infeasible_permille * row_number) {
            return fail(row, code_no_answer_exists, "it is proven, and the share of such proposals is used up");
        }
        if (has_answer) {
            row.levels = levels_of(row);
            if (char const* const why = why_trivial(row); why != nullptr) {
                return fail(row, code_trivial, why);
            }
        }
        if (options.quota > 0 && ++passed[{step, row.task}] > options.quota) {
            return fail(row, code_over_quota, "its task had " + std::to_string(options.quota) + " in this step");
        }
        infeasible += has_answer ? 0 : 1;
    }

    void prove(std::span<proposal_text const> texts, std::span<checked_proposal> out,
               std::span<std::size_t const> those, std::int64_t before) {
        instance_batch batch;
        for (std::size_t const i : those) {
            if (has_steps_for(out[i])) {
                batch.append(out[i].task, out[i].words);
            }
        }
        solved_batch const found =
            options.solve ? options.solve(batch.view(), options.budget) : by.solve(batch.view(), options.budget);
        std::size_t const solved = found.rows.size();
        std::size_t next = 0;
        std::vector<std::size_t> place(those.size(), solved);
        for (std::size_t k = 0; k < those.size(); ++k) {
            place[k] = has_steps_for(out[those[k]]) ? next++ : solved;
        }
        for (std::size_t k = 0; k < those.size(); ++k) {
            checked_proposal& row = out[those[k]];
            if (place[k] == solved || !has_steps_for(row)) {
                fail(row, code_proposal_not_run, "the batch's steps were used up before it");
            } else {
                settle(row, before + std::int64_t(those[k]) + 1, texts[those[k]].step, found.rows[place[k]],
                       found.answers.row(std::int64_t(place[k])));
            }
        }
    }

    [[nodiscard]] std::string saved() const {
        json out{{"proposal_checker", state_format}, {"rows", rows}, {"infeasible", infeasible}, {"used", used}};
        auto const sorted = [&](char const* field, std::vector<json> values) {
            std::sort(values.begin(), values.end());
            out[field] = std::move(values);
        };
        auto const name = [&](std::int32_t task) { return by.tasks()[std::size_t(task)].name; };
        std::vector<json> counts, names, blocks;
        for (auto const& [of, count] : passed) {
            counts.push_back({of.first, name(of.second), count});
        }
        for (auto const& [id, key] : known) {
            names.push_back({canonical_key(by.tasks()[std::size_t(id.task)], {id.hash, false}), key});
        }
        for (auto const& [key, of] : parents) {
            blocks.push_back({key, name(of.first), of.second});
        }
        sorted("passed", std::move(counts));
        sorted("known", std::move(names));
        sorted("parents", std::move(blocks));
        json near = json::array();
        for (auto const& [of, newest] : entries) {
            json keys = json::array();
            for (auto const& one : newest) {
                keys.push_back(one.first);
            }
            near.push_back(keys);
        }
        out["near"] = near;
        return out.dump();
    }

    /// Restores the state of a checker that has judged nothing. Throws any exception for a malformed text.
    void take(json const& from) {
        if (from.at("proposal_checker") != state_format) {
            throw field_error("state", "is of another version");
        }
        from.at("rows").get_to(rows);
        from.at("infeasible").get_to(infeasible);
        from.at("used").get_to(used);
        for (json const& one : from.at("passed")) {
            passed[{one.at(0).get<std::int64_t>(), by.task_index(one.at(1).get<std::string>())}] =
                one.at(2).get<std::int64_t>();
        }
        for (json const& one : from.at("known")) {
            known.emplace(id_of(one.at(0).get<std::string>()), one.at(1).get<std::string>());
        }
        for (json const& one : from.at("parents")) {
            std::int32_t const task = by.task_index(one.at(1).get<std::string>());
            auto words = one.at(2).get<std::vector<std::int32_t>>();
            by.check(task, words);
            parents.emplace(one.at(0).get<std::string>(), std::pair(task, std::move(words)));
        }
        for (json const& keys : from.at("near")) {
            for (json const& key : keys) {
                auto const& [task, words] = parents.at(key.get<std::string>());
                profile own = proposals::profile_of(task, words);
                std::size_t const size = own.size();
                entries[{task, size}].emplace_back(key.get<std::string>(), std::move(own));
            }
        }
    }
};

proposal_checker::proposal_checker(engine const& by, proposal_options options)
    : state_(std::make_unique<state>(by, std::move(options))) {}
proposal_checker::~proposal_checker() = default;
proposal_checker::proposal_checker(proposal_checker&&) noexcept = default;

void proposal_checker::hold_out(std::string_view canonical) {
    std::lock_guard const mine(state_->turn);
    state_->held_out.emplace(state_->id_of(canonical), true);
}

void proposal_checker::know(std::string_view canonical, std::string key) {
    std::lock_guard const mine(state_->turn);
    state_->known.try_emplace(state_->id_of(canonical), std::move(key));
}

std::string proposal_checker::save() const {
    std::lock_guard const mine(state_->turn);
    return state_->saved();
}

void proposal_checker::restore(std::string_view text) {
    std::lock_guard const mine(state_->turn);
    auto made = std::make_unique<state>(state_->by, state_->options);
    try {
        made->take(json::parse(text));
    } catch (std::exception const& broken) {
        throw field_error("state", std::string("is none that proposals' gates wrote: ") + broken.what());
    }
    // Keeps the lock, which is held, and the reader, which asks for parents of its own state.
    std::swap(made->parents, state_->parents);
    std::swap(made->known, state_->known);
    std::swap(made->entries, state_->entries);
    std::swap(made->passed, state_->passed);
    state_->rows = made->rows;
    state_->infeasible = made->infeasible;
    state_->used = made->used;
}

checked_proposal proposal_checker::read(std::string_view text) const {
    std::lock_guard const mine(state_->turn);
    return state_->reader.read(text);
}

std::vector<checked_proposal> proposal_checker::check(std::span<proposal_text const> rows) {
    std::lock_guard const mine(state_->turn);
    std::vector<checked_proposal> out(rows.size());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].format_code != code_ok) {
            out[i].code = rows[i].format_code;
            continue;
        }
        out[i] = state_->reader.read(rows[i].text);
        if (out[i].sound()) {
            state_->compare(out[i]);
        }
        if (out[i].sound()) {
            open.push_back(i);
        }
    }
    for (std::size_t first = 0; first < open.size(); first += solved_together) {
        std::size_t const count = std::min(solved_together, open.size() - first);
        state_->prove(rows, out, std::span(open).subspan(first, count), state_->rows);
    }
    state_->rows += std::int64_t(rows.size());
    return out;
}

}  // namespace optgap
