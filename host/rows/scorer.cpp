#include "host/rows/scorer.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "host/report/fingerprint.hpp"
#include "host/rows/codes.hpp"
#include "host/rows/packages/package.hpp"
#include "host/rows/read/fields.hpp"
#include "host/specs/nearest.hpp"
#include "optgap/reward_rules.hpp"
#include "optgap/run_record.hpp"

namespace optgap::rows {
namespace {

constexpr std::string_view common_columns[] = {
    "reward",      "advantage", "keep",           "format",    "feasible",  "quality",    "raw_ratio",
    "normalized",  "optimal",   "length_penalty", "objective", "violation", "code",       "span",
    "format_name", "baseline",  "baseline_kind",  "proven",    "truncated", "fingerprint"};

std::shared_ptr<baseline_source> own_source(engine const& by, std::string const& snapshot) {
    std::shared_ptr<store::snapshot> const frozen = store::snapshot::opened(snapshot, by, OPTGAP_VERSION);
    baseline_source_options options;
    if (frozen != nullptr) {
        options.layers.push_back(layer_of(frozen));
    }
    return std::make_shared<baseline_source>(by, std::move(options));
}

/// Of a row that lacks a field: "; did you mean completion by complction?" where it has a column that nobody reads.
std::string misspelt_field(json_row const& row, kind_info const& kind) {
    std::vector<std::string> lacking;
    for (column const& one : kind.reads) {
        if (!has(row, one.name)) {
            lacking.emplace_back(one.name);
        }
    }
    for (json_field const& field : row.fields()) {
        bool const read =
            std::ranges::any_of(kind.reads, [&](column const& one) { return key_is(field.key, one.name); });
        std::string const near = read ? std::string() : nearest(field.key, lacking);
        if (!near.empty()) {
            return fmt::format("; did you mean {} by {}?", near, field.key);
        }
    }
    return {};
}

std::string content_hash(std::string const& path) {
    std::ifstream file(path, std::ios::binary);
    std::string const bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!file) {
        misuse(fmt::format("cannot read {}", path));
    }
    return optgap::fingerprint(bytes);
}

}  // namespace

std::span<std::string_view const> columns_of_scored_rows() { return common_columns; }

scorer::scorer(engine const& by, score_options options, store::snapshot_place const& baselines,
               std::shared_ptr<baseline_source> source, scorer_services const& services)
    : options_(std::move(options)),
      engine_(by),
      tasks_(by),
      reward_(parse_reward_rules(options_.reward, by.tasks())),
      snapshot_hash_(baselines.hash),
      baselines_(source != nullptr ? std::move(source) : own_source(by, baselines.path)),
      roles_(parse_role_table(options_.advantage)),
      advantage_(roles_.of[std::size_t(role::solver)].spec),
      run_{by, tasks_,          options_, reward_, optgap::ranks_scores(advantage_.form), run_names(by),
           {}, services.shared, {}} {
    for (kind_entry const& kind : with_packages(services.kinds, options_.packages)) {
        kinds_.push_back(kind.make(run_));
        std::vector<std::string_view>& names =
            columns_.emplace_back(std::begin(common_columns), std::end(common_columns));
        std::vector<std::string_view> const own = kinds_.back()->added();
        names.insert(names.end(), own.begin(), own.end());
    }
    touched_.assign(kinds_.size(), false);
    if (options_.force_format && options_.format.empty()) {
        misuse("--force-format needs --format NAME");
    }
    if (!options_.format.empty()) {
        static_cast<void>(parse_format(options_.format));
    }
    fingerprint_ = run_fingerprint(record());
}

std::string scorer::record() const {
    run_settings settings;
    settings.engine_version = OPTGAP_VERSION;
    settings.tasks.assign(engine_.tasks().begin(), engine_.tasks().end());
    settings.format = options_.format;
    settings.force_format = options_.force_format;
    settings.reward = reward_;
    settings.advantage = advantage_;
    std::string const roles = roles_.by_role ? to_json(roles_) : std::string();
    settings.roles = roles;
    settings.budget = options_.budget;
    for (auto const& kind : kinds_) {
        if (!kind->info().version.empty()) {
            settings.kinds.emplace_back(kind->info().name, kind->info().version);
        }
        for (option const& one : kind->info().options) {
            std::string const given = one.recorded.empty() ? std::string() : options_.kinds.changed(one);
            if (!given.empty()) {
                settings.kinds.emplace_back(one.recorded, one.names_file ? content_hash(given) : given);
            }
        }
    }
    for (auto& one : rule_packages(options_.packages)) {
        settings.kinds.push_back(std::move(one));
    }
    settings.baselines = snapshot_hash_;
    return run_record(settings);
}

std::string_view scorer::code_name(std::int32_t task, std::int32_t code) const {
    return rows::code_name(engine_, task, code);
}

std::int32_t scorer::kind_claiming(json_row const& row) const {
    std::int32_t by_default = -1;
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
        claim const found = kinds_[k]->claims(row);
        if (found == claim::marked) {
            return std::int32_t(k);
        }
        by_default = by_default < 0 && found == claim::by_default ? std::int32_t(k) : by_default;
    }
    return by_default;
}

std::pair<row_kind const*, row_problem> scorer::problem_of(json_row const& row) const {
    row_kind const* const kind = claimed_by(row);
    if (kind == nullptr) {
        throw field_error("row", "is of no kind that this build knows");
    }
    return {kind, kind->problem(row)};
}

void scorer::claim_rows(std::span<row_item> items) const {
    for (row_item& item : items) {
        if (!item.sound()) {
            item.kind = -1;
        } else if (item.kind < 0) {
            item.kind = kind_claiming(item.row);
            if (item.kind < 0) {
                item.reject("row", "is of no kind that this build knows");
            }
        }
    }
}

bool scorer::leaves_process(std::span<row_item> items) const {
    claim_rows(items);
    return std::ranges::any_of(items, [&](row_item const& item) {
        return item.kind >= 0 && kinds_[std::size_t(item.kind)]->info().place != graded_in::call;
    });
}

/// Requires lengths of all rows for estimators that weigh rows by their tokens.
void scorer::require_lengths(row_kind const& kind, row_batch& batch) const {
    if (!reads_lengths(roles_.of[std::size_t(kind.info().of_role)].spec)) {
        return;
    }
    batch.each([&](std::size_t i) {
        if (batch.rollouts[i].length < 0) {
            throw field_error("length", "missing: this estimator weighs rows by their tokens, 0 or more");
        }
    });
}

/// The rows that a kind asks for are graded in between, before any other kind has begun.
bool scorer::grade(row_kind& kind, row_batch& batch, grading const& how, std::span<graded_row> out) {
    kind.read(batch);
    require_lengths(kind, batch);
    bool const others = std::ranges::any_of(kinds_, [](auto const& one) { return one->alone(); });
    if (others && !kind.alone()) {
        return true;
    }
    if (std::vector<row_kind::asked_row> asked = kind.asks(batch); !asked.empty()) {
        std::vector<row_item> items;
        for (row_kind::asked_row& one : asked) {
            items.push_back(std::move(one.item));
        }
        std::vector<graded_row> graded;
        std::vector<std::vector<brought_baseline>> theirs(run_.brought.empty() ? 0 : items.size());
        auto const ours = std::exchange(run_.brought, theirs);
        bool const whole = score(items, {.proves = how.proves, .stop = how.stop}, graded);
        run_.brought = ours;
        if (!whole) {
            return false;
        }
        for (std::size_t k = 0; k < asked.size(); ++k) {
            asked[k].item = std::move(items[k]);
        }
        kind.answered(batch, asked, graded);
    }
    wanted_baselines wanted;
    kind.wants(batch, wanted);
    std::vector<sourced_baseline> known;
    if (!wanted.empty()) {
        baseline_query const query = wanted.query(options_.budget);
        known = how.proves ? baselines_->prove(query) : baselines_->find(query);
    }
    if (!how.proves &&
        std::ranges::any_of(known, [](sourced_baseline const& one) { return one.state != baseline_state::found; })) {
        return false;
    }
    kind.grade(batch, known, out);
    return true;
}

std::vector<graded_row> scorer::score(std::span<row_item> items, std::stop_token const& stop) {
    std::vector<graded_row> out;
    score(items, {.stop = stop}, out);
    return out;
}

bool scorer::score(std::span<row_item> items, grading const& how, std::vector<graded_row>& out) {
    claim_rows(items);
    out.assign(items.size(), {});
    std::vector<rollout> rollouts(items.size());
    text_arena texts;
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
        row_batch batch{items, rollouts, {}, texts, how.stop};
        std::vector<std::size_t> joining;
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (items[i].kind == std::int32_t(k) && items[i].sound()) {
                bool const is_known = !how.ahead.empty() && how.ahead[i] != nullptr && how.ahead[i]->carried;
                (is_known ? joining : batch.mine).push_back(i);
            }
        }
        if (batch.mine.empty() && joining.empty()) {
            continue;
        }
        touched_[k] = true;
        if (!batch.mine.empty() && !grade(*kinds_[k], batch, how, out)) {
            return false;
        }
        for (std::size_t const i : joining) {
            join(*kinds_[k], items[i], *how.ahead[i], out[i]);
        }
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (items[i].kind == std::int32_t(k)) {
                items[i].sound() ? void(out[i].kind = std::int32_t(k)) : void(out[i] = {});
                out[i].of_role = kinds_[k]->info().of_role;
            }
        }
    }
    for (row_item& item : items) {
        if (item.kind >= 0 && item.rule.starts_with("missing")) {
            item.rule += misspelt_field(item.row, kinds_[std::size_t(item.kind)]->info());
        }
    }
    if (run_.brought.empty()) {
        require_widths(items, out);
    }
    return true;
}

void scorer::settle(std::span<graded_row> rows) const {
    std::vector<std::vector<graded_row*>> own(kinds_.size());
    for (graded_row& row : rows) {
        if (row.kind >= 0 && row.group >= 0) {
            own[std::size_t(row.kind)].push_back(&row);
        }
    }
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
        if (!own[k].empty()) {
            kinds_[k]->settle(own[k]);
        }
    }
}

/// Rejects rows of ranked groups whose number of scores differs. A program has a score per hidden instance of its
/// problem, an answer has one.
void scorer::require_widths(std::span<row_item> items, std::span<graded_row> rows) {
    for (std::size_t i = 0; run_.ranks_scores && i < rows.size(); ++i) {
        if (!items[i].sound() || rows[i].group < 0) {
            continue;
        }
        std::size_t const width = std::max<std::size_t>(1, scores_of(rows[i]).size());
        std::size_t const wanted = width_of_.try_emplace(rows[i].group, width).first->second;
        if (wanted != width) {
            items[i].reject("group", fmt::format("its rows before have {} score{}, this one has {}: they cannot be "
                                                 "ranked together",
                                                 wanted, wanted == 1 ? "" : "s", width));
            rows[i] = {};
        }
    }
}

std::span<std::string_view const> scorer::columns(graded_row const& row) const {
    return columns_[std::size_t(row.kind)];
}

std::string const& scorer::format_name(std::int32_t format) const {
    std::size_t const at = std::size_t(format);
    format_names_.resize(std::max(format_names_.size(), at + 1));
    if (format_names_[at].empty()) {
        format_names_[at] = to_text(known_formats()[at]);
    }
    return format_names_[at];
}

void scorer::write(row_sink& out, graded_row const& row, float advantage, bool keep) const {
    row_kind const& kind = *kinds_[std::size_t(row.kind)];
    out.real("reward", row.value.reward);
    out.real("advantage", advantage);
    out.integer("keep", keep ? 1 : 0);
    out.integer("format", row.value.format > 0 ? 1 : 0);
    out.integer("feasible", row.value.feasible > 0 ? 1 : 0);
    out.real("quality", row.value.quality);
    out.real("raw_ratio", row.value.raw_ratio);
    out.real("normalized", row.value.normalized);
    out.real("optimal", row.value.optimal);
    out.real("length_penalty", row.value.length_penalty);
    out.integer_or_null("objective", row.objective, no_objective);
    out.integer("violation", row.violation);
    out.text("code", code_name(row));
    std::int64_t const span[] = {row.answer.begin, row.answer.end};
    out.integers("span", span);
    if (row.format < 0) {
        out.null("format_name");
    } else {
        out.text("format_name", format_name(row.format));
    }
    if (kind.has_baselines()) {
        out.null("baseline");
    } else {
        out.bounds("baseline", row.baseline_objective, row.baseline_bound, no_objective, row.proven);
    }
    out.text("baseline_kind", row.baseline_kind);
    out.boolean("proven", row.proven);
    out.boolean("truncated", row.value.truncated != 0);
    out.text("fingerprint", fingerprint_);
    kind.write(out, row);
}

graded_run scorer::run(std::span<row_item> items, std::span<ahead_row const* const> ahead,
                       std::stop_token const& stop) {
    forget();
    std::vector<graded_row> rows;
    score(items, {.ahead = ahead, .stop = stop}, rows);
    return close(std::move(rows));
}

graded_run scorer::close(std::vector<graded_row> rows) const {
    graded_run out{.rows = std::move(rows), .advantages = {}, .groups = {}, .report = {}};
    settle(out.rows);
    out.advantages = advantages(out.rows);
    out.groups = filter(out.rows);
    out.report = report(out.rows);
    return out;
}

void scorer::forget() {
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
        if (touched_[k]) {
            kinds_[k]->forget();
            touched_[k] = false;
        }
    }
    run_.names.forget();
    run_.given = {};
    width_of_.clear();
}

}  // namespace optgap::rows
