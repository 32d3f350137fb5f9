#pragma once
// What a verb's request and reply hold, in order. Encoders take what the engine's verbs take; decoders copy what is
// used as an index and check it, for a request may come from any program.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "host/remote/wire.hpp"
#include "optgap/engine.hpp"

namespace optgap::serve {

template <class Out>
void put_rows(Out& out, csr_view rows) {
    if (rows.rows == 0) {
        std::int64_t const none = 0;
        out.array(std::span(&none, 1));
        out.array(std::span<std::int32_t const>());
        return;
    }
    std::span<std::int64_t const> const ends(rows.offsets, std::size_t(rows.rows) + 1);
    if (ends[0] == 0) {
        out.array(ends);
    } else {
        std::vector<std::int64_t> rebased(ends.begin(), ends.end());
        for (std::int64_t& end : rebased) {
            end -= ends[0];
        }
        out.array(std::span<std::int64_t const>(rebased));
    }
    out.array(std::span(rows.words + ends[0], std::size_t(ends.back() - ends[0])));
}
/// Throws wire_error unless the offsets fit the words.
csr_words take_rows(reader& in);

template <class Out>
void put_instances(Out& out, instance_view instances) {
    out.array(std::span(instances.task, std::size_t(instances.blocks.rows)));
    put_rows(out, instances.blocks);
}
/// Rows alone are checked, not the instances' own rules.
instance_batch take_instances(reader& in);

/// verify; improve adds its steps and seed.
struct answers_call {
    instance_batch instances;
    csr_words answers;
    std::vector<std::int32_t> instance_of;
};
template <class Out>
void put_answers(Out& out, instance_view instances, csr_view answers, std::span<std::int32_t const> instance_of) {
    put_instances(out, instances);
    put_rows(out, answers);
    out.array(instance_of);
}
answers_call take_answers(reader& in);

/// A grade_request and what it borrows; the texts are borrowed from the bytes it was read from.
struct grade_call {
    instance_batch instances;
    std::vector<baseline> baselines;
    std::vector<std::string_view> texts;
    std::vector<std::int32_t> instance_of, length, format_of;
    std::vector<finish> finished;
    std::vector<format_spec> formats;
    reward_spec reward;

    [[nodiscard]] grade_request request() const {
        return {.instances = instances.view(),
                .baselines = baselines,
                .texts = texts,
                .instance_of = instance_of,
                .length = length,
                .finished = finished,
                .format_of = format_of,
                .formats = formats,
                .reward = reward};
    }
};

template <class Out>
void put_text(Out& out, std::string_view text) {
    out.array(std::span<char const>(text.data(), text.size()));
}

/// A named format by its name, any other by its fields.
template <class Out>
void put_format(Out& out, format_spec const& format) {
    format_spec const* const first = formats().data();
    bool const among = std::less_equal<>()(first, &format) && std::less<>()(&format, first + formats().size());
    auto const named =
        among ? formats().begin() + (&format - first) : std::find(formats().begin(), formats().end(), format);
    out.one(std::uint32_t(named != formats().end() ? 1 : 0));
    put_text(out, format.name);
    if (named != formats().end()) {
        return;
    }
    put_text(out, format.answer_open);
    put_text(out, format.answer_close);
    out.one(format.place);
    out.one(format.reasoning);
    out.one(format.tail);
    out.one(std::uint32_t(format.opened_in_prompt ? 1 : 0));
    out.one(std::uint64_t(format.markers.size()));
    for (reasoning_markers const& pair : format.markers) {
        put_text(out, pair.open);
        put_text(out, pair.close);
        out.one(std::uint32_t(pair.at_start ? 1 : 0));
    }
    out.one(std::uint64_t(format.ends.size()));
    for (std::string const& end : format.ends) {
        put_text(out, end);
    }
}

template <class Out>
void put_grade(Out& out, grade_request const& what) {
    put_instances(out, what.instances);
    out.array(what.baselines);
    out.array(what.instance_of);
    out.array(what.length);
    out.array(what.format_of);
    out.array(what.finished);
    // The daemon knows other formats than this process: what an index means goes along.
    bool const known = what.formats.empty() && !what.format_of.empty();
    std::span<format_spec const> const meant = known ? known_formats() : what.formats;
    out.one(std::uint64_t(meant.size()));
    for (format_spec const& format : meant) {
        put_format(out, format);
    }
    out.one(what.reward);
    out.texts(what.texts);
}
grade_call take_grade(reader& in);

template <class Out>
void put_solved(Out& out, solved_batch const& found) {
    out.array(std::span<baseline const>(found.rows));
    put_rows(out, found.answers.view());
}
template <class Out>
void put_improved(Out& out, improved_batch const& found) {
    out.array(std::span<std::int64_t const>(found.start_objective));
    out.array(std::span<std::int64_t const>(found.objective));
    out.array(std::span<std::int64_t const>(found.moves));
    out.one(found.evaluations);
    put_rows(out, found.answers.view());
}
template <class Out>
void put_grades(Out& out, grade_batch const& found) {
    out.array(std::span<reward_row const>(found.rows));
    out.array(std::span<verdict const>(found.verdicts));
    out.array(std::span<parsed_text const>(found.parsed));
    out.array(std::span<std::int32_t const>(found.format_codes));
    put_rows(out, found.answers.view());
    out.array(std::span<std::int64_t const>(found.beaten));
    out.one(found.seconds);
}
/// Each throws wire_error unless there are `rows` rows of everything.
instance_batch take_generated(reader& in, std::size_t rows);
std::vector<verdict> take_verdicts(reader& in, std::size_t rows);
csr_words take_words(reader& in, std::size_t rows);
solved_batch take_solved(reader& in, std::size_t rows);
improved_batch take_improved(reader& in, std::size_t rows);
void take_grades(reader& in, std::size_t rows, grade_batch& out);

}  // namespace optgap::serve
