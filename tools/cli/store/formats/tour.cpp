// A tour of TSPLIB's: lines KEY : VALUE, then TOUR_SECTION with the numbers of the cities from 1, and -1 behind them.

#include <cstdlib>

#include <fmt/format.h>

#include "optgap/answer.hpp"
#include "tools/cli/shell/decimal.hpp"
#include "tools/cli/store/formats/answer_file.hpp"

namespace optgap::cli {
namespace {

class tour_reader {
public:
    tour_reader(std::string_view text, answer_frame const& frame)
        : frame_(frame), lines_(text), seen_(std::size_t(frame.things), 0) {
        out_.block = {answer_flat};
    }

    told_answer read() {
        std::string_view line;
        while (lines_.next(line) && !ended_) {
            if (std::string_view const text = trimmed(line); !text.empty()) {
                in_section_ ? read_cities(text) : read_header(text);
            }
        }
        if (!ended_) {
            throw answer_fault(lines_.number(),
                               in_section_ ? fmt::format("the file ends after {} of {} cities: expected them all, and "
                                                         "-1 behind them",
                                                         count(), frame_.things)
                                           : std::string("the file ends before its tour: expected TOUR_SECTION"));
        }
        return std::move(out_);
    }

private:
    [[nodiscard]] std::int64_t count() const { return std::int64_t(out_.block.size()) - 1; }

    void read_header(std::string_view text) {
        if (text == "TOUR_SECTION") {
            in_section_ = true;
            return;
        }
        std::size_t const colon = text.find(':');
        if (colon == std::string_view::npos) {
            throw answer_fault(lines_.number(),
                               fmt::format("'{}': expected KEY : VALUE, or TOUR_SECTION", shown(text)));
        }
        std::string_view const key = trimmed(text.substr(0, colon)), value = trimmed(text.substr(colon + 1));
        std::int64_t cities = 0;
        if (key == "TYPE" && value != "TOUR") {
            throw answer_fault(lines_.number(), fmt::format("TYPE is '{}': expected TOUR", shown(value)));
        }
        if (key == "DIMENSION" && (!is_decimal(value, cities) || cities != frame_.things)) {
            throw answer_fault(lines_.number(), fmt::format("DIMENSION is '{}': expected {}, as the instance has",
                                                            shown(value), frame_.things));
        }
        std::size_t const length = value.find("Length = ");
        if (key == "COMMENT" && length != std::string_view::npos) {
            out_.objective = std::strtod(std::string(value.substr(length + 9, 40)).c_str(), nullptr);
        }
    }

    void read_cities(std::string_view text) {
        for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
            std::int64_t city = 0;
            if (word == "-1") {
                ended_ = true;
                break;
            }
            if (!is_decimal(word, city) || city < 1 || city > frame_.things) {
                throw answer_fault(lines_.number(), fmt::format("'{}': expected a city from 1 to {}, or -1 at the end",
                                                                shown(word), frame_.things));
            }
            if (seen_[std::size_t(city - 1)] != 0) {
                throw answer_fault(lines_.number(), fmt::format("city {} stands in line {}, too: expected each once",
                                                                city, seen_[std::size_t(city - 1)]));
            }
            seen_[std::size_t(city - 1)] = lines_.number();
            out_.block.push_back(std::int32_t(city - 1));
        }
        if (ended_ && count() != frame_.things) {
            throw answer_fault(lines_.number(), fmt::format("-1 after {} cities: expected {}", count(), frame_.things));
        }
    }

    answer_frame const& frame_;
    text_lines lines_;
    std::vector<std::int64_t> seen_;  ///< line of each city; 0 before it has come
    told_answer out_;
    bool in_section_ = false, ended_ = false;
};

}  // namespace

told_answer read_tour(std::string_view text, answer_frame const& frame) {
    if (frame.shape != answer_shape::tour) {
        refuse_shape(frame, "a tour", "tsp or hamiltonian");
    }
    return tour_reader(text, frame).read();
}

}  // namespace optgap::cli
