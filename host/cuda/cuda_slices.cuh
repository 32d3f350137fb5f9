#pragma once
// A slice of a batch on its way to the device: the cost of its rows, their copies, and the rows of each task.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/cuda/cuda_device.cuh"
#include "host/cuda/device_slices.hpp"
#include "kernels/launch/device_table.cuh"
#include "kernels/registry/registry.hpp"
#include "optgap/batch.hpp"
#include "optgap/status.hpp"

namespace optgap {

inline void require_host(csr_view const& rows, char const* what) {
    if (rows.space != memory::host) {
        throw error(status::invalid_argument, std::string(what) + " must be in host memory");
    }
}

inline constexpr std::int64_t word_bytes = sizeof(std::int32_t);

inline words_view row_of(csr_view blocks, std::int64_t r) {
    return {blocks.words + blocks.offsets[r], blocks.offsets[r + 1] - blocks.offsets[r]};
}

/// An instance's words and its offset.
inline std::int64_t instance_bytes(instance_view instances, std::int32_t i) {
    return row_of(instances.blocks, i).count * word_bytes + std::int64_t(sizeof(std::int64_t));
}

/// An answer's words, its offset, its instance's number and its place in a task's list.
inline std::int64_t answer_bytes(csr_view answers, std::int64_t r) {
    return row_of(answers, r).count * word_bytes + std::int64_t(sizeof(std::int64_t) + 2 * sizeof(std::int32_t));
}

/// The sizes task code asks for, computed once per instance that a batch refers to.
class instance_sizes {
public:
    using size_of = std::int64_t (*device_table::*)(words_view);

    instance_sizes(instance_view instances, size_of which)
        : instances_(instances), which_(which), words_(std::size_t(instances.blocks.rows), -1) {}

    std::int64_t operator[](std::int32_t i) {
        std::int64_t& words = words_[std::size_t(i)];
        if (words < 0) {
            words = (cuda_device::table(instances_.task[i]).*which_)(row_of(instances_.blocks, i));
        }
        return words;
    }

private:
    instance_view instances_;
    size_of which_;
    std::vector<std::int64_t> words_;
};

/// Per task, the largest size among the slice's instances.
inline std::vector<std::int64_t> max_words(instance_view instances, row_slice const& slice, instance_sizes& sizes) {
    std::vector<std::int64_t> most(registry().size(), 0);
    for (std::int32_t const i : slice.instances) {
        std::int64_t& task_most = most[std::size_t(instances.task[i])];
        task_most = std::max(task_most, sizes[i]);
    }
    return most;
}

inline rows_by_task rows_of(instance_view instances, row_slice const& slice) {
    std::vector<std::int32_t> task;
    task.reserve(slice.instance_of.size());
    for (std::int32_t const local : slice.instance_of) {
        task.push_back(instances.task[slice.instances[std::size_t(local)]]);
    }
    return bucket_by_task(task, std::int32_t(registry().size()));
}

inline device_rows put_instances(cuda_device& device, instance_view instances, row_slice const& slice) {
    std::vector<std::int64_t> offsets{0};
    offsets.reserve(slice.instances.size() + 1);
    for (std::int32_t const i : slice.instances) {
        offsets.push_back(offsets.back() + row_of(instances.blocks, i).count);
    }
    device_rows rows{};
    rows.words = device.gather<std::int32_t>(offsets.back(), [&](auto const& append) {
        for (std::int32_t const i : slice.instances) {
            words_view const words = row_of(instances.blocks, i);
            append(words.data, words.count * word_bytes);
        }
    });
    rows.offsets = device.put(offsets);
    return rows;
}

inline answer_rows put_answers(cuda_device& device, instance_view instances, csr_view answers, row_slice const& slice) {
    std::int64_t const base = answers.offsets[slice.begin];
    answer_rows rows{};
    rows.instances = put_instances(device, instances, slice);
    rows.answers.words = device.put(std::span(answers.words + base, std::size_t(answers.offsets[slice.end] - base)));
    rows.answers.offsets = device.put(std::span(answers.offsets + slice.begin, std::size_t(slice.rows() + 1)));
    rows.answers.base = base;
    rows.instance_of = device.put(slice.instance_of);
    return rows;
}

}  // namespace optgap
