// JSON and sentences of the travelling salesman, and the table that contains its text.

#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "kernels/tasks/tsp/tsp.hpp"
#include "kernels/tasks/tsp/tsp_files.hpp"
#include "kernels/tasks/tsp/tsp_prompt.hpp"
#include "kernels/text/files/file_table.hpp"
#include "kernels/text/files/matrix_table.hpp"
#include "kernels/text/json_fields.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap::text::tsp {

std::string picture(words_view instance, words_view answer);  // tsp_picture.cpp

namespace {

using namespace optgap::tasks::tsp;

json to_json(words_view instance) {
    std::int32_t const n = city_count(instance);
    json rows = json::array();
    if (instance[0] != matrix_form) {
        std::int32_t const scale = instance[2];
        auto const number = [&](std::int32_t x) { return scale == 1 ? json(x) : json(double(x) / double(scale)); };
        for (std::int64_t i = 0; i < n; ++i) {
            rows.push_back(json::array({number(instance[3 + 2 * i]), number(instance[4 + 2 * i])}));
        }
        return {{"points", std::move(rows)}, {"metric", instance[0] == doubles_form ? "euc_2d_doubles" : "euc_2d"}};
    }
    distances const d(instance);
    for (std::int32_t i = 0; i < n; ++i) {
        json row = json::array();
        for (std::int32_t j = 0; j < n; ++j) {
            row.push_back(d(i, j));
        }
        rows.push_back(std::move(row));
    }
    return {{"distances", std::move(rows)}};
}

template <class Value>
void require_city_list(Value const& list, char const* name) {
    if (!list.is_array()) {
        throw field_error(name, "must be a list");
    }
    if (list.size() < std::size_t(min_cities) || list.size() > std::size_t(max_cities)) {
        throw field_error(name, "must have 3 ... 1000000 cities");
    }
}

/// The words hold the lower triangle; the upper one must agree with it.
template <class Value>
std::vector<std::int32_t> words_of_distances(Value const& rows) {
    require_city_list(rows, "distances");
    std::size_t const n = rows.size();
    std::vector<std::int32_t> words{matrix_form, std::int32_t(n)};
    std::vector<std::int32_t> upper;
    for (std::size_t i = 0; Value const& row : rows) {
        if (!row.is_array() || row.size() != n) {
            throw field_error(entry_name("distances", i), "must be a list of " + std::to_string(n) + " integers");
        }
        for (std::size_t j = 0; Value const& entry : row) {
            auto const weight = integer_within(entry, 0, max_weight);
            if (!weight) {
                throw field_error(entry_name("distances", i, j), integer_rule(0, max_weight));
            }
            if (i == j && *weight != 0) {
                throw field_error(entry_name("distances", i, j), "must be 0, a city's distance to itself");
            }
            if (i != j) {
                (j < i ? words : upper).push_back(*weight);
            }
            ++j;
        }
        ++i;
    }
    distances const d(words_view{words.data(), std::int64_t(words.size())});
    std::int32_t const* told = upper.data();
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i + 1; j < n; ++j) {
            if (*told++ != d.from_matrix(std::int32_t(i), std::int32_t(j))) {
                throw field_error(entry_name("distances", i, j), "must equal " + entry_name("distances", j, i));
            }
        }
    }
    return words;
}

/// The number as it is written. The library's tree stores a double for a number that is not an integer; its shortest
/// digits are the written ones if there are few enough for a coordinate.
std::optional<decimal> decimal_of(json const& value) {
    if (!value.is_number_float()) {
        return value.is_number() ? read_decimal(value.dump()) : std::nullopt;
    }
    std::array<char, 400> digits{};  // for any double
    auto const [end, status] =
        std::to_chars(digits.data(), digits.data() + digits.size(), value.get<double>(), std::chars_format::fixed);
    return status == std::errc() ? read_decimal({digits.data(), end}) : std::nullopt;
}
std::optional<decimal> decimal_of(flat_value const& value) {
    return value.is_integer() || value.kind() == flat_kind::number ? read_decimal(value.raw()) : std::nullopt;
}

/// The form that a metric names; 0 for none.
std::int32_t form_named(std::string_view metric) {
    return metric == "\"euc_2d\"" ? points_form : metric == "\"euc_2d_doubles\"" ? doubles_form : 0;
}
std::int32_t form_of(json const& metric) { return metric.is_string() ? form_named(metric.dump()) : 0; }
std::int32_t form_of(flat_value const& metric) { return form_named(metric.raw()); }

template <class Value>
std::vector<std::int32_t> words_of_points(Value const& points, std::int32_t form) {
    require_city_list(points, "points");
    std::vector<decimal> coordinates;
    coordinates.reserve(2 * points.size());
    for (std::size_t i = 0; Value const& point : points) {
        if (!point.is_array() || point.size() != 2) {
            throw field_error(entry_name("points", i), "must be a list of two numbers");
        }
        for (std::size_t axis = 0; Value const& entry : point) {
            auto const exact = decimal_of(entry);
            if (!exact || !exact->fits || power_of_ten(exact->places) > max_scale) {
                throw field_error(entry_name("points", i, axis), "must be a number with at most six decimal places");
            }
            coordinates.push_back(*exact);
            ++axis;
        }
        ++i;
    }
    std::optional<plane> const scaled = common_scale(coordinates);
    std::vector<std::int32_t> words = scaled ? point_words(*scaled, form) : std::vector<std::int32_t>();
    if (words.empty()) {
        throw field_error("points",
                          "coordinates times the power of ten that makes all integers must be within 536870912");
    }
    if (char const* const rule = task::check({words.data(), std::int64_t(words.size())})) {
        throw field_error("points", rule);
    }
    return words;
}

/// A value is the library's or flat.
template <class Value>
std::vector<std::int32_t> read_cities(Value const& instance) {
    if (!instance.is_object()) {
        throw field_error("instance", "must be an object with distances, or with points and metric");
    }
    if (!instance.contains("points")) {
        require_fields(instance, {"distances"});
        return words_of_distances<Value>(instance["distances"]);
    }
    require_fields(instance, {"points", "metric"});
    std::int32_t const form = form_of(instance["metric"]);
    if (form == 0) {
        throw field_error("metric", "must be \"euc_2d\" or \"euc_2d_doubles\"");
    }
    return words_of_points<Value>(instance["points"], form);
}

/// Points below a header that names x and y. If it names a column for names, each city has its own.
std::vector<std::int32_t> read_points(file_lines& lines, std::vector<std::string> const& header, std::size_t x,
                                      std::size_t y) {
    std::size_t const columns = header.size();
    std::int64_t const name = column_named(header, {"name", "city", "id", "label", ""});
    std::set<std::string_view> names;
    std::vector<decimal> coordinates;
    while (lines.next()) {
        std::vector<std::string_view> const cells = table_cells(lines.line());
        if (cells.size() != columns) {
            lines.fail("expected " + std::to_string(columns) + " cells, as in the header, found " +
                       std::to_string(cells.size()));
        }
        if (name >= 0 && !names.insert(cells[std::size_t(name)]).second) {
            lines.fail("city '" + file_words::shown(cells[std::size_t(name)]) + "' is there twice");
        }
        for (std::size_t const at : {x, y}) {
            std::optional<decimal> const number = read_decimal(cells[at]);
            if (!number || !number->fits) {
                lines.fail("a coordinate must be a number, found '" + file_words::shown(cells[at]) + "'");
            }
            coordinates.push_back(*number);
        }
    }
    std::optional<plane> const scaled = common_scale(coordinates);
    std::vector<std::int32_t> words = scaled ? point_words(*scaled, doubles_form) : std::vector<std::int32_t>();
    if (words.empty()) {
        lines.fail("coordinates must have at most six decimal places and at most 536870912 units of the last place");
    }
    return words;
}

std::vector<std::int32_t> read_json(std::string_view text) {
    json value = json::parse(text, nullptr, false);
    if (value.is_discarded()) {
        throw field_error("the file", "expected JSON, a list of the matrix's rows; it is broken or cut");
    }
    if (!value.is_array()) {
        return read_cities<json>(value);
    }
    json instance = json::object();
    instance["distances"] = std::move(value);  // no copy: it may be deep
    return read_cities<json>(instance);
}

/// A matrix as a table or as JSON, or points below a header, whose distances are EUC_2D. Any other beginning is
/// TSPLIB's.
std::vector<std::int32_t> read_cities_file(std::string_view text) {
    std::size_t const begin = text.find_first_not_of(" \t\r\n");
    if (begin != std::string_view::npos && (text[begin] == '[' || text[begin] == '{')) {
        return read_json(text);
    }
    file_lines lines(text);
    if (!lines.next()) {
        lines.fail(
            "the file is empty; expected the keywords of a TSPLIB file, a matrix of distances, or points below a "
            "header with x and y");
    }
    std::vector<std::string> header;
    for (std::string_view const cell : table_cells(lines.line())) {
        header.push_back(lower_cell(cell));
    }
    std::int64_t const x = column_named(header, {"x"});
    std::int64_t const y = column_named(header, {"y"});
    std::vector<std::int32_t> words;
    if (x >= 0 && y >= 0) {
        words = read_points(lines, header, std::size_t(x), std::size_t(y));
    } else if (header.size() > 2 && lines.line().find(':') == std::string_view::npos) {
        std::int64_t n = 0;
        words = read_matrix_table(lines, max_weight, n);
        words.insert(words.begin(), {matrix_form, std::int32_t(n)});
    } else {
        return read_tsplib(text);
    }
    if (char const* const rule = task::check({words.data(), std::int64_t(words.size())})) {
        lines.fail(rule);
    }
    return words;
}

std::string explain(words_view instance, words_view block, verdict const& found) {
    answer_view const answer = view_answer(block);
    std::int32_t const n = city_count(instance);
    std::string const cities = "each of the " + std::to_string(n) + " cities exactly once";
    bool const located = found.where >= 0 && found.where < answer.count;
    std::string const city = located ? std::to_string(answer.values[found.where]) : "";
    std::string const at = std::to_string(found.where);
    switch (found.code) {
        case code_ok:
            return "The tour visits " + cities + " and has the length " + std::to_string(found.objective) + ".";
        case code_unparsable: return "The answer is a word, but a tour is a list of cities.";
        case code_bad_depth: return "The answer is a list of lists, but a tour is one list of cities.";
        case code_empty: return "The list is empty; a tour visits " + cities + ".";
        case code_out_of_range:
            return "Value " + city + " at index " + at + " is no city; cities are 0 to " + std::to_string(n - 1) + ".";
        case code_repeated:
            return "City " + city + " at index " + at + " was visited before; a tour visits " + cities + ".";
        case code_wrong_length: {
            std::vector<bool> seen(std::size_t(n), false);
            for (std::int64_t i = 0; i < answer.count; ++i) {
                if (answer.values[i] >= 0 && answer.values[i] < n) {
                    seen[std::size_t(answer.values[i])] = true;
                }
            }
            std::int32_t missing = 0;
            while (missing + 1 < n && seen[std::size_t(missing)]) {
                ++missing;
            }
            return "The tour leaves out " + std::to_string(found.violation) + " of the " + std::to_string(n) +
                   " cities, among them city " + std::to_string(missing) + ".";
        }
        default: return "The completion holds no tour that can be read.";
    }
}

constexpr char const* no_words[] = {nullptr};
constexpr json_rule json_fields[] = {
    {"distances", 2,
     "a symmetric matrix: row i holds the distances from city i to each city; at least 3 cities, 0 to n - 1"},
    {"points", 2, "the coordinates x and y of each city; at least 3 cities, 0 to n - 1"},
    {"metric", 0,
     "euc_2d: a distance is the Euclidean one, rounded to the nearest integer; euc_2d_doubles: as TSPLIB's programs "
     "compute it, in double precision"},
};
constexpr file_format files[] = {{".tsp", read_cities_file}, {".atsp", read_cities_file}, {".tour", read_cities_file},
                                 {".csv", read_cities_file}, {".json", read_cities_file}, {".txt", read_cities_file},
                                 {nullptr, nullptr}};
constexpr symmetry relabels{
    .axes = {{.name = "city"}},
    .fields = {{.name = "distances", .rows = "city", .columns = "city"}, {.name = "points", .rows = "city"}},
    .answer = {.names = {"city"}},
};

}  // namespace
}  // namespace optgap::text::tsp

namespace {
constexpr char const* tsp_tags[] = {"geometry", nullptr};
}  // namespace

extern optgap::task_text const optgap_text_tsp;
optgap::task_text const optgap_text_tsp = {
    .title = "Travelling salesman",
    .summary = "the shortest closed tour through all cities of a symmetric distance matrix or of points",
    .category = "path planning",
    .objective = "tour length",
    .answer_form = "[a, b, c, ...]",
    .words = optgap::text::tsp::no_words,
    .styles = optgap::text::tsp::prompt_styles,
    .files = optgap::text::tsp::files,
    .prompt = optgap::text::tsp::prompt,
    .to_json = optgap::text::tsp::to_json,
    .from_json = optgap::text::tsp::read_cities<optgap::json>,
    .from_flat = optgap::text::tsp::read_cities<optgap::flat_value>,
    .explain = optgap::text::tsp::explain,
    .picture = optgap::text::tsp::picture,
    .twins = &optgap::text::tsp::relabels,
    .json_fields = optgap::text::tsp::json_fields,
    .family = "routes",
    .tags = tsp_tags,
    .expensive_steps = 32,
};
