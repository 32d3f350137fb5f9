#include "host/baselines/baseline_source.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "host/baselines/baseline_entry.hpp"
#include "host/store/generation.hpp"

namespace optgap {

baseline_question baseline_query::question(std::int64_t row) const {
    baseline_question out;
    out.task = instances.task[row];
    if (!specs.empty()) {
        out.spec = specs[std::size_t(row)];
    }
    out.words = instances.blocks.row(row);
    if (starts.rows > 0) {
        out.start = starts.row(row);
    }
    out.budget = budget;
    return out;
}

namespace {

template <class Rows>
baseline_layer layer_over(std::shared_ptr<Rows> rows, baseline_from from, bool fixed) {
    return {.from = from,
            .find = [rows](std::int32_t task, instance_spec const& spec,
                           std::span<std::int32_t const> words) { return rows->find(task, spec, words); },
            .fixed = fixed,
            .sentence = [rows] { return rows->sentence(); }};
}

}  // namespace

baseline_layer layer_of(std::shared_ptr<store::snapshot> frozen) {
    return layer_over(std::move(frozen), baseline_from::snapshot, true);
}

baseline_layer layer_of(std::shared_ptr<store::generation> pinned) {
    return layer_over(std::move(pinned), baseline_from::store, false);
}

std::shared_ptr<baseline_source> own_baselines(engine const& by, decltype(baseline_layer::find) known,
                                               std::int64_t bytes) {
    baseline_source_options options{.layers = {}, .bytes = bytes};
    if (known) {
        options.layers.push_back({.find = std::move(known), .fixed = false});
    }
    return std::make_shared<baseline_source>(by, std::move(options));
}

baseline_source::baseline_source(engine const& by, baseline_source_options options)
    : by_(by), options_(std::move(options)) {}

baseline_source::~baseline_source() = default;

std::optional<sourced_baseline> baseline_source::ask_layers(baseline_question const& one, bool& fixed) const {
    for (baseline_layer const& layer : options_.layers) {
        sourced_baseline out{.value = {}, .state = baseline_state::found, .from = layer.from, .damage = {}};
        fixed = layer.fixed;
        try {
            if (std::optional<baseline> const known = layer.find(one.task, one.spec, one.words)) {
                out.value = *known;
                return out;
            }
        } catch (store::damaged_row const& changed) {
            out.damage = changed.what();
            return out;
        }
    }
    return std::nullopt;
}

std::vector<baseline_source::claim> baseline_source::read_layers(baseline_query const& asked,
                                                                 std::vector<claim> claimed) {
    if (options_.layers.empty()) {
        return claimed;
    }
    std::vector<claim> rest;
    for (claim const& one : claimed) {
        bool fixed = true;
        std::optional<sourced_baseline> found =
            one.of->asked ? std::nullopt : ask_layers(asked.question(one.row), fixed);
        if (!found) {
            rest.push_back(one);
            continue;
        }
        {
            std::lock_guard const locked(lock_);
            settle(*one.of, std::move(*found), fixed, {});
            evict();
        }
        settled_.notify_all();
    }
    return rest;
}

void baseline_source::prove_claimed(baseline_query const& asked, std::span<claim const> claimed) {
    std::size_t const all = claimed.size();
    std::size_t const step = options_.rows_per_turn == 0 ? all : std::size_t(options_.rows_per_turn * by_.threads());
    for (std::size_t begin = 0; begin < all; begin += step) {
        std::span<claim const> const turn = claimed.subspan(begin, std::min(step, all - begin));
        instance_batch batch;
        std::vector<instance_spec> specs;
        csr_words starts;
        for (claim const& one : turn) {
            baseline_question const question = asked.question(one.row);
            batch.append(question.task, question.words);
            specs.push_back(one.of->keyed ? question.spec : instance_spec{-1, {}, split::train, 0});
        }
        bool const keyed = std::ranges::any_of(turn, [](claim const& one) { return one.of->keyed; });
        csr_words const planted = keyed ? by_.planted(specs) : csr_words();
        for (std::size_t k = 0; k < turn.size(); ++k) {
            std::span<std::int32_t const> const own = asked.question(turn[k].row).start;
            starts.append(own.empty() && keyed ? planted.row(std::int64_t(k)) : own);
        }
        solved_batch const solved = by_.solve(batch.view(), asked.budget, starts.view());
        for (std::size_t k = 0; k < turn.size(); ++k) {
            std::lock_guard const locked(lock_);  // one row at a time: a caller of `recall` may hold a lock of its own
            settle(*turn[k].of, {solved.rows[k], baseline_state::found, baseline_from::proof, {}}, true,
                   options_.whole ? solved.answers.row(std::int64_t(k)) : std::span<std::int32_t const>());
            evict();
        }
        settled_.notify_all();
    }
}

std::vector<sourced_baseline> baseline_source::prove(baseline_query const& asked, csr_words* answers) {
    std::size_t const rows = std::size_t(asked.rows());
    std::vector<sourced_baseline> out(rows);
    std::vector<std::shared_ptr<entry>> held(rows);
    std::vector<claim> claimed;
    std::vector<bool> is_new(rows);
    claimed.reserve(rows);  // so that no claim is lost for lack of memory
    try {
        std::int64_t given = 0;
        for (std::size_t r = 0; r < rows; ++r) {
            if (!asked.given.empty() && asked.given[r]) {
                out[r] = {*asked.given[r], baseline_state::found, baseline_from::given, {}};
                ++given;
                continue;
            }
            baseline_question const question = asked.question(std::int64_t(r));
            asked_entry const wanted = entry_of(question, hash_words(question.words));
            bool mine = false;
            {
                std::lock_guard const locked(lock_);
                held[r] = find_or_claim(wanted, mine);
                is_new[r] = held[r]->state != entry::settled;
            }
            if (mine) {
                claimed.push_back({held[r], std::int64_t(r)});
            }
        }
        if (given > 0) {
            std::lock_guard const locked(lock_);
            count_.given += given;
        }
        prove_claimed(asked, read_layers(asked, claimed));
    } catch (...) {
        give_up(claimed);
        throw;
    }
    for (std::size_t r = 0; r < rows; ++r) {
        if (held[r] == nullptr) {
            if (answers != nullptr) {
                answers->append({});
            }
            continue;
        }
        bool is_settled = false;
        {
            std::unique_lock locked(lock_);
            settled_.wait(locked, [&] { return held[r]->state != entry::making; });
            is_settled = held[r]->state == entry::settled;
        }
        if (!is_settled) {  // another call ended before this row's turn, or only called `find`
            baseline_question const own = asked.question(std::int64_t(r));
            instance_batch alone;
            alone.append(own.task, own.words);
            csr_words start;
            start.append(own.start);
            out[r] = prove({.instances = alone.view(),
                            .specs = asked.specs.empty() ? asked.specs : std::span(&own.spec, 1),
                            .given = {},
                            .starts = start.view(),
                            .budget = asked.budget},
                           answers)[0];
            continue;
        }
        entry const& one = *held[r];
        out[r] = {one.value, baseline_state::found, is_new[r] ? one.from : baseline_from::memory, one.damage};
        if (answers != nullptr) {
            answers->append(one.answer);
        }
    }
    return out;
}

std::vector<sourced_baseline> baseline_source::find(baseline_query const& asked) {
    std::vector<sourced_baseline> out(std::size_t(asked.rows()));
    for (std::size_t r = 0; r < out.size(); ++r) {
        sourced_baseline& here = out[r];
        if (!asked.given.empty() && asked.given[r]) {
            here = {*asked.given[r], baseline_state::found, baseline_from::given, {}};
            std::lock_guard const locked(lock_);
            ++count_.given;
            continue;
        }
        baseline_question const question = asked.question(std::int64_t(r));
        asked_entry const wanted = entry_of(question, hash_words(question.words));
        bool mine = false;
        std::shared_ptr<entry> one;
        {
            std::lock_guard const locked(lock_);
            auto const known = entries_.find(wanted);
            if (known != entries_.end() && (*known)->state == entry::listed) {
                touch(**known);
                continue;  // absent
            }
            one = find_or_claim(wanted, mine);
            if (!mine) {
                bool const there = one->state == entry::settled;
                here.state = there ? baseline_state::found : baseline_state::proving;
                if (there) {
                    here = {one->value, baseline_state::found, baseline_from::memory, one->damage};
                }
            }
        }
        if (!mine) {
            continue;
        }
        claim const own{one, std::int64_t(r)};
        try {
            bool fixed = true;
            std::optional<sourced_baseline> found = ask_layers(question, fixed);
            std::lock_guard const locked(lock_);
            if (found) {
                here = *found;
                settle(*one, std::move(*found), fixed, {});
            } else {
                one->asked = true;
                one->state = entry::listed;
                recent_.push_front(one.get());
                one->place = recent_.begin();
                count_.bytes += one->counted = one->bytes();
            }
            evict();
        } catch (...) {
            give_up({&own, 1});
            throw;
        }
        settled_.notify_all();
    }
    return out;
}

std::string baseline_source::sentence() const {
    std::string out;
    for (baseline_layer const& layer : options_.layers) {
        if (layer.sentence) {
            out += (out.empty() ? "" : "; ") + layer.sentence();
        }
    }
    if (std::int64_t const damaged = counts().damaged; damaged > 0 && !out.empty()) {
        out += fmt::format("; {} row{} damaged", damaged, damaged == 1 ? "" : "s");
    }
    return out;
}

}  // namespace optgap
