#include "host/rows/text/rubric_file.hpp"

#include <fmt/format.h>

#include "host/rows/json/line_reader.hpp"
#include "host/rows/read/fields.hpp"
#include "optgap/status.hpp"

namespace optgap::rows {
namespace {

std::optional<rubrics::preset> named_preset(std::string const& name) {
    if (name.empty()) {
        return std::nullopt;
    }
    try {
        return rubrics::preset_named(name);
    } catch (error const& unknown) {
        misuse(fmt::format("--rubric-preset: {}", unknown.what()));
    }
}

}  // namespace

rubric_columns rubric_columns::of(json_row const& row) {
    bool const former = field_of(row, "chain") != nullptr || field_of(row, "chain_key") != nullptr;
    return former ? rubric_columns{"chain", "chain_key", "names a chain, and there is no --chains FILE that holds it"}
                  : rubric_columns{};
}

std::string_view const* rubric_text(json_row const& row) {
    std::string_view const* const current = field_of(row, "rubric");
    return current != nullptr && current->starts_with('{') ? current : field_of(row, "chain");
}

rubric_file::rubric_file(std::string const& preset, std::string const& side) : as_(named_preset(preset)) {
    if (side.empty()) {
        return;
    }
    has_side_ = true;
    line_reader reader({side});
    std::vector<text_line> lines;
    while (reader.next(lines, {})) {
        for (text_line const& line : lines) {
            json_row row;
            std::string rule;
            std::string const place = fmt::format("--rubrics {}, line {}", side, line.number);
            if (!row.split(line.text, rule)) {
                misuse(fmt::format("{}: {}", place, rule));
            }
            std::string_view const* const raw = rubric_text(row);
            rubric_columns const columns = rubric_columns::of(row);
            if (raw == nullptr) {
                misuse(fmt::format("{}: {}: missing", place, columns.rubric));
            }
            try {
                std::int32_t const index = add(*raw);
                // Rows name a rubric as it stands in the file, whatever preset scores it.
                rubrics::text_rubric const own = as_ ? rubrics::text_rubric(*raw) : at(index);
                auto const said = string_of(row, columns.key);
                if (said && *said != own.key()) {
                    throw field_error(std::string(columns.key),
                                      fmt::format("is {}, but the rubric's is {}", *said, own.key()));
                }
                by_key_.emplace(own.key(), index);
            } catch (field_error const& broken) {
                misuse(fmt::format("{}: {}: {}", place, broken.field(), broken.rule()));
            }
        }
    }
    of_side_ = rubrics_.size();
}

void rubric_file::forget_beyond(std::size_t most) {
    if (rubrics_.size() - of_side_ > most) {
        rubrics_.erase(rubrics_.begin() + std::ptrdiff_t(of_side_), rubrics_.end());
        std::erase_if(by_text_, [this](auto const& one) { return std::size_t(one.second) >= of_side_; });
    }
}

bool rubric_file::names_rubric(json_row const& row) {
    return rubric_text(row) != nullptr || field_of(row, rubric_columns::of(row).key) != nullptr;
}

std::int32_t rubric_file::add(std::string_view raw) {
    auto const [place, is_new] = by_text_.try_emplace(std::string(raw), std::int32_t(rubrics_.size()));
    if (is_new) {
        try {
            rubrics_.emplace_back(raw, as_);
        } catch (...) {
            by_text_.erase(place);
            throw;
        }
    }
    return place->second;
}

std::int32_t rubric_file::rubric_of(json_row const& row) {
    rubric_columns const columns = rubric_columns::of(row);
    if (std::string_view const* const raw = rubric_text(row)) {
        return add(*raw);
    }
    auto const key = string_of(row, columns.key);
    auto const found = by_key_.find(*key);
    if (found == by_key_.end()) {
        throw field_error(
            std::string(columns.key),
            has_side_ ? fmt::format("'{}' is in no row of --rubrics", key->substr(0, 60)) : std::string(columns.side));
    }
    return found->second;
}

}  // namespace optgap::rows
