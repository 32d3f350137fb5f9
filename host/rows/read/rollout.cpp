#include "host/rows/read/rollout.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "host/rows/read/fields.hpp"
#include "host/specs/nearest.hpp"
#include "optgap/status.hpp"

namespace optgap::rows {
namespace {

finish finish_of(json_row const& row) {
    auto const text = string_of(row, "finish");
    if (!text) {
        return finish::unknown;
    }
    if (auto const found = std::ranges::find(finish_names, *text); found != std::end(finish_names)) {
        return finish(found - std::begin(finish_names));
    }
    throw field_error("finish", fmt::format("is '{}', expected stop, length, abort or unknown", *text));
}

/// Treats a completion that used up its limit of tokens as cut off, whatever the server reported; an aborted one stays
/// aborted. The same rule stands in python/optgap/measure/endpoint/replies.py.
finish finish_within(finish given, std::int32_t length, json_row const& row) {
    std::int64_t const limit = integer_of(row, "limit", 0, "limit");
    if (limit < 0) {
        throw field_error("limit", "must be the tokens that the completion was allowed, 1 or more");
    }
    return limit > 0 && length >= limit && given != finish::abort ? finish::length : given;
}

bool is_true(json_row const& row, std::string_view name, std::string const& field) {
    std::string_view const* const value = row.find(name);
    if (value == nullptr || is_json_null(*value) || *value == "false") {
        return false;
    }
    if (*value != "true") {
        throw field_error(field, "must be true or false");
    }
    return true;
}

/// Whether the options' format applies to rows of this use.
bool format_is_for(std::string_view named, format_use use) {
    if (named.find('{') == std::string_view::npos) {
        bool const of_programs = std::any_of(program_formats().begin(), program_formats().end(),
                                             [&](format_spec const& own) { return own.name == named; });
        return of_programs == (use == format_use::programs);
    }
    return use != format_use::programs || parse_format(named).place == answer_place::fenced;
}

}  // namespace

std::optional<baseline> baseline_from(std::string_view value, std::string const& field) {
    if (is_json_null(value)) {
        return std::nullopt;
    }
    json_row object;
    std::string rule;
    if (!object.split(value, rule)) {
        throw field_error(field, "must be {objective, bound, proven}");
    }
    baseline known;
    known.objective = integer_of(object, "objective", no_objective, field + ".objective");
    known.bound = integer_of(object, "bound", no_objective, field + ".bound");
    known.floor = integer_of(object, "floor", no_objective, field + ".floor");
    known.greedy = integer_of(object, "greedy", no_objective, field + ".greedy");
    bool const proven = is_true(object, "proven", field + ".proven");
    if (known.objective == no_objective) {
        if (!proven) {
            return std::nullopt;
        }
        known.status = baseline_status::infeasible;
        return known;
    }
    known.status = proven ? baseline_status::optimal : baseline_status::bounded;
    if (proven && known.bound == no_objective) {
        known.bound = known.objective;
    }
    if (proven && known.bound != known.objective) {
        throw field_error(
            field, fmt::format("is proven, but its objective {} is not its bound {}", known.objective, known.bound));
    }
    return known;
}

void require_tokens(rollout const& row, reward_rules const& reward) {
    if (reads_lengths(reward) && row.length < 0) {
        throw field_error("length", "missing: the reward has a length penalty and needs tokens, 0 or more");
    }
}

std::int32_t format_of_row(json_row const& row, score_options const& options, format_use use) {
    bool const said = !options.format.empty() && format_is_for(options.format, use);
    auto const by_default = [&] {
        return said                          ? format_of_text(options.format, use)
               : use == format_use::programs ? format_index(program_formats()[0].name)
                                             : 0;
    };
    std::string_view const* value = row.find("format");
    bool const object = value != nullptr && value->starts_with('{');
    if (value != nullptr && !is_json_string(*value) && !object && row.find("format_name") != nullptr) {
        value = row.find("format_name");  // in a scored row `format` is a component
    }
    if ((options.force_format && said) || value == nullptr || is_json_null(*value)) {
        return by_default();
    }
    if (!is_json_string(*value) && !object) {
        throw field_error("format",
                          "must be a format's name or object, or absent (score writes a number here, and the name as "
                          "`format_name`)");
    }
    std::string const text = object ? std::string(*value) : decode_json_string(*value);
    std::int32_t const index = format_of_text(text, use);
    if (said && format_of_text(options.format, use) != index) {
        throw field_error("format", fmt::format("is '{}', but --format says '{}'; --force-format overrules the row",
                                                text, options.format));
    }
    return index;
}

std::int32_t format_of_text(std::string_view name_or_json, format_use use) {
    std::span<format_spec const> const known[] = {
        use == format_use::programs ? std::span<format_spec const>() : formats(),
        use == format_use::answers ? std::span<format_spec const>() : program_formats()};
    auto const is_it = [&](format_spec const& format) { return format.name == name_or_json; };
    bool const named = name_or_json.find('{') == std::string_view::npos;
    if (named && std::ranges::none_of(known, [&](auto const& some) { return std::ranges::any_of(some, is_it); })) {
        std::vector<std::string> names;
        for (std::span<format_spec const> const some : known) {
            std::ranges::transform(some, std::back_inserter(names), &format_spec::name);
        }
        throw field_error(
            "format", fmt::format("is '{}', expected one of: {}", name_or_json, closest_first(name_or_json, names)));
    }
    try {
        std::int32_t const index = format_index(name_or_json);
        if (use == format_use::programs && known_formats()[std::size_t(index)].place != answer_place::fenced) {
            throw field_error("format", "a program stands in a fenced block: set \"place\" to \"fenced\"");
        }
        return index;
    } catch (field_error const&) {
        throw;
    } catch (error const& refused) {
        throw field_error("format", refused.what());
    }
}

rollout read_rollout(row_item const& item, score_options const& options, text_arena& texts, format_use use,
                     rollout const* before) {
    json_row const& row = item.row;
    rollout out;
    std::string_view const* const completion = row.find("completion");
    if (!item.completion && (completion == nullptr || !is_json_string(*completion))) {
        throw field_error("completion", completion == nullptr ? "missing: what the model wrote" : "must be a string");
    }
    out.finished = item.beside != nullptr ? item.beside->finished : finish_of(row);
    out.format = format_of_row(row, options, use);
    if (std::string_view const* const known = row.find("baseline"); known != nullptr && use != format_use::programs) {
        out.given_text = *known;
        bool const is_known = before != nullptr && before->given_text == *known;
        out.given = is_known ? before->given : baseline_from(*known, "baseline");
    }
    out.completion = item.completion ? *item.completion : texts.decode(*completion);
    if (item.beside != nullptr) {
        out.length = item.beside->length;
        out.group = item.beside->group;
        return out;
    }
    if (std::string_view const* const group = row.find("group"); group != nullptr && !is_json_null(*group)) {
        out.group = *group;
    }
    if (std::string_view const* const length = row.find("length"); length != nullptr) {
        std::int32_t tokens = -1;
        auto const [end, problem] = std::from_chars(length->data(), length->data() + length->size(), tokens);
        out.length = problem == std::errc() && end == length->data() + length->size() && tokens >= 0 ? tokens : -1;
    }
    out.finished = finish_within(out.finished, out.length, row);
    return out;
}

}  // namespace optgap::rows
