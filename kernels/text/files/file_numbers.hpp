#pragma once
// Numbers that a file assigns to items, vertices or cities: 0 to n - 1 or 1 to n, each once, in any order.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/text/file_words.hpp"

namespace optgap {

class file_numbers {
public:
    /// `noun` is the kind of thing that is numbered, "item".
    file_numbers(std::int64_t n, char const* noun) : n_(n), noun_(noun) {}

    /// Reads the next row's number. Needs memory only for rows that exist, whatever the head of the file claims.
    template <class Place>
    void take(Place const& place, std::int64_t number) {
        if (number < 0 || number > n_) {
            place.fail(rule() + ", found " + std::to_string(number));
        }
        if (std::size_t(number) >= seen_.size()) {
            seen_.resize(std::size_t(number) + 1);
        }
        if (seen_[std::size_t(number)]) {
            place.fail(noun_ + " " + std::to_string(number) + " is there twice");
        }
        seen_[std::size_t(number)] = true;
        from_zero_ = from_zero_ || number == 0;
        to_n_ = to_n_ || number == n_;
        if (from_zero_ && to_n_) {
            place.fail(rule() + ", found both 0 and " + std::to_string(n_));
        }
        numbers_.push_back(number);
    }

    [[nodiscard]] std::int64_t count() const { return std::int64_t(numbers_.size()); }
    /// The position in the file of row r of n, when all are sorted by their numbers.
    [[nodiscard]] std::size_t place(std::size_t r) const { return std::size_t(numbers_[r] - (from_zero_ ? 0 : 1)); }

private:
    [[nodiscard]] std::string rule() const {
        return "numbers must be 0 to " + std::to_string(n_ - 1) + " or 1 to " + std::to_string(n_) + ", each of one " +
               noun_;
    }

    std::int64_t n_;
    std::string noun_;
    std::vector<bool> seen_;
    std::vector<std::int64_t> numbers_;
    bool from_zero_ = false, to_n_ = false;
};

}  // namespace optgap
