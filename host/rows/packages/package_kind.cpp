// A kind of rows whose work a user's package does in a worker. Here rows are held against kind.json, cut into requests,
// and what workers answer becomes graded rows; a request that fails is cut in halves, until the row that it fails by is
// alone.

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "host/rows/codes.hpp"
#include "host/rows/json/json_text.hpp"
#include "host/rows/packages/package.hpp"
#include "host/rows/packages/package_verdict.hpp"
#include "host/rows/read/fields.hpp"
#include "host/rows/read/shown_text.hpp"

namespace optgap::rows {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t max_depth = 8;  ///< of rows that ask for rows that ask for rows

class package_kind final : public row_kind {
public:
    package_kind(std::shared_ptr<kind_package> of, run_services& run)
        : of_(std::move(of)), about_(of_->declared()), run_(run), options_(options_json()) {}

    kind_info const& info() const override { return about_.info; }

    claim claims(json_row const& row) const override {
        for (std::string_view const name : about_.claims) {
            if (has(row, name)) {
                return claim::marked;
            }
        }
        return claim::none;
    }

    void read(row_batch& batch) override {
        if (depth_ > max_depth) {
            batch.each([](std::size_t) { throw field_error("asks", "rows that ask for rows are nested too deep"); });
        }
        open_batch& mine = open_[&batch] = {};
        mine.rows.assign(batch.items.size(), {});
        mine.groups.assign(batch.items.size(), {});
        batch.each([&](std::size_t i) {
            json_row const& row = batch.items[i].row;
            std::string text = "{";
            for (column const& one : about_.reads) {
                std::string_view const* const value = field_of(row, one.name);
                if (value == nullptr) {
                    if (!about_.optional.contains(one.name)) {
                        throw field_error(std::string(one.name), "missing: " + std::string(one.meaning));
                    }
                    continue;
                }
                if (!fits(one.type, *value)) {
                    throw field_error(std::string(one.name), fmt::format("must be {}", type_word(one.type)));
                }
                text += fmt::format("\"{}\":", one.name);
                // Decoded and written again, so that a text has the same bytes whoever wrote the row.
                if (one.type == column_type::text) {
                    append_json_string(text, decode_json_string(*value));
                } else {
                    text += *value;
                }
                text += ',';
            }
            batch.rollouts[i] = read_rollout(batch.items[i], run_.options, batch.texts);
            mine.groups[i] = text;
            text += "\"completion\":";
            append_json_string(text, batch.rollouts[i].completion);
            mine.rows[i] = std::move(text) + '}';
        });
        mine.answers.assign(batch.items.size(), json::array());
    }

    std::vector<asked_row> asks(row_batch& batch) override {
        std::vector<asked_row> out;
        if (!of_->has("asks")) {
            return out;
        }
        open_batch& mine = open_[&batch];
        each_part(batch, "asks", mine, [&](std::size_t i, json const& found) {
            if (!found.is_array()) {
                misfit("asks must be lists of rows");
            }
            for (json const& row : found) {
                out.push_back({.item = {}, .parent = i});
                out.back().item.take(mine.asked.emplace_back(json_text(row)), batch.items[i].number);
            }
        });
        depth_ += out.empty() ? 0 : 1;
        return out;
    }

    void answered(row_batch& batch, std::span<asked_row> asked, std::span<graded_row const> graded) override {
        --depth_;
        open_batch& mine = open_[&batch];
        for (std::size_t k = 0; k < asked.size(); ++k) {
            row_item const& item = asked[k].item;
            graded_row const& row = graded[k];
            mine.answers[asked[k].parent].push_back(
                item.sound() && row.group >= 0
                    ? json{{"reward", row.value.reward},
                           {"quality", row.value.quality},
                           {"feasible", row.value.feasible > 0},
                           {"objective", row.objective == no_objective ? json() : json(row.objective)},
                           {"code", std::string(code_name(run_.by, row.task, row.value.code))}}
                    : json{{"error", {{"field", printable(item.field)}, {"rule", printable(item.rule)}}}});
        }
    }

    void grade(row_batch& batch, std::span<sourced_baseline const>, std::span<graded_row> out) override {
        open_batch& mine = open_[&batch];
        each_part(batch, "grade", mine, [&](std::size_t i, json const& found) {
            if (auto const refused = found.find("error"); refused != found.end()) {
                std::string const rule = text_at(*refused, "rule");
                batch.items[i].reject(text_at(*refused, "field"), rule.empty() ? "is refused" : rule);
                return;
            }
            kept_verdict one = verdict_of(about_, found);
            one.row = of_->has("explain") ? std::move(mine.rows[i]) : std::string();
            graded_row& row = out[i];
            write_value(row, one);
            row.baseline_kind = "unknown";
            row.format = -1;
            row.task = run_.names.task(one.task.empty() ? std::string(about_.info.name) : one.task);
            row.group = run_.names.group(batch.group_of(
                i, fmt::format("{} {}", about_.info.name, one.group.empty() ? mine.groups[i] : one.group)));
            row.length = batch.rollouts[i].length;
            row.entry = std::int64_t(kept_.size());
            kept_.push_back(std::move(one));
        });
        batch.drop_rejected();
        open_.erase(&batch);
    }

    std::shared_ptr<void> take(graded_row const& row) override { return std::make_shared<kept_verdict>(of(row)); }
    void put(graded_row& row, std::shared_ptr<void> const& kept) override {
        row.entry = std::int64_t(kept_.size());
        kept_.push_back(*std::static_pointer_cast<kept_verdict>(kept));
    }

    void settle(std::span<graded_row* const> rows) override {
        if (!of_->has("settle")) {
            return;
        }
        std::vector<std::vector<graded_row*>> groups;
        std::map<std::int32_t, std::size_t> place;
        for (graded_row* const row : rows) {
            auto const [found, is_new] = place.try_emplace(row->group, groups.size());
            if (is_new) {
                groups.emplace_back();
            }
            groups[found->second].push_back(row);
        }
        for (std::size_t begin = 0; begin < groups.size();) {
            std::size_t count = 0, end = begin;
            while (end < groups.size() && (end == begin || count + groups[end].size() <= about_.max_rows)) {
                count += groups[end++].size();
            }
            settle_groups(std::span(groups).subspan(begin, end - begin), true);
            begin = end;
        }
    }

    void write(row_sink& out, graded_row const& row) const override { write_columns(out, about_, of(row)); }

    finding find(explained_rows const& rows) override {
        finding out = row_kind::find(rows);
        std::int32_t const own = rows.row().value.code - about_.info.codes.begin;
        if (own >= 0 && std::size_t(own) < about_.meanings.size()) {
            out.rule = about_.meanings[std::size_t(own)];
        }
        return out;
    }

    explanation explain(explained_rows const& rows) override {
        explanation out = row_kind::explain(rows);
        if (of_->has("explain")) {
            kept_verdict const& one = of(rows.row());
            section& own = out.add(std::string(about_.info.name));
            try {
                json const found = of_->ask(request("explain") + fmt::format(R"("rows":[{}],"grades":[{}]}})", one.row,
                                                                             json_text(grade_json(about_, one))),
                                            {});
                for (json const& line : found.at("rows").at(0)) {
                    own.add("", printable(line.get<std::string>()));
                }
            } catch (package_failure const& problem) {
                own.add("", printable(problem.why), tone::bad);
            } catch (json::exception const&) {
                own.add("", "the worker's answer does not fit: explain must give a list of texts", tone::bad);
            }
        }
        return out;
    }

    void tell(run_report& out) const override {
        if (!unsettled_.empty()) {
            out.warn(fmt::format("{} row{} of kind {} could not be settled: {}", unsettled_rows_,
                                 unsettled_rows_ == 1 ? "" : "s", about_.info.name, unsettled_));
            out.lost = true;
        }
    }

    void forget() override {
        kept_.clear();
        open_.clear();
        depth_ = 0;
        unsettled_.clear();
        unsettled_rows_ = 0;
    }

private:
    /// What is known of a batch from `read` to `grade`. Rows that it asks for may be of this kind: several are open.
    struct open_batch {
        std::vector<std::string> rows;    ///< as JSON, by item
        std::vector<std::string> groups;  ///< the same without the completion: by default equal ones form a group
        std::deque<std::string> asked;
        std::vector<json> answers;  ///< by item
    };

    /// The beginning of one, to which its rows are added.
    std::string request(char const* verb) const {
        return fmt::format(R"({{"verb":"{}","options":{},)", verb, options_);
    }

    kept_verdict const& of(graded_row const& row) const { return kept_[std::size_t(row.entry)]; }

    std::string options_json() const {
        std::string out;
        for (option const& one : about_.options) {
            out += fmt::format("{}\"{}\":", out.empty() ? "{" : ",", one.recorded);
            switch (one.type) {
                case option_type::text: append_json_string(out, run_.options.kinds.text(one)); break;
                case option_type::integer: out += std::to_string(run_.options.kinds.integer(one)); break;
                case option_type::flag: out += run_.options.kinds.flag(one) ? "true" : "false"; break;
            }
        }
        return out.empty() ? "{}" : out + '}';
    }

    /// Asks about the batch's rows and gives each its answer. A row that has none is rejected.
    void each_part(row_batch& batch, char const* verb, open_batch const& mine,
                   std::function<void(std::size_t, json const&)> const& take) {
        std::vector<std::size_t> const all = batch.mine;
        for (std::size_t begin = 0; begin < all.size(); begin += about_.max_rows) {
            ask_part(batch, verb, mine, std::span(all).subspan(begin, std::min(about_.max_rows, all.size() - begin)),
                     take, true);
        }
        batch.drop_rejected();
    }

    void ask_part(row_batch& batch, char const* verb, open_batch const& mine, std::span<std::size_t const> part,
                  std::function<void(std::size_t, json const&)> const& take, bool again) {
        std::string rows, answers;
        for (std::size_t const i : part) {
            char const* const mark = rows.empty() ? "" : ",";
            rows += mark + mine.rows[i];
            answers += mark + json_text(mine.answers[i]);
        }
        package_failure failure;
        try {
            json const found =
                of_->ask(request(verb) + fmt::format(R"("rows":[{}],"answers":[{}]}})", rows, answers), batch.stop);
            auto const list = found.find("rows");
            if (list == found.end() || !list->is_array() || list->size() != part.size()) {
                misfit(fmt::format("{} must give one for each of {} rows", verb, part.size()));
            }
            for (json const& one : *list) {
                check(verb, one);
            }
            for (std::size_t k = 0; k < part.size(); ++k) {
                take(part[k], (*list)[k]);
            }
            return;
        } catch (package_failure& problem) {
            failure = std::move(problem);
        }
        if (batch.stop.stop_requested()) {
            for (std::size_t const i : part) {
                batch.items[i].reject("worker", "was stopped before this row was graded");
            }
        } else if (part.size() > 1) {
            ask_part(batch, verb, mine, part.first(part.size() / 2), take, true);
            ask_part(batch, verb, mine, part.subspan(part.size() / 2), take, true);
        } else if (failure.died && again) {  // perhaps not by this row
            ask_part(batch, verb, mine, part, take, false);
        } else {
            batch.items[part[0]].reject("worker", failure.why);
        }
    }

    /// Throws package_failure before any row of a request has been taken.
    void check(char const* verb, json const& one) const {
        if (std::string_view(verb) == "grade") {
            if (!one.is_object()) {
                misfit("grade must give grades");
            }
            if (auto const refused = one.find("error"); refused != one.end()) {
                if (!refused->is_object() || text_at(*refused, "field").empty()) {
                    misfit("error must be {field, rule}");
                }
                static_cast<void>(text_at(*refused, "rule"));
            } else {
                static_cast<void>(verdict_of(about_, one));
            }
        } else if (!one.is_array()) {
            misfit("asks must be lists of rows");
        }
    }

    void settle_groups(std::span<std::vector<graded_row*> const> groups, bool again) {
        json asked = json::array();
        for (auto const& group : groups) {
            json rows = json::array();
            for (graded_row const* const row : group) {
                rows.push_back(grade_json(about_, of(*row)));
            }
            asked.push_back(std::move(rows));
        }
        package_failure failure;
        try {
            json const found = of_->ask(request("settle") + fmt::format(R"("groups":{}}})", json_text(asked)), {});
            std::vector<kept_verdict> settled;
            auto const list = found.find("groups");
            if (list == found.end() || !list->is_array() || list->size() != groups.size()) {
                misfit("settle must keep the groups");
            }
            for (std::size_t g = 0; g < groups.size(); ++g) {
                if (!(*list)[g].is_array() || (*list)[g].size() != groups[g].size()) {
                    misfit("settle must keep a group's rows");
                }
                for (json const& one : (*list)[g]) {
                    settled.push_back(verdict_of(about_, one));
                }
            }
            auto next = settled.begin();
            for (auto const& group : groups) {
                for (graded_row* const row : group) {
                    kept_verdict& kept = kept_[std::size_t(row->entry)];
                    next->row = std::move(kept.row);
                    kept = std::move(*next++);
                    write_value(*row, kept);
                }
            }
            return;
        } catch (package_failure& problem) {
            failure = std::move(problem);
        }
        if (groups.size() > 1) {
            settle_groups(groups.first(groups.size() / 2), true);
            settle_groups(groups.subspan(groups.size() / 2), true);
        } else if (failure.died && again) {
            settle_groups(groups, false);
        } else {
            unsettled_ = failure.why;
            unsettled_rows_ += groups[0].size();
            for (graded_row* const row : groups[0]) {
                kept_verdict& kept = kept_[std::size_t(row->entry)];
                kept.code = about_.info.codes.end - 1;
                kept.reward = kept.quality = kept.score = 0;
                kept.feasible = false;
                write_value(*row, kept);
            }
        }
    }

    std::shared_ptr<kind_package> const of_;
    package_declaration const& about_;
    run_services& run_;
    std::string const options_;  ///< as JSON
    std::map<row_batch const*, open_batch> open_;
    std::size_t depth_ = 0;  ///< of rows that wait for rows that they asked for
    std::deque<kept_verdict> kept_;
    std::string unsettled_;  ///< why
    std::size_t unsettled_rows_ = 0;
};

}  // namespace

std::unique_ptr<row_kind> make_package_kind(std::shared_ptr<kind_package> const& of, run_services& run) {
    return std::make_unique<package_kind>(of, run);
}

}  // namespace optgap::rows
