#include "optgap/roles/clusters.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>

#include "optgap/status.hpp"

namespace optgap {
namespace {

constexpr std::size_t longest_gram = 4;
constexpr double unmatched_gram = 0.1;  ///< the count of method1 where nothing matches

using counted_gram = std::pair<std::int32_t, std::int32_t>;  ///< its number and its count
struct counted_text {
    std::int64_t words = 0;
    std::array<std::vector<counted_gram>, longest_gram> grams;  ///< runs of one to four words, sorted
};

bool is_word_gap(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f'); }

/// Numbers the runs of words in texts. Equal runs get equal numbers.
class gram_numbers {
public:
    counted_text count(std::string_view text) {
        std::vector<std::int32_t> words;
        for (std::size_t at = 0; at < text.size();) {
            std::size_t end = at;
            while (end < text.size() && !is_word_gap(text[end])) {
                ++end;
            }
            if (end > at) {
                words.push_back(
                    words_.try_emplace(text.substr(at, end - at), std::int32_t(words_.size())).first->second);
            }
            at = end + 1;
        }
        counted_text out;
        out.words = std::int64_t(words.size());
        std::vector<std::int32_t> runs = words;  // runs of the current width, by the place of their first word
        for (std::size_t width = 1; width <= longest_gram; ++width) {
            if (width > 1) {
                runs.resize(words.size() < width ? 0 : words.size() - width + 1);
                for (std::size_t i = 0; i < runs.size(); ++i) {
                    runs[i] = number(width, runs[i], words[i + width - 1]);
                }
            }
            std::vector<std::int32_t> sorted = runs;
            std::ranges::sort(sorted);
            for (std::int32_t const run : sorted) {
                auto& counted = out.grams[width - 1];
                if (counted.empty() || counted.back().first != run) {
                    counted.emplace_back(run, 0);
                }
                ++counted.back().second;
            }
        }
        return out;
    }

private:
    /// The number of a run of words extended by one word.
    std::int32_t number(std::size_t width, std::int32_t run, std::int32_t word) {
        auto& of = longer_[width - 2];
        std::uint64_t const key = std::uint64_t(std::uint32_t(run)) << 32 | std::uint32_t(word);
        return of.try_emplace(key, std::int32_t(of.size())).first->second;
    }

    std::unordered_map<std::string_view, std::int32_t> words_;
    std::array<std::unordered_map<std::uint64_t, std::int32_t>, longest_gram - 1> longer_;
};

std::int64_t matched_grams(std::vector<counted_gram> const& a, std::vector<counted_gram> const& b) {
    std::int64_t sum = 0;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        if (a[i].first == b[j].first) {
            sum += std::min(a[i++].second, b[j++].second);
        } else {
            ++(a[i].first < b[j].first ? i : j);
        }
    }
    return sum;
}

std::int64_t bleu_of(counted_text const& text, counted_text const& reference) {
    double logarithm = 0;
    for (std::size_t width = 1; width <= longest_gram; ++width) {
        std::int64_t const matched = matched_grams(text.grams[width - 1], reference.grams[width - 1]);
        if (width == 1 && matched == 0) {
            return 0;
        }
        std::int64_t const all = std::max<std::int64_t>(1, text.words - std::int64_t(width) + 1);
        logarithm += 0.25 * std::log((matched == 0 ? unmatched_gram : double(matched)) / double(all));
    }
    double const brevity =
        text.words > reference.words ? 1.0 : std::exp(1.0 - double(reference.words) / double(text.words));
    return std::clamp<std::int64_t>(std::llround(brevity * std::exp(logarithm) * double(role_unit)), 0, role_unit);
}

/// Clusters being joined. Each is identified by its first text.
class linkage {
public:
    explicit linkage(std::vector<counted_text> const& texts)
        : n_(texts.size()), sums_(n_ * n_, 0), size_(n_, 1), first_(n_), best_(n_, nobody) {
        for (std::size_t i = 0; i < n_; ++i) {
            first_[i] = i;
            for (std::size_t j = i + 1; j < n_; ++j) {
                sums_[i * n_ + j] = sums_[j * n_ + i] = role_unit - bleu_of(texts[i], texts[j]);
            }
        }
        for (std::size_t i = 0; i < n_; ++i) {
            look_for(i);
        }
    }

    std::vector<std::int32_t> run(std::int64_t threshold) {
        for (;;) {
            std::size_t from = nobody;
            for (std::size_t i = 0; i < n_; ++i) {
                if (size_[i] > 0 && best_[i] != nobody &&
                    (from == nobody || is_nearer(i, best_[i], from, best_[from]))) {
                    from = i;
                }
            }
            if (from == nobody || sum(from, best_[from]) >= threshold * pairs(from, best_[from])) {
                break;
            }
            join(from, best_[from]);
        }
        std::vector<std::int32_t> out(n_), number(n_, -1);
        std::int32_t next = 0;
        for (std::size_t i = 0; i < n_; ++i) {
            std::size_t const head = head_of(i);
            number[head] = number[head] < 0 ? next++ : number[head];
            out[i] = number[head];
        }
        return out;
    }

private:
    static constexpr std::size_t nobody = std::size_t(-1);

    [[nodiscard]] std::int64_t sum(std::size_t i, std::size_t j) const { return sums_[i * n_ + j]; }
    [[nodiscard]] std::int64_t pairs(std::size_t i, std::size_t j) const { return size_[i] * size_[j]; }
    /// Whether the mean distance of the first pair is less than that of the second.
    [[nodiscard]] bool is_nearer(std::size_t i, std::size_t j, std::size_t k, std::size_t l) const {
        return __int128(sum(i, j)) * pairs(k, l) < __int128(sum(k, l)) * pairs(i, j);
    }
    /// Finds the nearest of the later clusters; of equally near ones the first.
    void look_for(std::size_t i) {
        best_[i] = nobody;
        for (std::size_t j = i + 1; j < n_; ++j) {
            if (size_[j] > 0 && (best_[i] == nobody || is_nearer(i, j, i, best_[i]))) {
                best_[i] = j;
            }
        }
    }
    void join(std::size_t to, std::size_t gone) {
        for (std::size_t k = 0; k < n_; ++k) {
            if (size_[k] > 0 && k != to && k != gone) {
                sums_[to * n_ + k] += sum(gone, k);
                sums_[k * n_ + to] = sums_[to * n_ + k];
            }
        }
        size_[to] += size_[gone];
        size_[gone] = 0;
        first_[gone] = to;
        for (std::size_t i = 0; i < gone; ++i) {
            if (size_[i] == 0) {
                continue;
            }
            if (i == to || best_[i] == to || best_[i] == gone) {
                look_for(i);
            } else if (i < to && (is_nearer(i, to, i, best_[i]) || (to < best_[i] && !is_nearer(i, best_[i], i, to)))) {
                best_[i] = to;
            }
        }
    }
    [[nodiscard]] std::size_t head_of(std::size_t i) const {
        while (first_[i] != i) {
            i = first_[i];
        }
        return i;
    }

    std::size_t n_;
    std::vector<std::int64_t> sums_;  ///< sums of distances between the texts of two clusters
    std::vector<std::int64_t> size_;  ///< 0: it was joined to another one
    std::vector<std::size_t> first_;
    std::vector<std::size_t> best_;
};

}  // namespace

std::int64_t bleu_units(std::string_view text, std::string_view reference) {
    gram_numbers numbers;
    counted_text const own = numbers.count(text);
    return bleu_of(own, numbers.count(reference));
}

std::vector<std::int32_t> bleu_clusters(std::span<std::string_view const> texts, std::int64_t threshold) {
    if (texts.size() > max_clustered_texts) {
        misuse("texts: expected at most " + std::to_string(max_clustered_texts) + ", got " +
               std::to_string(texts.size()));
    }
    if (threshold < 0 || threshold > role_unit) {
        misuse("threshold: expected 0 to 2^20");
    }
    gram_numbers numbers;
    std::vector<counted_text> counted;
    for (std::string_view const text : texts) {
        counted.push_back(numbers.count(text));
    }
    return linkage(counted).run(threshold);
}

}  // namespace optgap
