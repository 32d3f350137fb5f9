// A user's own kind: sums. {"numbers": [1, 2, 3], "completion": "6"}, possibly with a row of any kind as `beside`,
// whose reward is subtracted. Right rows of a group share one reward.
//
// cmake -DOPTGAP_EXTENSIONS=tests/extension puts it beside the kinds of host/rows (docs/develop.md).

#include <charconv>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "host/rows/read/fields.hpp"
#include "host/rows/row_kind.hpp"

namespace optgap::rows {
namespace {

constexpr std::int32_t code_wrong_sum = 900'000;
constexpr option bonus{.name = "toy-bonus",
                       .type = option_type::integer,
                       .help = "What a right sum earns beside 1",
                       .low = 0,
                       .high = 9,
                       .recorded = "toy_bonus"};
constexpr column reads[] = {{"numbers", column_type::json, "integers"}};
constexpr column adds[] = {{"sum", column_type::integer, "of the numbers"},
                           {"sharers", column_type::integer, "1 or more"}};
constexpr kind_info about{
    .name = "toy",
    .page = "develop.md",
    .known_by = "`numbers`",
    .rank = 5,
    .reads = reads,
    .adds = adds,
    .options = {&bonus, 1},
    .codes = {code_wrong_sum, code_wrong_sum + 1, [](std::int32_t) -> std::string_view { return "wrong_sum"; }}};

class toy_kind final : public row_kind {
public:
    explicit toy_kind(run_services& run) : run_(run) {}

    kind_info const& info() const override { return about; }
    claim claims(json_row const& row) const override { return has(row, "numbers") ? claim::marked : claim::none; }

    void read(row_batch& batch) override {
        sum_.assign(batch.items.size(), 0);
        beside_.assign(batch.items.size(), 0.0f);
        batch.each([&](std::size_t i) {
            batch.rollouts[i] = read_rollout(batch.items[i], run_.options, batch.texts);
            auto const numbers = read_json(*field_of(batch.items[i].row, "numbers"));
            if (!numbers.is_array()) {
                throw field_error("numbers", "must be a list");
            }
            for (auto const& one : numbers) {
                if (!one.is_number_integer()) {
                    throw field_error("numbers", "must hold integers alone");
                }
                sum_[i] += one.get<std::int64_t>();
            }
        });
    }

    std::vector<asked_row> asks(row_batch& batch) override {
        std::vector<asked_row> out;
        for (std::size_t const i : batch.mine) {
            if (has(batch.items[i].row, "beside")) {
                out.push_back({.item = {}, .parent = i});
                out.back().item.take(*field_of(batch.items[i].row, "beside"), batch.items[i].number);
            }
        }
        return out;
    }

    void answered(row_batch& batch, std::span<asked_row> asked, std::span<graded_row const> graded) override {
        for (std::size_t k = 0; k < asked.size(); ++k) {
            beside_[asked[k].parent] = graded[k].value.reward;
            if (!asked[k].item.sound()) {
                batch.items[asked[k].parent].reject("beside." + asked[k].item.field, asked[k].item.rule);
            }
        }
        batch.drop_rejected();
    }

    void grade(row_batch& batch, std::span<sourced_baseline const>, std::span<graded_row> out) override {
        for (std::size_t const i : batch.mine) {
            std::string_view const text = batch.rollouts[i].completion;
            std::int64_t given = 0;
            auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), given);
            bool const right = problem == std::errc() && end == text.data() + text.size() && given == sum_[i];
            graded_row& row = out[i];
            row.value.format = row.value.feasible = row.value.quality = right ? 1.0f : 0.0f;
            row.value.code = right ? std::int32_t(code_ok) : code_wrong_sum;
            row.value.reward = (right ? 1.0f + float(run_.options.kinds.integer(bonus)) : 0.0f) - beside_[i];
            row.baseline_kind = "proven";
            row.format = -1;
            row.task = run_.names.task("toy");
            row.group = run_.names.group(batch.group_of(i, fmt::format("sums of {}", sum_[i])));
            row.entry = std::int64_t(kept_.size());
            kept_.push_back({sum_[i], 1});
        }
    }

    void settle(std::span<graded_row* const> rows) override {
        std::map<std::int32_t, std::int64_t> right;
        for (graded_row const* const row : rows) {
            right[row->group] += row->value.feasible > 0 ? 1 : 0;
        }
        for (graded_row* const row : rows) {
            if (row->value.feasible > 0) {
                kept_[std::size_t(row->entry)].sharers = right[row->group];
                row->value.reward /= float(right[row->group]);
            }
        }
    }

    void write(row_sink& out, graded_row const& row) const override {
        out.integer("sum", kept_[std::size_t(row.entry)].sum);
        out.integer("sharers", kept_[std::size_t(row.entry)].sharers);
    }

    std::shared_ptr<void> take(graded_row const& row) override {
        return std::make_shared<kept_row>(kept_[std::size_t(row.entry)]);
    }
    void put(graded_row& row, std::shared_ptr<void> const& kept) override {
        row.entry = std::int64_t(kept_.size());
        kept_.push_back(*std::static_pointer_cast<kept_row>(kept));
    }

    void forget() override { kept_.clear(); }

private:
    struct kept_row {
        std::int64_t sum, sharers;
    };
    run_services& run_;
    std::vector<std::int64_t> sum_;  ///< per item of the batch
    std::vector<float> beside_;
    std::vector<kept_row> kept_;
};

}  // namespace

kind_entry toy_rows() { return {&about, make_kind<toy_kind>}; }

}  // namespace optgap::rows
