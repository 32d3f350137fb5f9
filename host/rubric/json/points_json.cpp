// Reads a rubric's points: keywords, sequences, references.

#include "host/rubric/json/fields.hpp"

namespace optgap::rubrics {
namespace {

sequence_item item_at(json const& value, std::string const& field, std::size_t keywords) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    if (!value.is_number_integer() || value.get<std::int64_t>() < 0 ||
        value.get<std::int64_t>() >= std::int64_t(keywords)) {
        throw field_error(field, fmt::format("must be a keyword's place, below {}", keywords));
    }
    return std::int32_t(value.get<std::int64_t>());
}

void read_reference(json const& given, std::string const& field, rubric_data const& rubric, reference_data& out) {
    require_object(given, field, {"keywords", "sequence", "of", "words"});
    if (!given.contains("keywords")) {
        throw field_error(field + ".keywords", "missing: a list of texts");
    }
    bool const as_published = rubric.text.fold == fold_rule::python;
    for (json const& one : array_at(given["keywords"], field + ".keywords", limits::keywords)) {
        std::string const at = fmt::format("{}.keywords[{}]", field, out.keywords.size());
        std::vector<std::string> forms;
        if (one.is_array()) {
            for (json const& form : array_at(one, at, 16)) {
                forms.push_back(text_at(form, at, limits::keyword_bytes));
            }
        } else {
            forms.push_back(text_at(one, at, limits::keyword_bytes));
        }
        if (forms.empty() || (forms.size() > 1 && as_published)) {
            throw field_error(at, forms.empty() ? "is an empty list of forms"
                                                : fmt::format("has several forms, which preset {} does not know",
                                                              name_of(rubric.which)));
        }
        for (std::string const& form : forms) {
            if (form.empty() && !as_published) {
                throw field_error(at, "is empty");
            }
        }
        out.keywords.push_back(std::move(forms));
    }
    if (out.keywords.empty() && !as_published) {
        throw field_error(field + ".keywords", "is empty");
    }
    if (given.contains("sequence")) {
        out.has_sequence = true;
        for (json const& one : array_at(given["sequence"], field + ".sequence", limits::sequence)) {
            std::string const at = fmt::format("{}.sequence[{}]", field, out.sequence.size());
            out.sequence.push_back(item_at(one, at, out.keywords.size()));
            if (one.is_string() && !as_published) {
                throw field_error(at, "must be a keyword's place");
            }
        }
    }
    if (given.contains("words")) {
        out.words = count_at(given["words"], field + ".words", std::int64_t(1) << 31);
    }
    if (given.contains("of")) {
        out.of = std::int32_t(count_at(given["of"], field + ".of", limits::references - 1));
    }
}

}  // namespace

void read_points(json const& given, rubric_data& out) {
    for (json const& one : array_at(given, "content.points", limits::points)) {
        std::string const field = fmt::format("content.points[{}]", out.points.size());
        require_object(one, field, {"name", "weight", "references"});
        point_data point;
        if (one.contains("name")) {
            point.name = text_at(one["name"], field + ".name", 4096);
        }
        if (one.contains("weight")) {
            point.weight = read_micro(one["weight"], field + ".weight", 1);
            if (!out.open() && point.weight != micro) {
                throw field_error(field + ".weight",
                                  fmt::format("preset {} weighs all points alike", name_of(out.which)));
            }
        }
        if (!one.contains("references")) {
            throw field_error(field + ".references", "missing: a list of {keywords, sequence}");
        }
        for (json const& reference : array_at(one["references"], field + ".references", limits::references)) {
            reference_data data;
            data.of = std::int32_t(point.references.size());
            read_reference(reference, fmt::format("{}.references[{}]", field, point.references.size()), out, data);
            point.references.push_back(std::move(data));
        }
        if (point.references.empty() && out.open()) {
            throw field_error(field + ".references", "is empty");
        }
        if (out.which == preset::one_reference && point.references.size() > 1) {
            point.references.resize(1);
        }
        out.points.push_back(std::move(point));
    }
}

}  // namespace optgap::rubrics
