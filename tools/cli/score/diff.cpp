// optgap diff: two scored files, row by row.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>
#include <unordered_map>

#include <fmt/format.h>
#include <xxhash.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "host/rows/read/shown_text.hpp"
#include "optgap/run_record.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/table.hpp"

namespace optgap::cli {
namespace {

using json = nlohmann::ordered_json;

/// What can differ, causes before their effects: a pair of rows is explained by the first one.
struct cause {
    char const* reason;
    std::array<std::string_view, 6> fields;
};
constexpr cause causes[] = {
    {"instance", {"key", "task", "instance", "hash"}},
    {"completion", {"completion", "output", "response", "span"}},
    {"format", {"format_name", "format"}},
    {"cut off", {"finish", "truncated"}},
    {"length", {"length", "length_penalty"}},
    {"baseline", {"baseline", "proven"}},
    {"code", {"code", "feasible", "error"}},
    {"quality", {"quality", "raw_ratio", "normalized", "optimal", "objective", "violation"}},
    {"reward spec", {"reward"}},
    {"advantage", {"advantage", "keep"}},
};
constexpr std::size_t cause_count = std::size(causes);

/// A row, small enough to keep for a whole file.
struct record {
    std::int64_t number = 0;
    std::array<std::uint64_t, cause_count> hashes{};
    std::string code, name, fingerprint;
    double reward = NAN;
};

std::string text_of(json_row const& row, std::string_view field) {
    std::string_view const* const value = row.find(field);
    return value == nullptr ? "" : is_json_string(*value) ? decode_json_string(*value) : std::string(*value);
}

record record_of(row_item const& item) {
    record out;
    out.number = item.number;
    if (!item.is_object) {
        out.code = "(no JSON object)";
        return out;
    }
    for (std::size_t c = 0; c < cause_count; ++c) {
        std::string text;
        for (std::string_view const field : causes[c].fields) {
            std::string_view const* const value = item.row.find(field);
            text += value == nullptr ? std::string_view() : *value;
            text += '\n';
        }
        out.hashes[c] = XXH3_64bits(text.data(), text.size());
    }
    out.code = item.row.find("error") != nullptr ? "(rejected)" : text_of(item.row, "code");
    out.name = text_of(item.row, "key");
    out.fingerprint = text_of(item.row, "fingerprint");
    std::string const reward = text_of(item.row, "reward");
    auto const [end, problem] = std::from_chars(reward.data(), reward.data() + reward.size(), out.reward);
    out.reward = problem == std::errc() && end == reward.data() + reward.size() ? out.reward : NAN;
    return out;
}

struct diff_options {
    std::string a, b, on;
    std::int64_t top = 10;
};

/// Which row of the first file a row of the second one belongs to: by order, or by a field, where the k-th row with a
/// value belongs to the k-th one with it.
class row_names {
public:
    explicit row_names(std::string on) : on_(std::move(on)) {}

    std::string next(row_item const& item) {
        if (on_.empty()) {
            return std::to_string(rows_++);
        }
        std::string_view const* const value = item.is_object ? item.row.find(on_) : nullptr;
        if (value == nullptr) {
            throw usage_error(fmt::format("--on {}: row {} has no such field", on_, item.number));
        }
        return fmt::format("{} {}", *value, seen_[std::string(*value)]++);
    }

private:
    std::string on_;
    std::int64_t rows_ = 0;
    std::unordered_map<std::string, std::int64_t> seen_;
};

struct difference {
    record a, b;
    std::size_t cause = 0;  ///< index into causes
    [[nodiscard]] double size() const {
        double const delta = std::abs(b.reward - a.reward);
        return std::isnan(delta) ? (std::isnan(a.reward) == std::isnan(b.reward) ? 0.0 : INFINITY) : delta;
    }
};

struct comparison {
    std::int64_t equal = 0, only_a = 0, only_b = 0;
    std::vector<difference> changed;
    std::array<std::int64_t, cause_count> by_cause{};
    std::map<std::pair<std::string, std::string>, std::int64_t> codes;  ///< of the rows that changed
    std::string fingerprint_a, fingerprint_b;                           ///< of the first pair with different ones

    [[nodiscard]] bool same() const { return changed.empty() && only_a == 0 && only_b == 0; }

    void add(record a, record b) {
        if (a.fingerprint != b.fingerprint && fingerprint_a == fingerprint_b) {
            fingerprint_a = a.fingerprint;
            fingerprint_b = b.fingerprint;
        }
        auto const [first, second] = std::mismatch(a.hashes.begin(), a.hashes.end(), b.hashes.begin());
        if (first == a.hashes.end() && a.code == b.code) {
            ++equal;
            return;
        }
        auto const cause = std::min(std::size_t(first - a.hashes.begin()), cause_count - 1);
        ++by_cause[cause];
        ++codes[{a.code, b.code}];
        changed.push_back({std::move(a), std::move(b), cause});
    }
};

template <class Each>
void each_row(context& ctx, std::string const& file, Each const& each) {
    row_input input(ctx, {file}, "diff");
    for (auto items = input.next(); !items.empty(); items = input.next()) {
        for (row_item const& item : items) {
            each(item);
        }
    }
}

comparison compare(context& ctx, diff_options const& options) {
    std::unordered_map<std::string, record> rows_a;
    row_names names_a(options.on), names_b(options.on);
    each_row(ctx, options.a, [&](row_item const& item) { rows_a.emplace(names_a.next(item), record_of(item)); });
    comparison out;
    each_row(ctx, options.b, [&](row_item const& item) {
        auto const at = rows_a.find(names_b.next(item));
        if (at == rows_a.end()) {
            ++out.only_b;
            return;
        }
        out.add(std::move(at->second), record_of(item));
        rows_a.erase(at);
    });
    out.only_a = std::int64_t(rows_a.size());
    std::stable_sort(out.changed.begin(), out.changed.end(),
                     [](difference const& x, difference const& y) { return x.size() > y.size(); });
    return out;
}

json to_json(comparison const& of, diff_options const& options) {
    json causes_json = json::object(), codes = json::array(), top = json::array();
    for (std::size_t c = 0; c < cause_count; ++c) {
        if (of.by_cause[c] > 0) {
            causes_json[causes[c].reason] = of.by_cause[c];
        }
    }
    for (auto const& [pair, rows] : of.codes) {
        codes.push_back({{"old", pair.first}, {"new", pair.second}, {"rows", rows}});
    }
    for (std::size_t i = 0; i < of.changed.size() && i < std::size_t(options.top); ++i) {
        difference const& one = of.changed[i];
        top.push_back({{"row_a", one.a.number},
                       {"row_b", one.b.number},
                       {"key", one.b.name},
                       {"why", causes[one.cause].reason},
                       {"old_code", one.a.code},
                       {"new_code", one.b.code},
                       {"old_reward", number_or_null(one.a.reward)},
                       {"new_reward", number_or_null(one.b.reward)}});
    }
    return {{"equal", of.equal},
            {"changed", of.changed.size()},
            {"only_a", of.only_a},
            {"only_b", of.only_b},
            {"fingerprint", differing_parts(of.fingerprint_a, of.fingerprint_b)},
            {"why", causes_json},
            {"codes", codes},
            {"top", top}};
}

std::string reward_text(double reward) { return std::isnan(reward) ? "none" : fmt::format("{:.6g}", reward); }

std::string to_text(comparison const& of, diff_options const& options) {
    std::string out = fmt::format("{} rows equal, {} changed, {} only in {}, {} only in {}\n", of.equal,
                                  of.changed.size(), of.only_a, options.a, of.only_b, options.b);
    if (of.fingerprint_a != of.fingerprint_b) {
        out += fmt::format(
            "fingerprints {} and {} differ in {}\n", of.fingerprint_a.empty() ? "none" : of.fingerprint_a,
            of.fingerprint_b.empty() ? "none" : of.fingerprint_b, differing_parts(of.fingerprint_a, of.fingerprint_b));
    }
    if (of.changed.empty()) {
        return out;
    }
    table why({{"why"}, {"rows", align::right}});
    for (std::size_t c = 0; c < cause_count; ++c) {
        if (of.by_cause[c] > 0) {
            why.add({causes[c].reason, std::to_string(of.by_cause[c])});
        }
    }
    table codes({{"old code"}, {"new code"}, {"rows", align::right}});
    for (auto const& [pair, rows] : of.codes) {
        codes.add({printable(pair.first), printable(pair.second), std::to_string(rows)});
    }
    table top({{"row a", align::right},
               {"row b", align::right},
               {"why"},
               {"code"},
               {"reward a", align::right},
               {"reward b", align::right},
               {"key"}});
    for (std::size_t i = 0; i < of.changed.size() && i < std::size_t(options.top); ++i) {
        difference const& one = of.changed[i];
        top.add({std::to_string(one.a.number), std::to_string(one.b.number), causes[one.cause].reason,
                 printable(one.a.code == one.b.code ? one.a.code : one.a.code + " -> " + one.b.code),
                 reward_text(one.a.reward), reward_text(one.b.reward), shortened(one.b.name, 60)});
    }
    out += "\n" + why.text() + "\n" + codes.text();
    return options.top == 0 ? out : out + "\n" + top.text();
}

void diff(context& ctx, diff_options const& options) {
    if (options.a == "-" && options.b == "-") {
        throw usage_error("A and B cannot both be stdin");
    }
    comparison const found = compare(ctx, options);
    write_stdout(ctx.json ? json_text(to_json(found, options), 2) + "\n" : to_text(found, options));
    if (!found.same()) {
        ctx.end_with(exit_rejected);
    }
}

}  // namespace

void add_diff(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "diff", "Two scored files: which rows changed, and why",
        {"optgap diff before.jsonl after.jsonl", "optgap diff before.jsonl after.jsonl --on id --json"},
        {"Rows are joined by their order, or by a field (the k-th row with a value to the k-th). A row's change has "
         "the",
         "first reason of: instance, completion, format, cut off, baseline, code, quality, reward spec (the reward",
         "differs and nothing before it), advantage. Columns that score does not write are not compared, and a",
         "fingerprint that differs is reported, but is no change. The table lists the greatest changes of reward "
         "first.",
         "Exit codes: 0 the rows are equal, 1 some differ or are in one file only, 2 bad usage."});
    auto options = std::make_shared<diff_options>();
    command.add_option("A", options->a, "Scored JSONL").required();
    command.add_option("B", options->b, "Scored JSONL").required();
    command.add_option("--on", options->on, "Field whose values join the rows");
    command.add_option("--top", options->top, "How many changed rows to list").at_least(0).show_default();
    command.on_run([&ctx, options] { diff(ctx, *options); });
}

}  // namespace optgap::cli
