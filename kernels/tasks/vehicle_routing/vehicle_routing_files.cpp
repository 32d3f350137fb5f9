// Routes in TSPLIB's keywords as used by CVRPLIB (Reinelt 1995; Uchoa et al. 2017).

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/tasks/vehicle_routing/vehicle_routing.hpp"
#include "kernels/text/file_words.hpp"

namespace optgap::text::vehicle_routing {
namespace {

using optgap::tasks::vehicle_routing::max_distance;
using optgap::tasks::vehicle_routing::task;

/// For a matrix: which entries of row i are in the file. The columnwise triangles hold a symmetric matrix in the order
/// of the rows of the other triangle.
struct matrix_format {
    std::string_view name;
    bool full, lower, diagonal;
};
constexpr matrix_format matrix_formats[] = {
    {"FULL_MATRIX", true, false, true},     {"LOWER_ROW", false, true, false},
    {"UPPER_ROW", false, false, false},     {"LOWER_DIAG_ROW", false, true, true},
    {"UPPER_DIAG_ROW", false, false, true}, {"UPPER_COL", false, true, false},
    {"LOWER_COL", false, false, false},     {"UPPER_DIAG_COL", false, true, true},
    {"LOWER_DIAG_COL", false, false, true},
};

class vrp_reader {
public:
    explicit vrp_reader(std::string_view text) : lines_(text) {}

    std::vector<std::int32_t> read() {
        while (lines_.next() && lines_.line() != "EOF") {
            std::string_view const line = lines_.line();
            std::size_t const colon = line.find(':');
            std::string_view const key = file_words::trimmed(line.substr(0, std::min(colon, line.size())));
            if (key == "NODE_COORD_SECTION") {
                read_coordinates();
            } else if (key == "EDGE_WEIGHT_SECTION") {
                read_weights();
            } else if (key == "DEMAND_SECTION") {
                read_demands();
            } else if (key == "DEPOT_SECTION") {
                read_depot();
            } else if (key == "DISPLAY_DATA_SECTION") {
                skip_display();
            } else if (colon != std::string_view::npos) {
                read_header(key, file_words::trimmed(line.substr(colon + 1)));
            } else {
                lines_.fail("expected a keyword or a section of a CVRP file, found '" + file_words::shown(line) + "'");
            }
        }
        if (lines_.line() == "EOF" && lines_.next()) {
            lines_.fail("there is a line behind EOF");
        }
        return finish();
    }

private:
    void read_header(std::string_view key, std::string_view value) {
        std::string_view const first = value.substr(0, value.find_first_of(" \t"));
        if (key == "TYPE") {
            need(first == "CVRP", "TYPE must be CVRP, found '" + file_words::shown(value) + "'");
        } else if (key == "DIMENSION") {
            n_ = number(key, value, 2, families::max_places);
        } else if (key == "CAPACITY") {
            capacity_ = number(key, value, 1, families::max_amount);
        } else if (key == "EDGE_WEIGHT_TYPE") {
            constexpr std::string_view known[] = {"EXPLICIT", "EUC_2D", "CEIL_2D", "MAN_2D", "MAX_2D"};
            need(std::ranges::find(known, first) != std::end(known),
                 "EDGE_WEIGHT_TYPE must be one of EXPLICIT, EUC_2D, CEIL_2D, MAN_2D and MAX_2D, found '" +
                     file_words::shown(value) + "'");
            type_ = first;
        } else if (key == "EDGE_WEIGHT_FORMAT") {
            auto const found = std::ranges::find(matrix_formats, first, &matrix_format::name);
            need(found != std::end(matrix_formats) || first == "FUNCTION",
                 "EDGE_WEIGHT_FORMAT must be FULL_MATRIX, LOWER_ROW or another triangle of TSPLIB's, found '" +
                     file_words::shown(value) + "'");
            format_ = found != std::end(matrix_formats) ? found : nullptr;
        } else if (key == "VEHICLES" || key == "DISTANCE" || key == "SERVICE_TIME") {
            need(value == "0" && key == "SERVICE_TIME",
                 std::string(key) + " asks for less or shorter routes, which is another problem");
        } else {
            constexpr std::string_view idle[] = {"NAME", "COMMENT", "NODE_COORD_TYPE", "DISPLAY_DATA_TYPE"};
            need(std::ranges::find(idle, key) != std::end(idle),
                 "'" + file_words::shown(key) + "' is no keyword of a CVRP file");
        }
    }

    /// Reads a line "id numbers …" for each place, each place once, by read(words, place).
    template <class Read>
    void each_place(char const* section, Read const& read) {
        need(n_ > 0, "DIMENSION must come before the sections");
        std::vector<bool> seen(std::size_t(n_), false);
        for (std::int64_t k = 0; k < n_; ++k) {
            next_line(section);
            file_words words = lines_.words();
            std::int64_t const place = words.next_integer("a place", 1, n_) - 1;
            need(!seen[std::size_t(place)], "place " + std::to_string(place + 1) + " stands there twice");
            seen[std::size_t(place)] = true;
            read(words, place);
            need(words.at_end(), "the line goes on behind its last number");
        }
    }
    void next_line(char const* section) {
        if (!lines_.next()) {
            lines_.fail(std::string("the file ended within ") + section);
        }
    }
    void read_coordinates() {
        need(xy_.empty(), "there is a second NODE_COORD_SECTION");
        need(n_ > 0, "DIMENSION must come before the sections");
        xy_.resize(std::size_t(2 * n_));
        each_place("NODE_COORD_SECTION", [&](file_words& words, std::int64_t place) {
            for (std::int64_t axis = 0; axis < 2; ++axis) {
                xy_[std::size_t(2 * place + axis)] = coordinate(words.next_word());
            }
        });
    }
    void skip_display() {
        each_place("DISPLAY_DATA_SECTION", [&](file_words& words, std::int64_t) {
            static_cast<void>(coordinate(words.next_word()));
            static_cast<void>(coordinate(words.next_word()));
        });
    }
    void read_demands() {
        need(demands_.empty(), "there is a second DEMAND_SECTION");
        need(n_ > 0, "DIMENSION must come before the sections");
        demands_.resize(std::size_t(n_));
        each_place("DEMAND_SECTION", [&](file_words& words, std::int64_t place) {
            demands_[std::size_t(place)] = std::int32_t(words.next_integer("a demand", 0, families::max_amount));
        });
    }
    void read_depot() {
        need(depot_ < 0, "there is a second DEPOT_SECTION");
        need(n_ > 0, "DIMENSION must come before the sections");
        next_line("DEPOT_SECTION");
        file_words words = lines_.words();
        depot_ = words.next_integer("the depot", 1, n_) - 1;
        if (words.at_end()) {
            next_line("DEPOT_SECTION");
            words = lines_.words();
        }
        need(words.next_integer("the end of DEPOT_SECTION") == -1 && words.at_end(),
             "DEPOT_SECTION must name one depot and end with -1");
    }
    /// Numbers that may be on any lines.
    void read_weights() {
        need(n_ > 0, "DIMENSION must come before the sections");
        need(matrix_.empty(), "there is a second EDGE_WEIGHT_SECTION");
        need(format_ != nullptr, "EDGE_WEIGHT_FORMAT must say how the matrix is written, before it");
        matrix_.assign(std::size_t(n_ * n_), -1);
        file_words words("");
        for (std::int64_t i = 0; i < n_; ++i) {
            std::int64_t const begin = format_->full || format_->lower ? 0 : i + (format_->diagonal ? 0 : 1);
            std::int64_t const end = format_->full || !format_->lower ? n_ : i + (format_->diagonal ? 1 : 0);
            for (std::int64_t j = begin; j < end; ++j) {
                if (words.at_end()) {
                    next_line("EDGE_WEIGHT_SECTION");
                    words = lines_.words();
                }
                std::int64_t const weight =
                    words.next_integer("a distance", i == j ? INT32_MIN : 0, i == j ? INT32_MAX : max_distance);
                put(i, j, i == j ? 0 : std::int32_t(weight));
            }
        }
        need(words.at_end(), "the line goes on behind the matrix's last number");
    }
    void put(std::int64_t i, std::int64_t j, std::int32_t weight) {
        std::int32_t& there = matrix_[std::size_t(i * n_ + j)];
        need(there < 0 || there == weight, "the distances must be the same in both directions; places " +
                                               std::to_string(j + 1) + " and " + std::to_string(i + 1) + " have two");
        there = matrix_[std::size_t(j * n_ + i)] = weight;
    }

    [[nodiscard]] double coordinate(std::string_view word) const {
        double value = 0;
        auto const [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (word.empty() || status != std::errc() || end != word.data() + word.size() || !(std::abs(value) <= 1e9)) {
            lines_.fail("a coordinate must be a number of at most a thousand million, found '" +
                        file_words::shown(word) + "'");
        }
        return value;
    }
    [[nodiscard]] std::int64_t number(std::string_view key, std::string_view value, std::int64_t low,
                                      std::int64_t high) const {
        file_words words(value, lines_.number());
        std::int64_t const found = words.next_integer(std::string(key).c_str(), low, high);
        need(words.at_end(), "the line goes on behind its number");
        return found;
    }
    void need(bool holds, std::string rule) const {
        if (!holds) {
            lines_.fail(std::move(rule));
        }
    }

    /// TSPLIB's functions, computed in doubles like all published lengths.
    [[nodiscard]] std::int64_t distance(std::int64_t a, std::int64_t b) const {
        double const dx = std::abs(xy_[std::size_t(2 * a)] - xy_[std::size_t(2 * b)]);
        double const dy = std::abs(xy_[std::size_t(2 * a + 1)] - xy_[std::size_t(2 * b + 1)]);
        double const root = std::sqrt(dx * dx + dy * dy);
        if (type_ == "CEIL_2D") {
            return std::int64_t(std::ceil(root));
        }
        if (type_ == "MAN_2D") {
            return std::int64_t(dx + dy + 0.5);
        }
        return type_ == "MAX_2D" ? std::max(std::int64_t(dx + 0.5), std::int64_t(dy + 0.5)) : std::int64_t(root + 0.5);
    }
    /// Whether the points can be stored as points: integers in the task's range.
    [[nodiscard]] bool are_points() const {
        return type_ == "EUC_2D" && std::ranges::all_of(xy_, [](double x) {
                   return x >= 0 && x <= families::max_coordinate && x == std::floor(x);
               });
    }

    std::vector<std::int32_t> finish() {
        need(n_ > 0, "the file has no DIMENSION; expected a CVRP file in TSPLIB's keywords");
        need(capacity_ > 0, "the file has no CAPACITY");
        need(!type_.empty(), "the file has no EDGE_WEIGHT_TYPE");
        need(!demands_.empty(), "the file ended without DEMAND_SECTION");
        need(depot_ >= 0, "the file ended without DEPOT_SECTION");
        bool const given = type_ == "EXPLICIT";
        need(given ? !matrix_.empty() : !xy_.empty(),
             std::string("the file ended without ") + (given ? "EDGE_WEIGHT_SECTION" : "NODE_COORD_SECTION"));
        bool const points = !given && are_points();
        std::vector<std::int32_t> words(std::size_t(families::routes_words(n_)));
        words[0] = std::int32_t(n_);
        words[1] = std::int32_t(capacity_);
        for (std::int64_t k = 0; k < n_; ++k) {
            std::int64_t const from = place(k);
            for (std::int64_t axis = 0; axis < 2 && points; ++axis) {
                words[std::size_t(2 + 2 * k + axis)] = std::int32_t(xy_[std::size_t(2 * from + axis)]);
            }
            std::int32_t const demand = demands_[std::size_t(from)];
            need(k > 0 || demand == 0, "the depot's demand must be 0");
            need(k == 0 || (demand >= 1 && demand <= capacity_),
                 "the demand of place " + std::to_string(from + 1) + " must be in 1 ... CAPACITY");
            words[std::size_t(2 + 2 * n_ + k)] = demand;
        }
        for (std::int64_t i = 0; i < n_ && !points; ++i) {
            for (std::int64_t j = 0; j < n_; ++j) {
                std::int64_t const away = i == j  ? 0
                                          : given ? matrix_[std::size_t(place(i) * n_ + place(j))]
                                                  : distance(place(i), place(j));
                need(away <= max_distance, "a distance must be at most " + std::to_string(max_distance));
                words.push_back(std::int32_t(away));
            }
        }
        return words;
    }
    /// The depot is place 0 of the task; the others follow in their order.
    [[nodiscard]] std::int64_t place(std::int64_t k) const { return k == 0 ? depot_ : k <= depot_ ? k - 1 : k; }

    file_lines lines_;
    std::int64_t n_ = 0;
    std::int64_t capacity_ = 0;
    std::int64_t depot_ = -1;
    std::string_view type_;
    matrix_format const* format_ = nullptr;
    std::vector<double> xy_;
    std::vector<std::int32_t> demands_;
    std::vector<std::int32_t> matrix_;
};

}  // namespace

std::vector<std::int32_t> read_vrp(std::string_view text) { return vrp_reader(text).read(); }

}  // namespace optgap::text::vehicle_routing
