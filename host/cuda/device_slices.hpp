#pragma once
// Cuts a batch of any size into slices that fit a device arena of constant size: consecutive rows, with the instances
// that they refer to. Plain arithmetic, tested without a GPU. The cuts do not change results.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "optgap/batch.hpp"

namespace optgap {

/// A row's cost in a slice: bytes of its own data, and of the scratch in global memory for its team.
struct row_cost {
    std::int64_t bytes = 0;
    std::int64_t scratch_bytes = 0;
};

/// The account of one slice. Where rows need scratch in global memory, data fills at most half of the arena, so that
/// many warps find scratch in the rest; a row too large for that gets a slice of its own.
class slice_account {
public:
    explicit slice_account(std::int64_t capacity) : capacity_(capacity) {}

    /// Adds the row when it fits. Throws error{out_of_memory} when the first row of a slice cannot.
    bool admit(row_cost const& row);
    void clear() { rows_ = bytes_ = scratch_bytes_ = 0; }

private:
    static constexpr std::int64_t max_rows = std::int64_t(1) << 30;

    std::int64_t capacity_;
    std::int64_t rows_ = 0;
    std::int64_t bytes_ = 0;
    std::int64_t scratch_bytes_ = 0;
};

/// Rows [begin, end) of a batch with the instances they refer to, each once, in order of first reference.
struct row_slice {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::vector<std::int32_t> instances;    ///< index in the batch
    std::vector<std::int32_t> instance_of;  ///< per row, index into `instances`

    [[nodiscard]] std::int64_t rows() const { return end - begin; }
};

/// Cuts rows that refer to instances into slices.
class row_slicer {
public:
    using row_cost_of = std::function<row_cost(std::int64_t row, std::int32_t instance)>;
    using instance_bytes_of = std::function<std::int64_t(std::int32_t instance)>;

    /// instance_of == nullptr: row r refers to instance r. `capacity` is what a slice may take of the arena.
    row_slicer(std::int64_t rows, std::int64_t instances, std::int32_t const* instance_of, std::int64_t capacity,
               row_cost_of row, instance_bytes_of instance);

    /// The next slice; false when all rows are done.
    bool next(row_slice& out);

private:
    std::int64_t rows_;
    std::int64_t done_ = 0;
    std::int32_t const* instance_of_;
    slice_account account_;
    row_cost_of row_cost_of_;
    instance_bytes_of instance_bytes_of_;
    std::vector<std::int64_t> seen_in_;  ///< per instance: the slice's begin + 1
    std::vector<std::int32_t> local_index_;
};

/// Rows [0, count) sorted by task, ascending within a task: task t's are rows[begin[t], begin[t + 1]).
struct rows_by_task {
    std::vector<std::int32_t> rows;
    std::vector<std::int64_t> begin;
};

rows_by_task bucket_by_task(std::span<std::int32_t const> task_of_row, std::int32_t tasks);

/// Offsets of rows that may take capacity[r] words each; one more entry than rows.
std::vector<std::int64_t> offsets_of(std::span<std::int64_t const> capacity);

/// Appends the first sizes[r] words of each row, row r beginning at words[offsets[r]].
void append_used(csr_words& out, std::span<std::int32_t const> words, std::span<std::int64_t const> offsets,
                 std::span<std::int64_t const> sizes);

}  // namespace optgap
