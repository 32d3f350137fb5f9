#pragma once
// The kinds of rows of this build, each behind a gate that a test shuts, so that it decides when rows are graded.

#include <gtest/gtest.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string_view>
#include <utility>
#include <vector>

#include "host/rows/row_kind.hpp"
#include "tests/support/scheduler_cases.hpp"

namespace optgap::testing {

/// Holds up whoever grades rows of a kind while it is shut for it.
class grading_gate {
public:
    void shut(std::string_view kind) {
        std::lock_guard const locked(lock_);
        shut_for_ = kind;
        entered_ = 0;
    }
    void open() {
        shut({});
        moved_.notify_all();
    }
    void pass(std::string_view kind, std::stop_token const& stop) {
        std::unique_lock locked(lock_);
        entered_ += kind == shut_for_ ? 1 : 0;
        moved_.notify_all();
        moved_.wait(locked, stop, [&] { return kind != shut_for_; });
    }
    void await_entered() {
        std::unique_lock locked(lock_);
        ASSERT_TRUE(moved_.wait_for(locked, soon, [&] { return entered_ > 0; }));
    }

private:
    std::mutex lock_;
    std::condition_variable_any moved_;
    std::string_view shut_for_;
    int entered_ = 0;
};

inline grading_gate& the_gate() {
    static grading_gate only;
    return only;
}

/// A kind of this build behind the gate. Rows with a field `throws` throw.
class watched_kind final : public rows::row_kind {
public:
    explicit watched_kind(std::unique_ptr<rows::row_kind> of) : of_(std::move(of)) {}

    rows::kind_info const& info() const override { return of_->info(); }
    rows::claim claims(json_row const& row) const override { return of_->claims(row); }
    bool alone() const override { return of_->alone(); }
    void read(rows::row_batch& batch) override { of_->read(batch); }
    std::vector<asked_row> asks(rows::row_batch& batch) override { return of_->asks(batch); }
    void answered(rows::row_batch& batch, std::span<asked_row> asked,
                  std::span<rows::graded_row const> graded) override {
        of_->answered(batch, asked, graded);
    }
    void wants(rows::row_batch& batch, rows::wanted_baselines& out) override { of_->wants(batch, out); }
    void grade(rows::row_batch& batch, std::span<sourced_baseline const> known,
               std::span<rows::graded_row> out) override {
        for (std::size_t const i : batch.mine) {
            if (batch.items[i].row.find("throws") != nullptr) {
                throw std::runtime_error("the kind threw");
            }
        }
        the_gate().pass(info().name, batch.stop);
        of_->grade(batch, known, out);
    }
    std::shared_ptr<void> take(rows::graded_row const& row) override { return of_->take(row); }
    void put(rows::graded_row& row, std::shared_ptr<void> const& kept) override { of_->put(row, kept); }
    void settle(std::span<rows::graded_row* const> rows) override { of_->settle(rows); }
    std::span<double const> scores(rows::graded_row const& row) const override { return of_->scores(row); }
    std::vector<std::string_view> added() const override { return of_->added(); }
    bool has_baselines() const override { return of_->has_baselines(); }
    void write(row_sink& out, rows::graded_row const& row) const override { of_->write(out, row); }
    void tell(rows::run_report& out) const override { of_->tell(out); }
    void forget() override { of_->forget(); }

private:
    std::unique_ptr<rows::row_kind> of_;
};

template <std::size_t K>
std::unique_ptr<rows::row_kind> watched(rows::run_services& run) {
    return std::make_unique<watched_kind>(rows::kind_entries()[K].make(run));
}

inline std::span<rows::kind_entry const> watched_kinds() {
    static std::vector<rows::kind_entry> const all = []<std::size_t... K>(std::index_sequence<K...>) {
        std::vector<rows::kind_entry> made{rows::kind_entry{nullptr, watched<K>}...};
        made.resize(rows::kind_entries().size());
        for (std::size_t k = 0; k < made.size(); ++k) {
            made[k].info = rows::kind_entries()[k].info;
        }
        return made;
    }
    (std::make_index_sequence<16>());
    return all;
}

}  // namespace optgap::testing
