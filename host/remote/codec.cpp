#include "host/remote/codec.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace optgap::serve {

namespace {

void require(bool holds, char const* what) {
    if (!holds) {
        throw wire_error(what);
    }
}

/// An enumerator from 0 to `last`. Any bits are a value of an enumeration with a fixed underlying type.
template <class Enum>
bool is_one_of(Enum value, Enum last) {
    return std::int32_t(value) >= 0 && value <= last;
}

constexpr std::uint64_t max_parts = 256;  ///< markers or ends of a format

format_spec take_format(reader& in) {
    bool const named = in.one<std::uint32_t>() != 0;
    format_spec format;
    format.name = in.text();
    if (named) {
        auto const found = std::find_if(formats().begin(), formats().end(),
                                        [&](format_spec const& own) { return own.name == format.name; });
        require(found != formats().end(), "formats: no such name");
        return *found;
    }
    format.answer_open = in.text();
    format.answer_close = in.text();
    format.place = in.one<answer_place>();
    format.reasoning = in.one<reasoning_rule>();
    format.tail = in.one<tail_rule>();
    format.spelling = in.one<spelling_rule>();
    require(is_one_of(format.place, answer_place::fenced) && is_one_of(format.reasoning, reasoning_rule::required) &&
                is_one_of(format.tail, tail_rule::lenient) && is_one_of(format.spelling, spelling_rule::strict),
            "formats: no such place, reasoning, tail or spelling");
    format.opened_in_prompt = in.one<std::uint32_t>() != 0;
    auto const markers = in.one<std::uint64_t>();
    require(markers <= max_parts, "formats: too many markers");
    format.markers.clear();
    for (std::uint64_t k = 0; k < markers; ++k) {
        std::string open = in.text();
        std::string close = in.text();
        format.markers.push_back({std::move(open), std::move(close), in.one<std::uint32_t>() != 0});
    }
    auto const ends = in.one<std::uint64_t>();
    require(ends <= max_parts, "formats: too many ends");
    format.ends.clear();
    for (std::uint64_t k = 0; k < ends; ++k) {
        format.ends.push_back(in.text());
    }
    format.one_block = in.one<std::uint32_t>() != 0;
    format.untagged = in.one<std::uint32_t>() != 0;
    return format;
}

}  // namespace

void check(baseline const& row) {
    require(is_one_of(row.status, baseline_status::infeasible), "baselines: no such status");
}

void check(finish how) { require(is_one_of(how, finish::abort), "finished: no such ending"); }

void check(reward_spec const& reward) {
    require(is_known(reward.shape) && is_one_of(reward.from, anchor::baseline) &&
                is_one_of(reward.to, anchor::baseline) &&
                is_one_of(reward.infeasible_mode, infeasible_reward::graded) &&
                is_one_of(reward.truncated, truncation::exclude) && is_one_of(reward.length_on, long_rollouts::wrong),
            "reward: an enumerator that does not exist");
    require(reward.thresholds >= 0 && reward.thresholds <= max_thresholds, "reward: too many thresholds");
    require(reward.length_buffer >= 0 && reward.length_buffer <= reward.length_limit,
            "reward: a length buffer beyond the limit");
    require(reward.exponent >= 0 && reward.exponent <= 64, "reward: an exponent beyond 64");
}

csr_words take_rows(reader& in) {
    csr_words rows;
    rows.offsets = in.array<std::int64_t>();
    rows.words = in.array<std::int32_t>();
    require(
        !rows.offsets.empty() && rows.offsets.front() == 0 && rows.offsets.back() == std::int64_t(rows.words.size()),
        "rows: the offsets do not span the words");
    for (std::size_t r = 1; r < rows.offsets.size(); ++r) {
        require(rows.offsets[r - 1] <= rows.offsets[r], "rows: an offset falls");
    }
    return rows;
}

instance_batch take_instances(reader& in) {
    instance_batch instances;
    instances.task = in.array<std::int32_t>();
    instances.blocks = take_rows(in);
    require(instances.blocks.rows() == std::int64_t(instances.task.size()), "instances: not one task a row");
    return instances;
}

format_spec const* named_format(format_spec const& format) {
    std::span<format_spec const> const known = formats();
    bool const among =
        std::less_equal<>()(known.data(), &format) && std::less<>()(&format, known.data() + known.size());
    auto const found = among ? known.begin() + (&format - known.data()) : std::find(known.begin(), known.end(), format);
    return found != known.end() ? &*found : nullptr;
}

std::vector<format_spec> take_formats(reader& in) {
    auto const count = in.one<std::uint64_t>();
    require(count <= 4096, "formats: more than 4096");
    std::vector<format_spec> found;
    for (std::uint64_t f = 0; f < count; ++f) {
        found.push_back(take_format(in));
    }
    return found;
}

reward_rules take_rules(reader& in) {
    reward_rules rules;
    rules.specs = in.array<reward_spec>();
    rules.of_task = in.array<std::int32_t>();
    require(!rules.specs.empty(), "reward: no spec");
    for (reward_spec const& spec : rules.specs) {
        check(spec);
    }
    for (std::int32_t const entry : rules.of_task) {
        require(entry >= 0 && std::size_t(entry) < rules.specs.size(), "reward: a task has a spec that is not there");
    }
    return rules;
}

void refuse_rows(std::size_t found, std::size_t expected) {
    throw wire_error(std::to_string(found) + " rows, expected " + std::to_string(expected));
}

void take_result(reader& in, std::size_t rows, csr_words& found) {
    found = take_rows(in);
    if (std::size_t(found.rows()) != rows) {
        refuse_rows(std::size_t(found.rows()), rows);
    }
}

void take_result(reader& in, std::size_t rows, instance_batch& found) {
    found = take_instances(in);
    if (found.task.size() != rows) {
        refuse_rows(found.task.size(), rows);
    }
}

void take_result(reader& in, std::size_t rows, solved_batch& found) {
    take_result(in, rows, found.rows);
    take_result(in, rows, found.answers);
}

void take_result(reader& in, std::size_t rows, improved_batch& found) {
    take_result(in, rows, found.start_objective);
    take_result(in, rows, found.objective);
    take_result(in, rows, found.moves);
    found.evaluations = in.one<std::int64_t>();
    take_result(in, rows, found.answers);
}

void take_result(reader& in, std::size_t rows, grade_batch& found) {
    take_result(in, rows, found.rows);
    take_result(in, rows, found.verdicts);
    take_result(in, rows, found.parsed);
    take_result(in, rows, found.format_codes);
    take_result(in, rows, found.answers);
    found.beaten = in.array<std::int64_t>();
    for (std::int64_t const row : found.beaten) {
        require(row >= 0 && row < std::int64_t(rows), "grade: a row that does not exist beats its baseline");
    }
    found.seconds = in.one<stage_seconds>();
}

}  // namespace optgap::serve
