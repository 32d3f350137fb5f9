#include "host/remote/calls.hpp"

#include <algorithm>
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

template <class T>
std::vector<T> take_array(reader& in, std::size_t rows, char const* what) {
    std::vector<T> values = in.array<T>();
    require(values.size() == rows, what);
    return values;
}

constexpr std::uint64_t most_parts = 256;  ///< markers or ends of a format

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
    require(is_one_of(format.place, answer_place::line) && is_one_of(format.reasoning, reasoning_rule::required) &&
                is_one_of(format.tail, tail_rule::lenient),
            "formats: no such place, reasoning or tail");
    format.opened_in_prompt = in.one<std::uint32_t>() != 0;
    auto const markers = in.one<std::uint64_t>();
    require(markers <= most_parts, "formats: too many markers");
    format.markers.clear();
    for (std::uint64_t k = 0; k < markers; ++k) {
        std::string open = in.text();
        std::string close = in.text();
        format.markers.push_back({std::move(open), std::move(close), in.one<std::uint32_t>() != 0});
    }
    auto const ends = in.one<std::uint64_t>();
    require(ends <= most_parts, "formats: too many ends");
    format.ends.clear();
    for (std::uint64_t k = 0; k < ends; ++k) {
        format.ends.push_back(in.text());
    }
    return format;
}

/// What loops and switches over a spec rely on; the rest is numbers.
void check_spec(reward_spec const& reward) {
    require(is_one_of(reward.shape, reward_shape::weighted) && is_one_of(reward.from, anchor::baseline) &&
                is_one_of(reward.to, anchor::baseline) &&
                is_one_of(reward.infeasible_mode, infeasible_reward::graded) &&
                is_one_of(reward.truncated, truncation::exclude) && is_one_of(reward.length_on, long_rollouts::wrong),
            "reward: an enumerator that does not exist");
    require(reward.thresholds >= 0 && reward.thresholds <= max_thresholds, "reward: too many thresholds");
    require(reward.length_buffer >= 0 && reward.length_buffer <= reward.length_limit,
            "reward: a length buffer beyond the limit");
    require(reward.exponent >= 0 && reward.exponent <= 64, "reward: an exponent beyond 64");
}

}  // namespace

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

answers_call take_answers(reader& in) {
    answers_call call;
    call.instances = take_instances(in);
    call.answers = take_rows(in);
    call.instance_of = in.array<std::int32_t>();
    return call;
}

grade_call take_grade(reader& in) {
    grade_call call;
    call.instances = take_instances(in);
    call.baselines = in.array<baseline>();
    for (baseline const& row : call.baselines) {
        require(is_one_of(row.status, baseline_status::infeasible), "baselines: no such status");
    }
    call.instance_of = in.array<std::int32_t>();
    call.length = in.array<std::int32_t>();
    call.format_of = in.array<std::int32_t>();
    call.finished = in.array<finish>();
    for (finish const& how : call.finished) {
        require(is_one_of(how, finish::abort), "finished: no such ending");
    }
    auto const formats = in.one<std::uint64_t>();
    require(formats <= 4096, "formats: more than 4096");
    for (std::uint64_t f = 0; f < formats; ++f) {
        call.formats.push_back(take_format(in));
    }
    call.reward = in.one<reward_spec>();
    check_spec(call.reward);
    call.texts = in.texts();
    return call;
}

instance_batch take_generated(reader& in, std::size_t rows) {
    instance_batch found = take_instances(in);
    require(found.task.size() == rows, "generate: another number of rows");
    return found;
}

std::vector<verdict> take_verdicts(reader& in, std::size_t rows) {
    return take_array<verdict>(in, rows, "verify: another number of rows");
}

csr_words take_words(reader& in, std::size_t rows) {
    csr_words found = take_rows(in);
    require(found.rows() == std::int64_t(rows), "answers: another number of rows");
    return found;
}

solved_batch take_solved(reader& in, std::size_t rows) {
    solved_batch found;
    found.rows = take_array<baseline>(in, rows, "solve: another number of rows");
    found.answers = take_words(in, rows);
    return found;
}

improved_batch take_improved(reader& in, std::size_t rows) {
    improved_batch found;
    for (auto* const column : {&found.start_objective, &found.objective, &found.moves}) {
        *column = take_array<std::int64_t>(in, rows, "improve: another number of rows");
    }
    found.evaluations = in.one<std::int64_t>();
    found.answers = take_words(in, rows);
    return found;
}

void take_grades(reader& in, std::size_t rows, grade_batch& out) {
    char const* const what = "grade: another number of rows";
    out.rows = take_array<reward_row>(in, rows, what);
    out.verdicts = take_array<verdict>(in, rows, what);
    out.parsed = take_array<parsed_text>(in, rows, what);
    out.format_codes = take_array<std::int32_t>(in, rows, what);
    out.answers = take_words(in, rows);
    out.beaten = in.array<std::int64_t>();
    for (std::int64_t const row : out.beaten) {
        require(row >= 0 && row < std::int64_t(rows), "grade: a row that does not exist beats its baseline");
    }
    out.seconds = in.one<stage_seconds>();
}

}  // namespace optgap::serve
