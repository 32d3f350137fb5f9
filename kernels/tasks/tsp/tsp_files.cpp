#include "kernels/tasks/tsp/tsp_files.hpp"

#include <charconv>
#include <cmath>
#include <string>

#include "kernels/tasks/tsp/tsp.hpp"
#include "optgap/status.hpp"

namespace optgap::text::tsp {

using namespace optgap::tasks::tsp;

std::optional<std::int64_t> millionths(double x) {
    if (!(std::fabs(x) < 4294967296.0)) {
        return std::nullopt;
    }
    // A decimal of six places is the double nearest to r / 10^6, which is what the division yields for the right r.
    std::int64_t const r = std::llround(x * 1e6);
    return double(r) / 1e6 == x ? std::optional(r) : std::nullopt;
}

std::vector<std::int32_t> point_words(std::span<std::int64_t const> coordinates) {
    std::int64_t divisor = 1'000'000;
    for (std::int64_t const x : coordinates) {
        while (x % divisor != 0) {
            divisor /= 10;
        }
    }
    std::vector<std::int32_t> words{points_form, std::int32_t(coordinates.size() / 2),
                                    std::int32_t(1'000'000 / divisor)};
    words.reserve(3 + coordinates.size());
    for (std::int64_t const x : coordinates) {
        if (std::abs(x / divisor) > max_coordinate) {
            return {};
        }
        words.push_back(std::int32_t(x / divisor));
    }
    return words;
}

namespace {

constexpr std::int64_t largest_matrix = 20'000;

/// Walks over a file's lines and words and knows where it is.
class line_reader {
public:
    explicit line_reader(std::string_view text) : text_(text) {}

    [[noreturn]] void fail(std::string rule) const {
        throw field_error("line " + std::to_string(line_), std::move(rule));
    }

    /// The next line that is not blank, without blanks at its ends; empty at the end of the file.
    std::string_view next_line() {
        skip_blanks();
        std::size_t const begin = at_;
        at_ = std::min(text_.find_first_of("\r\n", begin), text_.size());
        return trimmed(text_.substr(begin, at_ - begin));
    }

    /// The next word, on whatever line; empty at the end of the file.
    std::string_view next_word() {
        skip_blanks();
        std::size_t const end = std::min(text_.find_first_of(" \t\r\n", at_), text_.size());
        std::string_view const word = text_.substr(at_, end - at_);
        at_ = end;
        return word;
    }

    std::int64_t next_integer(char const* what) {
        std::string_view const word = next_word();
        std::int64_t value = 0;
        auto const [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (word.empty() || status != std::errc() || end != word.data() + word.size()) {
            fail(std::string(what) + " must be an integer, found '" + shown(word) + "'");
        }
        return value;
    }

    double next_number(char const* what) {
        std::string_view word = next_word();
        std::string_view const digits = word.starts_with('+') ? word.substr(1) : word;
        double value = 0;
        auto const [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (digits.empty() || status != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value)) {
            fail(std::string(what) + " must be a number, found '" + shown(word) + "'");
        }
        return value;
    }

    static std::string shown(std::string_view word) {
        return word.empty() ? "the end of the file" : std::string(word.substr(0, 40));
    }
    static std::string_view trimmed(std::string_view line) {
        std::size_t const begin = line.find_first_not_of(" \t");
        return begin == std::string_view::npos ? std::string_view{}
                                               : line.substr(begin, line.find_last_not_of(" \t") - begin + 1);
    }

private:
    void skip_blanks() {
        for (; at_ < text_.size() &&
               (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n');
             ++at_) {
            line_ += text_[at_] == '\n' ? 1 : 0;
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::int64_t line_ = 1;
};

/// Smallest t with t² · unit >= squared.
std::int64_t root_rounded_up(std::int64_t squared, std::int64_t unit) {
    std::int64_t t = integer_sqrt(squared / unit);
    while (t * t * unit < squared) {
        ++t;
    }
    return t;
}

/// TSPLIB's geographical distance, with its own value of pi and its truncations.
std::int64_t geographical(std::int64_t const* a, std::int64_t const* b) {
    auto const radians = [](std::int64_t coordinate) {
        double const x = double(coordinate) / 1e6;
        double const degrees = std::trunc(x);
        return 3.141592 * (degrees + 5.0 * (x - degrees) / 3.0) / 180.0;
    };
    double const q1 = std::cos(radians(a[1]) - radians(b[1]));
    double const q2 = std::cos(radians(a[0]) - radians(b[0]));
    double const q3 = std::cos(radians(a[0]) + radians(b[0]));
    return std::int64_t(6378.388 * std::acos(0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3)) + 1.0);
}

class tsplib {
public:
    explicit tsplib(std::string_view text) : in_(text) {}

    std::vector<std::int32_t> read() {
        std::vector<std::int32_t> words;
        for (std::string_view line = in_.next_line(); !line.empty() && line != "EOF"; line = in_.next_line()) {
            std::size_t const colon = line.find(':');
            std::string_view const key = line_reader::trimmed(line.substr(0, std::min(colon, line.size())));
            std::string_view const value =
                colon == std::string_view::npos ? std::string_view{} : line_reader::trimmed(line.substr(colon + 1));
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
        if (weight_type_ != "EXPLICIT" && !weight_type_.empty()) {
            words = words_of_coordinates();
        }
        if (words.empty()) {
            in_.fail("the file ended without its weights");
        }
        if (char const* const rule = task::check({words.data(), std::int64_t(words.size())})) {
            in_.fail(rule);
        }
        return words;
    }

private:
    void read_header(std::string_view key, std::string_view value) {
        if (key == "TYPE") {
            if (value != "TSP") {
                in_.fail("TYPE must be TSP, found '" + line_reader::shown(value) + "'");
            }
        } else if (key == "DIMENSION") {
            std::int64_t n = 0;
            auto const [end, status] = std::from_chars(value.data(), value.data() + value.size(), n);
            if (status != std::errc() || end != value.data() + value.size() || n < min_cities || n > max_cities) {
                in_.fail("DIMENSION must be an integer in 3 ... 1000000");
            }
            n_ = n;
        } else if (key == "EDGE_WEIGHT_TYPE") {
            static constexpr std::string_view known[] = {"EXPLICIT", "EUC_2D", "CEIL_2D", "ATT",
                                                         "GEO",      "MAN_2D", "MAX_2D"};
            require_one_of(known, key, value);
            weight_type_ = value;
        } else if (key == "EDGE_WEIGHT_FORMAT") {
            static constexpr std::string_view known[] = {"FUNCTION",       "FULL_MATRIX",    "UPPER_ROW", "LOWER_ROW",
                                                         "UPPER_DIAG_ROW", "LOWER_DIAG_ROW", "UPPER_COL", "LOWER_COL",
                                                         "UPPER_DIAG_COL", "LOWER_DIAG_COL"};
            require_one_of(known, key, value);
            weight_format_ = value;
        } else if (key == "NODE_COORD_TYPE") {
            static constexpr std::string_view known[] = {"TWOD_COORDS", "NO_COORDS"};
            require_one_of(known, key, value);
        } else if (key != "NAME" && key != "COMMENT" && key != "DISPLAY_DATA_TYPE") {
            in_.fail("'" + line_reader::shown(key) + "' is no keyword of a symmetric TSPLIB instance");
        }
    }

    void require_one_of(std::span<std::string_view const> known, std::string_view key, std::string_view value) const {
        std::string names;
        for (std::string_view const name : known) {
            if (name == value) {
                return;
            }
            names += names.empty() ? "" : ", ";
            names += name;
        }
        in_.fail(std::string(key) + " must be one of " + names + ", found '" + line_reader::shown(value) + "'");
    }

    void require_dimension() const {
        if (n_ == 0) {
            in_.fail("DIMENSION must come before the data");
        }
    }

    void read_coordinates() {
        require_dimension();
        coordinates_.clear();
        std::vector<std::int64_t> given;
        std::vector<bool> seen;
        for (std::int64_t k = 0; k < n_; ++k) {
            std::int64_t const city = in_.next_integer("a city");
            if (city < 1 || city > n_) {
                in_.fail("a city must be in 1 ... " + std::to_string(n_));
            }
            if (seen.empty()) {
                seen.resize(std::size_t(n_));
                given.resize(std::size_t(2 * n_));
            }
            if (seen[std::size_t(city - 1)]) {
                in_.fail("city " + std::to_string(city) + " has its coordinates twice");
            }
            seen[std::size_t(city - 1)] = true;
            for (std::int64_t axis = 0; axis < 2; ++axis) {
                std::optional<std::int64_t> const x = millionths(in_.next_number("a coordinate"));
                if (!x) {
                    in_.fail("a coordinate must have at most six decimal places");
                }
                given[std::size_t(2 * (city - 1) + axis)] = *x;
            }
        }
        coordinates_ = std::move(given);
    }

    void skip_display() {
        require_dimension();
        for (std::int64_t k = 0; k < n_; ++k) {
            in_.next_integer("a city");
            in_.next_number("a coordinate");
            in_.next_number("a coordinate");
        }
    }

    /// The columnwise triangles hold a symmetric matrix in the order of the other triangle's rows.
    std::vector<std::int32_t> read_weights() {
        require_dimension();
        if (n_ > largest_matrix) {
            in_.fail("a matrix may have at most 20000 cities");
        }
        bool const full = weight_format_ == "FULL_MATRIX";
        bool const diagonal = weight_format_.find("DIAG") != std::string_view::npos;
        bool const lower = weight_format_ == "LOWER_ROW" || weight_format_ == "LOWER_DIAG_ROW" ||
                           weight_format_ == "UPPER_COL" || weight_format_ == "UPPER_DIAG_COL";
        if (weight_format_.empty() || weight_format_ == "FUNCTION") {
            in_.fail("EDGE_WEIGHT_FORMAT must say how the matrix is written");
        }
        std::vector<std::int32_t> words{matrix_form, std::int32_t(n_)};
        words.resize(std::size_t(2 + triangle(n_)), -1);
        for (std::int64_t i = 0; i < n_; ++i) {
            std::int64_t const begin = full || lower ? 0 : i + (diagonal ? 0 : 1);
            std::int64_t const end = full || !lower ? n_ : i + (diagonal ? 1 : 0);
            for (std::int64_t j = begin; j < end; ++j) {
                std::int64_t const weight = in_.next_integer("a weight");
                if (i == j) {
                    continue;
                }
                if (weight < 0 || weight > max_weight) {
                    in_.fail("a weight must be in 0 ... 16777216");
                }
                std::int32_t& word = words[std::size_t(2 + triangle(i > j ? i : j) + (i > j ? j : i))];
                if (word >= 0 && word != weight) {
                    in_.fail("the matrix must be symmetric; cities " + std::to_string(i + 1) + " and " +
                             std::to_string(j + 1) + " have two distances");
                }
                word = std::int32_t(weight);
            }
        }
        return words;
    }

    std::vector<std::int32_t> words_of_coordinates() const {
        if (coordinates_.empty()) {
            in_.fail("the file ended without NODE_COORD_SECTION");
        }
        std::vector<std::int32_t> const points = point_words(coordinates_);
        if (points.empty()) {
            in_.fail("a coordinate times the power of ten that makes all of them integers must be within 536870912");
        }
        if (weight_type_ == "EUC_2D") {
            return points;
        }
        if (n_ > largest_matrix) {
            in_.fail("distances other than EUC_2D may have at most 20000 cities");
        }
        std::vector<std::int32_t> words{matrix_form, std::int32_t(n_)};
        words.reserve(std::size_t(2 + triangle(n_)));
        for (std::int64_t i = 0; i < n_; ++i) {
            for (std::int64_t j = 0; j < i; ++j) {
                std::int64_t const weight = distance(points, i, j);
                if (weight > max_weight) {
                    in_.fail("a distance must be in 0 ... 16777216");
                }
                words.push_back(std::int32_t(weight));
            }
        }
        return words;
    }

    [[nodiscard]] std::int64_t distance(std::vector<std::int32_t> const& points, std::int64_t i, std::int64_t j) const {
        if (weight_type_ == "GEO") {
            return geographical(&coordinates_[std::size_t(2 * i)], &coordinates_[std::size_t(2 * j)]);
        }
        std::int64_t const scale = points[2];
        std::int64_t const dx = std::abs(std::int64_t(points[std::size_t(3 + 2 * i)]) - points[std::size_t(3 + 2 * j)]);
        std::int64_t const dy = std::abs(std::int64_t(points[std::size_t(4 + 2 * i)]) - points[std::size_t(4 + 2 * j)]);
        if (weight_type_ == "CEIL_2D") {
            return root_rounded_up(dx * dx + dy * dy, scale * scale);
        }
        if (weight_type_ == "ATT") {
            return root_rounded_up(dx * dx + dy * dy, 10 * scale * scale);
        }
        auto const rounded = [&](std::int64_t length) { return (2 * length + scale) / (2 * scale); };
        return weight_type_ == "MAN_2D" ? rounded(dx + dy) : std::max(rounded(dx), rounded(dy));
    }

    line_reader in_;
    std::int64_t n_ = 0;
    std::string_view weight_type_;
    std::string_view weight_format_;
    std::vector<std::int64_t> coordinates_;
};

}  // namespace

std::vector<std::int32_t> read_tsplib(std::string_view text) { return tsplib(text).read(); }

}  // namespace optgap::text::tsp
