#pragma once
// The ranking estimators, group after group.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/executor/executor.hpp"
#include "host/reward/ranking.hpp"
#include "optgap/advantage.hpp"
#include "optgap/status.hpp"

namespace optgap {

/// Ranks groups a block at a time: large enough for a GPU's launch, small enough to stay in a cache.
class block_ranker {
public:
    block_ranker(executor& by, advantage_inputs const& in, advantage_spec const& spec, std::vector<double>& value)
        : by_(by), in_(in), spec_(spec), value_(value), columns_(in.scores.empty() ? 1 : in.columns_of_scores) {}

    void add(std::span<std::int64_t const> rows) {
        rows_.insert(rows_.end(), rows.begin(), rows.end());
        begin_.push_back(std::int64_t(rows_.size()));
        bool const said = !in_.direction.empty() && !rows.empty();
        direction_.push_back(said ? in_.direction[std::size_t(rows[0])] : sense::maximise);
        if (rows_.size() >= block_rows) {
            flush();
        }
    }

    void flush() {
        if (direction_.empty()) {
            return;
        }
        scores_.resize(rows_.size() * std::size_t(columns_));
        double* next = scores_.data();
        for (std::int64_t const r : rows_) {
            if (in_.scores.empty()) {
                *next++ = double(in_.rewards[std::size_t(r)]);
            } else {
                next = std::copy_n(in_.scores.begin() + r * columns_, columns_, next);
            }
        }
        out_.resize(rows_.size());
        rank_inputs const given{scores_, columns_, begin_, direction_};
        if (counts_ranks(spec_.form)) {
            by_.run(ranks_call{given, spec_, out_});
        } else {
            for (std::size_t g = 0; g < direction_.size(); ++g) {
                rank_group(given, std::int64_t(g), spec_, scratch_, out_);
            }
        }
        for (std::size_t k = 0; k < out_.size(); ++k) {
            value_[std::size_t(rows_[k])] = out_[k];
        }
        rows_.clear();
        direction_.clear();
        begin_.assign(1, 0);
    }

private:
    static constexpr std::size_t block_rows = std::size_t(1) << 16;

    executor& by_;
    advantage_inputs const& in_;
    advantage_spec const& spec_;
    std::vector<double>& value_;
    std::int32_t columns_;
    std::vector<std::int64_t> rows_;
    std::vector<std::int64_t> begin_{0};
    std::vector<sense> direction_;
    std::vector<double> scores_;
    std::vector<double> out_;
    ranking_scratch scratch_;
};

/// Ranks of a batch. Groups that masking leaves with fewer rows than the estimator needs go their own way.
class batch_ranker {
public:
    batch_ranker(executor& by, advantage_inputs const& in, advantage_spec const& spec, std::vector<double>& value)
        : spec_(spec),
          info_(*estimator_of(spec.form).info),
          uniform_(uniform_of(spec)),
          usual_(by, in, spec_, value),
          small_(by, in, uniform_, value) {}

    void add(std::span<std::int64_t const> rows, std::size_t whole) {
        std::size_t const least = std::size_t(info_.min_rows);
        bool const small = !rows.empty() && rows.size() < least;
        if (small && (whole < least || spec_.of_small == small_group_rule::refuse)) {
            std::string const masked =
                whole == rows.size() ? "" : ", " + std::to_string(whole - rows.size()) + " more without a reward";
            misuse("group: " + std::string(info_.name) + " needs groups of at least " + std::to_string(least) +
                   " rows, the group of row " + std::to_string(rows[0]) + " has " + std::to_string(rows.size()) +
                   masked);
        }
        if (!small) {
            usual_.add(rows);
        } else if (spec_.of_small == small_group_rule::rank_uniform) {
            small_.add(rows);
        }
    }
    void flush() {
        usual_.flush();
        small_.flush();
    }

private:
    static advantage_spec uniform_of(advantage_spec spec) {
        spec.form = estimator::rank_uniform;
        return spec;
    }

    advantage_spec const& spec_;
    estimator_info const& info_;
    advantage_spec uniform_;
    block_ranker usual_, small_;
};

}  // namespace optgap
