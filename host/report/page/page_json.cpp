// The description of a page, read field by field.

#include <cmath>
#include <initializer_list>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/report/page/histogram.hpp"
#include "host/report/page/page.hpp"
#include "host/report/page/page_text.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

using json = nlohmann::ordered_json;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double largest_charted = 1e100;           ///< of a number in a chart
constexpr double largest_whole = 9007199254740992;  ///< of what a histogram counts
constexpr std::size_t max_series = 12;
constexpr int deepest = 3;  ///< headings h2, h3 and h4

/// A value and its place.
struct node {
    json const& value;
    std::string path;

    [[noreturn]] void refuse(std::string const& rule) const { throw field_error(path.empty() ? "page" : path, rule); }
    [[nodiscard]] node item(std::size_t k) const { return {value[k], fmt::format("{}[{}]", path, k)}; }
    [[nodiscard]] bool has(char const* name) const { return value.contains(name) && !value[name].is_null(); }
    /// A required field.
    [[nodiscard]] node field(char const* name) const {
        std::string const where = path.empty() ? name : path + "." + name;
        if (!value.contains(name)) {
            throw field_error(where, "is missing");
        }
        return {value[name], where};
    }
    void only(std::initializer_list<std::string_view> names) const {
        if (!value.is_object()) {
            refuse("must be an object");
        }
        for (auto const& [name, ignored] : value.items()) {
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                std::string const where = path.empty() ? name : path + "." + name;
                throw field_error(clean_text(where), fmt::format("is no field; known are {}", fmt::join(names, ", ")));
            }
        }
    }
    [[nodiscard]] std::size_t list() const {
        if (!value.is_array()) {
            refuse("must be a list");
        }
        return value.size();
    }
    [[nodiscard]] std::string text() const {
        if (!value.is_string()) {
            refuse("must be a string");
        }
        return clean_text(value.get_ref<std::string const&>());
    }
    [[nodiscard]] bool flag() const {
        if (!value.is_boolean()) {
            refuse("must be true or false");
        }
        return value.get<bool>();
    }
    /// Null is NaN.
    [[nodiscard]] double number(double most) const {
        if (value.is_null()) {
            return nothing;
        }
        if (!value.is_number() || !(std::abs(value.get<double>()) <= most)) {
            refuse(fmt::format("must be a number of at most {:g}", most));
        }
        return value.get<double>();
    }
    [[nodiscard]] std::string text_or_nothing(char const* name) const { return has(name) ? field(name).text() : ""; }
};

page_cell read_cell(node const& at) {
    if (at.value.is_null()) {
        return {};
    }
    if (at.value.is_number_unsigned() && at.value.get<std::uint64_t>() > std::uint64_t(INT64_MAX)) {
        return std::to_string(at.value.get<std::uint64_t>());
    }
    if (at.value.is_number_integer()) {
        return at.value.get<std::int64_t>();
    }
    if (at.value.is_number()) {
        return at.value.get<double>();
    }
    if (!at.value.is_string()) {
        at.refuse("must be a string, a number or null");
    }
    return at.text();
}

page_table read_table(node const& at) {
    at.only({"columns", "rows", "filter"});
    page_table out;
    node const columns = at.field("columns");
    for (std::size_t c = 0; c < columns.list(); ++c) {
        node const column = columns.item(c);
        column.only({"name", "align", "note"});
        out.columns.push_back({column.field("name").text(), false, column.text_or_nothing("note")});
        if (column.has("align")) {
            node const align = column.field("align");
            if (align.value != "left" && align.value != "right") {
                align.refuse("must be \"left\" or \"right\"");
            }
            out.columns.back().right = align.value == "right";
        }
    }
    if (out.columns.empty()) {
        columns.refuse("a table needs a column");
    }
    node const rows = at.field("rows");
    for (std::size_t r = 0; r < rows.list(); ++r) {
        node const row = rows.item(r);
        if (row.list() != out.columns.size()) {
            row.refuse(fmt::format("has {} cells; there are {} columns", row.value.size(), out.columns.size()));
        }
        out.rows.emplace_back();
        for (std::size_t c = 0; c < out.columns.size(); ++c) {
            out.rows.back().push_back(read_cell(row.item(c)));
        }
    }
    if (at.has("filter")) {
        node const filter = at.field("filter");
        if (!filter.value.is_number_integer() || filter.value < 0 || filter.value >= out.columns.size()) {
            filter.refuse(fmt::format("must be the number of a column, 0 to {}", out.columns.size() - 1));
        }
        out.filter = filter.value.get<std::size_t>();
    }
    return out;
}

chart_axis_words read_axis(node const& at) {
    at.only({"label", "log"});
    return {at.field("label").text(), at.has("log") && at.field("log").flag()};
}

chart_point read_point(node const& at, chart_kind kind) {
    std::size_t const numbers = at.list();
    if (numbers != 2 && (numbers != 4 || kind == chart_kind::histogram)) {
        at.refuse(kind == chart_kind::histogram ? "must be [from, count]" : "must be [x, y] or [x, y, low, high]");
    }
    chart_point out{nothing, at.item(1).number(largest_charted), nothing, nothing, ""};
    if (kind == chart_kind::bars) {
        page_cell const name = read_cell(at.item(0));
        out.name = cell_text(name);
    } else if (out.x = at.item(0).number(largest_charted); std::isnan(out.x)) {
        at.item(0).refuse("must be a number");
    }
    if (numbers == 4) {
        out.low = at.item(2).number(largest_charted);
        out.high = at.item(3).number(largest_charted);
        if (std::isnan(out.low) != std::isnan(out.high) || out.low > out.high) {
            at.refuse("low and high must be two numbers, the lower first, or two nulls");
        }
    }
    return out;
}

void read_points(node const& at, chart_kind kind, chart_series& out) {
    bool const ascends = kind == chart_kind::lines || kind == chart_kind::histogram;
    std::set<std::string> names;
    for (std::size_t k = 0; k < at.list(); ++k) {
        out.points.push_back(read_point(at.item(k), kind));
        chart_point const& p = out.points.back();
        if (ascends && k > 0 && !(out.points[k - 1].x < p.x)) {
            at.item(k).refuse(fmt::format("x must ascend: {:g} follows {:g}", p.x, out.points[k - 1].x));
        }
        if (kind == chart_kind::bars && !names.insert(p.name).second) {
            at.item(k).refuse(fmt::format("a second bar for '{}'", p.name));
        }
    }
}

/// Numbers that are counted here.
std::vector<double> read_values(node const& at, bins how) {
    std::vector<double> out;
    for (std::size_t k = 0; k < at.list(); ++k) {
        double const value = at.item(k).number(largest_whole);
        if (how != bins::whole && !(value >= 0 && (how == bins::doubling || value <= 1))) {
            at.item(k).refuse(how == bins::share ? "must be from 0 to 1" : "must not be negative");
        }
        if (std::isnan(value)) {
            at.item(k).refuse("must be a number");
        }
        out.push_back(value);
    }
    return out;
}

bins read_bins(node const& at) {
    static constexpr std::pair<char const*, bins> names[] = {
        {"whole", bins::whole}, {"doubling", bins::doubling}, {"share", bins::share}};
    for (auto const& [name, how] : names) {
        if (at.value == name) {
            return how;
        }
    }
    at.refuse("must be \"whole\", \"doubling\" or \"share\"");
}

chart_kind read_kind(node const& at) {
    static constexpr std::pair<char const*, chart_kind> names[] = {{"lines", chart_kind::lines},
                                                                   {"points", chart_kind::points},
                                                                   {"bars", chart_kind::bars},
                                                                   {"histogram", chart_kind::histogram}};
    for (auto const& [name, kind] : names) {
        if (at.value == name) {
            return kind;
        }
    }
    at.refuse("must be \"lines\", \"points\", \"bars\" or \"histogram\"");
}

/// A series of a histogram that brings values rather than counts.
void count_series(node const& of, node const& at, chart_series& out) {
    if (!of.has("bins")) {
        throw field_error(of.path + ".bins", "is missing: how the values are counted");
    }
    std::vector<double> const values = read_values(at.field("values"), read_bins(of.field("bins")));
    for (histogram_bar const& bar : count_values(values, read_bins(of.field("bins")))) {
        out.points.push_back({bar.from, double(bar.count), nothing, nothing, ""});
    }
    out.median = median_of(values);
}

chart read_chart(node const& at) {
    at.only({"kind", "title", "x", "y", "series", "bins"});
    chart out{
        read_kind(at.field("kind")), at.field("title").text(), read_axis(at.field("x")), read_axis(at.field("y")), {}};
    bool const counts = out.kind == chart_kind::histogram;
    if (out.x.log && (counts || out.kind == chart_kind::bars)) {
        at.field("x").refuse("log has no effect here: bars stand side by side");
    }
    node const series = at.field("series");
    if (series.list() == 0 || series.list() > max_series) {
        series.refuse(fmt::format("must be 1 to {} series", max_series));
    }
    bool counted = false;
    for (std::size_t s = 0; s < series.list(); ++s) {
        node const one = series.item(s);
        one.only({"name", "points", "values"});
        out.series.push_back({one.field("name").text(), {}, nothing});
        if (counts && one.has("values") && !one.has("points")) {
            count_series(at, one, out.series.back());
            counted = true;
        } else if (one.has("values")) {
            one.field("values").refuse("stands in histograms, and in place of points");
        } else {
            read_points(one.field("points"), out.kind, out.series.back());
        }
        auto const& first = out.series.front().points;
        auto const& here = out.series.back().points;
        auto const same = [](chart_point const& a, chart_point const& b) { return a.x == b.x; };
        if (counts && !std::equal(first.begin(), first.end(), here.begin(), here.end(), same)) {
            one.refuse("its bars must begin where those of the first series do");
        }
    }
    if (at.has("bins") && !counted) {
        at.field("bins").refuse("has no effect without values to count");
    }
    return out;
}

page_picture read_picture(node const& at) {
    at.only({"svg", "caption", "file"});
    node const drawn = at.field("svg");
    return {checked_picture(drawn.text(), drawn.path), at.field("caption").text(), at.text_or_nothing("file")};
}

/// The ids of a page's sections.
class section_ids {
public:
    std::string take(node const& at, std::string const& heading) {
        if (at.has("id")) {
            node const given = at.field("id");
            std::string const id = given.text();
            if (id.empty() || id != link_name(id)) {
                given.refuse("must be of the letters a-z, digits, _ and -");
            }
            if (!taken_.insert(id).second) {
                given.refuse("is another section's, too");
            }
            return id;
        }
        std::string const name = link_name(heading).empty() ? "section" : link_name(heading);
        std::string id = name;
        for (int k = 2; !taken_.insert(id).second; ++k) {
            id = fmt::format("{}-{}", name, k);
        }
        return id;
    }

private:
    std::set<std::string> taken_;
};

page_section read_section(node const& at, section_ids& ids, int depth) {
    at.only({"heading", "id", "text", "table", "charts", "pictures", "sections"});
    page_section out;
    out.heading = at.field("heading").text();
    out.id = ids.take(at, out.heading);
    out.text = at.text_or_nothing("text");
    if (at.has("table")) {
        out.table = read_table(at.field("table"));
    }
    for (std::size_t k = 0; at.has("charts") && k < at.field("charts").list(); ++k) {
        out.charts.push_back(read_chart(at.field("charts").item(k)));
    }
    for (std::size_t k = 0; at.has("pictures") && k < at.field("pictures").list(); ++k) {
        out.pictures.push_back(read_picture(at.field("pictures").item(k)));
    }
    if (at.has("sections") && depth == deepest) {
        at.field("sections").refuse(fmt::format("sections are at most {} deep", deepest));
    }
    for (std::size_t k = 0; at.has("sections") && k < at.field("sections").list(); ++k) {
        out.sections.push_back(read_section(at.field("sections").item(k), ids, depth + 1));
    }
    return out;
}

}  // namespace

page read_page(std::string_view page_json) {
    json const value = json::parse(sound_json(page_json), nullptr, false);
    node const root{value, ""};
    if (value.is_discarded()) {
        root.refuse("is no JSON");
    }
    root.only({"title", "lead", "facts", "sections", "command"});
    page out;
    out.title = root.field("title").text();
    out.lead = root.text_or_nothing("lead");
    out.command = root.text_or_nothing("command");
    for (std::size_t k = 0; root.has("facts") && k < root.field("facts").list(); ++k) {
        node const fact = root.field("facts").item(k);
        if (fact.list() != 2) {
            fact.refuse("must be [name, value]");
        }
        out.facts.emplace_back(fact.item(0).text(), read_cell(fact.item(1)));
    }
    section_ids ids;
    node const sections = root.field("sections");
    for (std::size_t k = 0; k < sections.list(); ++k) {
        out.sections.push_back(read_section(sections.item(k), ids, 1));
    }
    return out;
}

}  // namespace optgap
