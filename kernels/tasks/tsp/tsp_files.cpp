#include "kernels/tasks/tsp/tsp_files.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <string>

#include "kernels/tasks/tsp/tsp.hpp"
#include "kernels/text/file_words.hpp"
#include "kernels/text/files/file_numbers.hpp"
#include "optgap/status.hpp"

namespace optgap::text::tsp {

using namespace optgap::tasks::tsp;

std::optional<plane> common_scale(std::span<decimal const> numbers) {
    std::int32_t places = 0;
    for (decimal const& x : numbers) {
        places = std::max(places, x.places);
    }
    plane made{{}, power_of_ten(places)};
    made.coordinates.reserve(numbers.size());
    for (decimal const& x : numbers) {
        int128 const most = power_of_ten(max_digits - (places - x.places));
        if (!x.fits || x.digits >= most || x.digits <= -most) {
            return std::nullopt;
        }
        made.coordinates.push_back(x.digits * power_of_ten(places - x.places));
    }
    return made;
}

std::vector<std::int32_t> point_words(plane const& points, std::int32_t form) {
    auto const is_large = [](int128 x) { return x > max_coordinate || x < -max_coordinate; };
    if (points.scale > max_scale || std::any_of(points.coordinates.begin(), points.coordinates.end(), is_large)) {
        return {};
    }
    std::vector<std::int32_t> words{points.scale == 1 ? points_form : form, std::int32_t(points.coordinates.size() / 2),
                                    std::int32_t(points.scale)};
    words.reserve(3 + points.coordinates.size());
    for (int128 const x : points.coordinates) {
        words.push_back(std::int32_t(x));
    }
    return words;
}

namespace {

constexpr std::int64_t largest_matrix = 20'000;

/// TSPLIB's geographical distance between two points in degrees and minutes, with TSPLIB's value of pi and truncations.
std::int64_t geographical(int128 const* a, int128 const* b, int128 scale) {
    auto const radians = [&](int128 coordinate) {
        double const x = double(coordinate) / double(scale);
        auto const degrees = double(coordinate / scale);
        return 3.141592 * (degrees + 5.0 * (x - degrees) / 3.0) / 180.0;
    };
    double const q1 = std::cos(radians(a[1]) - radians(b[1]));
    double const q2 = std::cos(radians(a[0]) - radians(b[0]));
    double const q3 = std::cos(radians(a[0]) + radians(b[0]));
    return std::int64_t(6378.388 * std::acos(0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3)) + 1.0);
}

/// Reads a number as TSPLIB's programs do; `word` has been accepted by read_decimal.
double double_of(std::string_view word) {
    word.remove_prefix(word.starts_with('+') ? 1 : 0);
    double value = 0;
    std::from_chars(word.data(), word.data() + word.size(), value);
    return value;
}

/// Lines "KEY : value" and sections, whose rows are lines; the numbers of a matrix may be on any lines.
class tsplib {
public:
    explicit tsplib(std::string_view text) : lines_(text), bytes_(std::int64_t(text.size())) {}

    std::vector<std::int32_t> read() {
        std::vector<std::int32_t> words;
        while (lines_.next() && lines_.line() != "EOF") {
            std::string_view const line = lines_.line();
            std::size_t const colon = line.find(':');
            std::string_view const key = file_words::trimmed(line.substr(0, std::min(colon, line.size())));
            std::string_view const value =
                colon == std::string_view::npos ? std::string_view{} : file_words::trimmed(line.substr(colon + 1));
            if (!is_keyword(key)) {
                lines_.fail(keywords_.empty()
                                ? "expected the keywords of a TSPLIB file (NAME, TYPE, DIMENSION ...), a "
                                  "matrix of distances, or points below a header with x and y; found '" +
                                      file_words::shown(line) + "'"
                                : "'" + file_words::shown(key) + "' is no keyword of a symmetric TSPLIB instance");
            }
            if (key != "COMMENT" && !keywords_.insert(key).second) {
                lines_.fail(std::string(key) + " is there twice");
            }
            if (key == "NODE_COORD_SECTION") {
                read_coordinates();
            } else if (key == "EDGE_WEIGHT_SECTION") {
                words = read_weights();
            } else if (key == "DISPLAY_DATA_SECTION") {
                skip_display();
            } else {
                read_header(key, value);
            }
        }
        if (lines_.line() == "EOF" && lines_.next()) {
            lines_.fail("there is a line behind EOF");
        }
        if (weight_type_ != "EXPLICIT" && !weight_type_.empty()) {
            words = words_of_coordinates();
        }
        if (words.empty()) {
            lines_.fail("the file ended without its weights");
        }
        if (char const* const rule = task::check({words.data(), std::int64_t(words.size())})) {
            lines_.fail(rule);
        }
        return words;
    }

private:
    static bool is_keyword(std::string_view key) {
        static constexpr std::string_view known[] = {
            "NAME", "TYPE", "COMMENT", "DIMENSION", "EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT", "NODE_COORD_TYPE",
            "DISPLAY_DATA_TYPE", "NODE_COORD_SECTION", "EDGE_WEIGHT_SECTION", "DISPLAY_DATA_SECTION",
            // Keywords of other problems, which read_header names in its error.
            "FIXED_EDGES_SECTION", "FIXED_EDGES", "TOUR_SECTION", "CAPACITY", "EDGE_DATA_FORMAT"};
        return std::ranges::find(known, key) != std::end(known);
    }

    void read_header(std::string_view key, std::string_view value) {
        if (key == "TYPE") {
            if (value.starts_with("TOUR")) {
                lines_.fail(
                    "TYPE is TOUR: a tour is an answer and no instance; optgap store import --from lkh reads it");
            }
            static constexpr std::string_view known[] = {"TSP", "ATSP"};
            require_one_of(known, key, value);
        } else if (key == "DIMENSION") {
            std::int64_t n = 0;
            auto const [end, status] = std::from_chars(value.data(), value.data() + value.size(), n);
            if (status != std::errc() || end != value.data() + value.size() || n < min_cities || n > max_cities) {
                lines_.fail("DIMENSION must be an integer in 3 ... 1000000");
            }
            n_ = n;
        } else if (key == "EDGE_WEIGHT_TYPE") {
            static constexpr std::string_view known[] = {"EXPLICIT", "EUC_2D", "CEIL_2D", "ATT",
                                                         "GEO",      "MAN_2D", "MAX_2D"};
            weight_type_ = require_one_of(known, key, value);
        } else if (key == "EDGE_WEIGHT_FORMAT") {
            static constexpr std::string_view known[] = {"FUNCTION",       "FULL_MATRIX",    "UPPER_ROW", "LOWER_ROW",
                                                         "UPPER_DIAG_ROW", "LOWER_DIAG_ROW", "UPPER_COL", "LOWER_COL",
                                                         "UPPER_DIAG_COL", "LOWER_DIAG_COL"};
            weight_format_ = require_one_of(known, key, value);
        } else if (key == "NODE_COORD_TYPE") {
            static constexpr std::string_view known[] = {"TWOD_COORDS", "NO_COORDS"};
            require_one_of(known, key, value);
        } else if (key == "FIXED_EDGES_SECTION" || key == "FIXED_EDGES") {
            lines_.fail("FIXED_EDGES_SECTION asks for a tour with given edges, which is another problem");
        } else if (key == "TOUR_SECTION" || key == "CAPACITY" || key == "EDGE_DATA_FORMAT") {
            lines_.fail(std::string(key) +
                        " is no keyword of a symmetric TSPLIB instance, but of a tour, of routes or "
                        "of a Hamiltonian circuit");
        }
    }

    /// The value's first word; files may name their author behind it, "TSP (M.~Hofmeister)".
    std::string_view require_one_of(std::span<std::string_view const> known, std::string_view key,
                                    std::string_view value) const {
        std::string_view const first = value.substr(0, value.find_first_of(" \t"));
        std::string names;
        for (std::string_view const name : known) {
            if (name == first) {
                return name;
            }
            names += names.empty() ? "" : ", ";
            names += name;
        }
        lines_.fail(std::string(key) + (known.size() > 1 ? " must be one of " : " must be ") + names + ", found '" +
                    file_words::shown(value) + "'");
    }

    decimal next_number(file_words& words) const {
        std::string_view const word = words.next_word();
        std::optional<decimal> const number = read_decimal(word);
        if (!number) {
            lines_.fail("a coordinate must be a number, found '" + file_words::shown(word) + "'");
        }
        if (!number->fits) {
            lines_.fail("a coordinate must have at most 36 digits and 30 decimal places");
        }
        return *number;
    }

    void require_dimension() const {
        if (n_ == 0) {
            lines_.fail("DIMENSION must come before the data");
        }
    }

    /// Reads lines with a city's number and two coordinates, words(k-th line); returns the cities' numbers.
    template <class Take>
    file_numbers each_city(char const* section, Take const& take) {
        require_dimension();
        file_numbers cities(n_, "city");
        for (std::int64_t k = 0; k < n_; ++k) {
            if (!lines_.next() || lines_.line() == "EOF") {
                lines_.fail("DIMENSION says " + std::to_string(n_) + " cities, but " + section + " ended behind " +
                            std::to_string(k));
            }
            if (lines_.count() != 3) {
                lines_.fail("expected a city and its two coordinates, as " + std::string(section) +
                            " has for each of " + std::to_string(n_) + " cities; found '" +
                            file_words::shown(lines_.line()) + "'");
            }
            file_words words = lines_.words();
            cities.take(lines_, words.next_integer("a city"));
            take(words);
        }
        return cities;
    }

    void read_coordinates() {
        std::vector<decimal> given;
        std::vector<double> doubles;
        file_numbers const cities = each_city("NODE_COORD_SECTION", [&](file_words& words) {
            for (std::int64_t axis = 0; axis < 2; ++axis) {
                file_words ahead = words;
                doubles.push_back(double_of(ahead.next_word()));
                given.push_back(next_number(words));
            }
        });
        std::optional<plane> read = common_scale(given);
        if (!read) {
            lines_.fail("no coordinate may have more than 36 digits when all are written with as many decimal places");
        }
        plane_.scale = read->scale;
        plane_.coordinates.resize(given.size());
        doubles_.resize(given.size());
        for (std::size_t k = 0; k < given.size(); ++k) {
            std::size_t const to = 2 * cities.place(k / 2) + k % 2;
            plane_.coordinates[to] = read->coordinates[k];
            doubles_[to] = doubles[k];
        }
    }

    void skip_display() {
        each_city("DISPLAY_DATA_SECTION", [&](file_words& words) {
            next_number(words);
            next_number(words);
        });
    }

    std::int64_t next_weight(file_words& words) {
        if (words.at_end()) {
            if (!lines_.next() || lines_.line() == "EOF") {
                lines_.fail(
                    "the file ended within EDGE_WEIGHT_SECTION: DIMENSION and EDGE_WEIGHT_FORMAT ask for more "
                    "weights");
            }
            words = lines_.words();
        }
        return words.next_integer("a weight");
    }

    /// The columnwise triangles hold a symmetric matrix in the order of the rows of the other triangle.
    std::vector<std::int32_t> read_weights() {
        require_dimension();
        if (n_ > largest_matrix) {
            lines_.fail("a matrix may have at most 20000 cities");
        }
        bool const full = weight_format_ == "FULL_MATRIX";
        bool const diagonal = weight_format_.find("DIAG") != std::string_view::npos;
        bool const lower = weight_format_ == "LOWER_ROW" || weight_format_ == "LOWER_DIAG_ROW" ||
                           weight_format_ == "UPPER_COL" || weight_format_ == "UPPER_DIAG_COL";
        if (weight_format_.empty() || weight_format_ == "FUNCTION") {
            lines_.fail("EDGE_WEIGHT_FORMAT must say how the matrix is written");
        }
        if (triangle(n_) > bytes_) {  // memory is allocated for what is there, not for what the head claims
            lines_.fail("the file is too short for the weights of " + std::to_string(n_) + " cities");
        }
        std::vector<std::int32_t> words{matrix_form, std::int32_t(n_)};
        words.resize(std::size_t(2 + triangle(n_)), -1);
        file_words row("");
        for (std::int64_t i = 0; i < n_; ++i) {
            std::int64_t const begin = full || lower ? 0 : i + (diagonal ? 0 : 1);
            std::int64_t const end = full || !lower ? n_ : i + (diagonal ? 1 : 0);
            for (std::int64_t j = begin; j < end; ++j) {
                std::int64_t const weight = next_weight(row);
                if (i == j) {
                    continue;
                }
                if (weight < 0 || weight > max_weight) {
                    lines_.fail("a weight must be in 0 ... 16777216");
                }
                std::int32_t& word = words[std::size_t(2 + triangle(i > j ? i : j) + (i > j ? j : i))];
                if (word >= 0 && word != weight) {
                    lines_.fail("the matrix must be symmetric, an asymmetric one is another problem; cities " +
                                std::to_string(i + 1) + " and " + std::to_string(j + 1) + " have two distances");
                }
                word = std::int32_t(weight);
            }
        }
        if (!row.at_end()) {
            lines_.fail("the line goes on behind the matrix's last weight");
        }
        return words;
    }

    [[nodiscard]] std::vector<std::int32_t> words_of_coordinates() const {
        if (plane_.coordinates.empty()) {
            lines_.fail("the file ended without NODE_COORD_SECTION");
        }
        if (weight_type_ == "EUC_2D") {
            if (std::vector<std::int32_t> points = point_words(plane_, doubles_form); !points.empty()) {
                return points;
            }
        }
        if (n_ > largest_matrix) {
            lines_.fail(
                "more than 20000 cities need EUC_2D, at most six decimal places and at most 536870912 units of "
                "the last place");
        }
        std::vector<std::int32_t> words{matrix_form, std::int32_t(n_)};
        words.reserve(std::size_t(2 + triangle(n_)));
        for (std::int64_t i = 0; i < n_; ++i) {
            for (std::int64_t j = 0; j < i; ++j) {
                std::int64_t const weight =
                    weight_type_ == "EUC_2D"
                        ? rounded_root(2 * i, 2 * j)
                        : distance(&plane_.coordinates[std::size_t(2 * i)], &plane_.coordinates[std::size_t(2 * j)]);
                if (weight > max_weight) {
                    lines_.fail("a distance must be in 0 ... 16777216");
                }
                words.push_back(std::int32_t(weight));
            }
        }
        return words;
    }

    /// EUC_2D like doubles_distance, for coordinates that do not fit a word; distances beyond max_weight give
    /// max_weight + 1.
    [[nodiscard]] std::int64_t rounded_root(std::int64_t a, std::int64_t b) const {
        double const dx = doubles_[std::size_t(a)] - doubles_[std::size_t(b)];
        double const dy = doubles_[std::size_t(a + 1)] - doubles_[std::size_t(b + 1)];
        return std::int64_t(std::min(std::sqrt(dx * dx + dy * dy) + 0.5, max_weight + 1.0));
    }

    [[nodiscard]] std::int64_t distance(int128 const* a, int128 const* b) const {
        auto const dx = uint128(a[0] > b[0] ? a[0] - b[0] : b[0] - a[0]);
        auto const dy = uint128(a[1] > b[1] ? a[1] - b[1] : b[1] - a[1]);
        auto const scale = uint128(plane_.scale);
        if (weight_type_ == "GEO") {
            return geographical(a, b, plane_.scale);
        }
        if (weight_type_ == "CEIL_2D") {
            return euclidean_up(dx, dy, scale);
        }
        if (weight_type_ == "ATT") {
            return pseudo_euclidean(dx, dy, scale);
        }
        return weight_type_ == "MAN_2D" ? rounded(dx + dy, scale) : std::max(rounded(dx, scale), rounded(dy, scale));
    }

    file_lines lines_;
    std::int64_t bytes_;                   ///< of the file
    std::set<std::string_view> keywords_;  ///< keywords that occurred
    std::int64_t n_ = 0;
    std::string_view weight_type_;
    std::string_view weight_format_;
    plane plane_;
    std::vector<double> doubles_;  ///< the same coordinates
};

}  // namespace

std::vector<std::int32_t> read_tsplib(std::string_view text) { return tsplib(text).read(); }

}  // namespace optgap::text::tsp
