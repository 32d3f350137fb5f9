#include "host/cuda/device_slices.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "optgap/status.hpp"

namespace optgap {

bool slice_account::admit(row_cost const& row) {
    std::int64_t const bytes = bytes_ + row.bytes;
    std::int64_t const scratch = std::max(scratch_bytes_, row.scratch_bytes);
    if (rows_ == 0) {
        if (bytes + scratch > capacity_) {
            throw error(status::out_of_memory, "a row needs " + std::to_string(bytes + scratch) +
                                                   " bytes of device memory, and the limit leaves " +
                                                   std::to_string(std::max<std::int64_t>(capacity_, 0)) + " for rows");
        }
    } else if (rows_ == max_rows || bytes + scratch > capacity_ || (scratch > 0 && bytes > capacity_ / 2)) {
        return false;
    }
    ++rows_;
    bytes_ = bytes;
    scratch_bytes_ = scratch;
    return true;
}

row_slicer::row_slicer(std::int64_t rows, std::int64_t instances, std::int32_t const* instance_of,
                       std::int64_t capacity, row_cost_of row, instance_bytes_of instance)
    : rows_(rows),
      instance_of_(instance_of),
      account_(capacity),
      row_cost_of_(std::move(row)),
      instance_bytes_of_(std::move(instance)),
      seen_in_(std::size_t(instances), 0),
      local_index_(std::size_t(instances), 0) {}

bool row_slicer::next(row_slice& out) {
    out.begin = out.end = done_;
    out.instances.clear();
    out.instance_of.clear();
    account_.clear();
    for (std::int64_t r = done_; r < rows_; ++r) {
        std::int32_t const instance = instance_of_ != nullptr ? instance_of_[r] : std::int32_t(r);
        bool const fresh = seen_in_[std::size_t(instance)] != out.begin + 1;
        row_cost cost = row_cost_of_(r, instance);
        cost.bytes += fresh ? instance_bytes_of_(instance) : 0;
        if (!account_.admit(cost)) {
            break;
        }
        if (fresh) {
            seen_in_[std::size_t(instance)] = out.begin + 1;
            local_index_[std::size_t(instance)] = std::int32_t(out.instances.size());
            out.instances.push_back(instance);
        }
        out.instance_of.push_back(local_index_[std::size_t(instance)]);
        out.end = r + 1;
    }
    done_ = out.end;
    return out.rows() > 0;
}

rows_by_task bucket_by_task(std::span<std::int32_t const> task_of_row, std::int32_t tasks) {
    rows_by_task out;
    out.begin.assign(std::size_t(tasks) + 1, 0);
    for (std::int32_t const task : task_of_row) {
        ++out.begin[std::size_t(task) + 1];
    }
    for (std::size_t t = 1; t < out.begin.size(); ++t) {
        out.begin[t] += out.begin[t - 1];
    }
    std::vector<std::int64_t> next(out.begin.begin(), out.begin.end() - 1);
    out.rows.resize(task_of_row.size());
    for (std::size_t r = 0; r < task_of_row.size(); ++r) {
        out.rows[std::size_t(next[std::size_t(task_of_row[r])]++)] = std::int32_t(r);
    }
    return out;
}

std::vector<std::int64_t> offsets_of(std::span<std::int64_t const> capacity) {
    std::vector<std::int64_t> offsets(capacity.size() + 1, 0);
    for (std::size_t r = 0; r < capacity.size(); ++r) {
        offsets[r + 1] = offsets[r] + capacity[r];
    }
    return offsets;
}

void append_used(csr_words& out, std::span<std::int32_t const> words, std::span<std::int64_t const> offsets,
                 std::span<std::int64_t const> sizes) {
    for (std::size_t r = 0; r < sizes.size(); ++r) {
        out.append(words.subspan(std::size_t(offsets[r]), std::size_t(sizes[r])));
    }
}

}  // namespace optgap
