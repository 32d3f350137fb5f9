// kernels/launch/row_lists.cuh, kernels/launch/found_answers.cuh and kernels/reward/reward_column.cuh on host memory.

#include <algorithm>
#include <atomic>

#include "kernels/launch/cuda_calls.cuh"
#include "kernels/launch/found_answers.cuh"
#include "kernels/launch/pending_error.cuh"
#include "kernels/launch/row_lists.cuh"
#include "kernels/reward/reward_column.cuh"
#include "tests/fake_cuda/fake_runtime.hpp"
#include "tests/fake_cuda/fake_streams.hpp"

namespace optgap {

namespace {

/// Their addresses identify the kernels.
char const check_kernel = 0;
char const bounds_kernel = 1;
char const column_kernel = 2;
char const end_kernel = 3;
char const results_kernel = 4;
char const answers_kernel[2] = {};
fake::cub_sort const task_sort{};
char const length_scan[2] = {};

template <class Work>
void for_each_lane(std::int64_t items, Work const& work) {
    for (std::int64_t k = 0; k < items; ++k) {
        for (std::int32_t lane = 0; lane < 32; ++lane) {
            work(k, lane);
        }
    }
}

}  // namespace

cudaError_t launch_row_check(cudaStream_t stream, device_limits const&, row_check const& check) {
    return fake::launch(&check_kernel, 0, stream, [=](fake::touches& told) {
        told.reads(check.rewards, check.rewards != nullptr ? check.rows : 0);
        if (check.task_of != nullptr) {
            told.reads(check.instance_of, check.instance_of != nullptr ? check.rows : 0);
            told.reads(check.task, check.instances);
            told.reads(check.offsets, check.offsets != nullptr ? check.rows + 1 : 0);
            told.reads(check.words, check.words_size);
            for (std::int32_t* const column : {check.instance, check.task_of, check.row}) {
                told.writes(column, check.rows);
            }
            told.writes(check.verdicts, check.verdicts != nullptr ? check.rows : 0);
            told.writes(check.place, check.results != nullptr ? check.rows + 1 : 0);
            told.writes(check.state_place, check.state_place != nullptr ? check.rows : 0);
            told.writes(check.results, check.results != nullptr ? check.rows : 0);
        }
        for (std::int64_t r = 0; r < check.rows; ++r) {
            look_at_row(check, r, [](std::int32_t* word, std::int32_t row) {
                std::atomic_ref<std::int32_t>(*word).store(row, std::memory_order_relaxed);
            });
        }
    });
}

cudaError_t row_sort_temporary_bytes(std::int32_t rows, std::int32_t, std::int64_t& bytes) {
    bytes = fake::cub_sort::temporary_bytes(rows);
    return apart_from_pending_error(nullptr, [] { return fake::call_cub(); });
}

cudaError_t launch_row_sort(cudaStream_t stream, device_limits const&, row_sort const& sort) {
    cudaError_t const zeroed =
        cudaMemsetAsync(sort.bounds, 0, std::size_t(sort.tasks + 1) * sizeof(row_bounds), stream);
    if (zeroed != cudaSuccess) {
        return zeroed;
    }
    return fake::launch_by_cub(&bounds_kernel, task_sort.kernels(sort.rows), stream, [=](fake::touches& told) {
        told.reads(sort.task_of, sort.rows);
        told.reads(sort.row, sort.rows);
        told.writes(sort.sorted_task, sort.rows);
        told.writes(sort.sorted_row, sort.rows);
        told.writes(sort.bounds, sort.tasks + 1);
        told.writes(static_cast<unsigned char*>(sort.temporary), sort.temporary_bytes);
        std::copy_n(sort.row, sort.rows, sort.sorted_row);
        std::stable_sort(sort.sorted_row, sort.sorted_row + sort.rows,
                         [&](std::int32_t a, std::int32_t b) { return sort.task_of[a] < sort.task_of[b]; });
        for (std::int32_t k = 0; k < sort.rows; ++k) {
            std::int32_t const task = sort.sorted_task[k] = sort.task_of[sort.sorted_row[k]];
            row_bounds& of = sort.bounds[task];
            of.begin = of.end == 0 ? k : of.begin;
            of.end = k + 1;
        }
    });
}

cudaError_t found_answers_temporary_bytes(std::int32_t rows, std::int64_t& bytes) {
    bytes = 8 * std::int64_t(rows) + 4096;
    return apart_from_pending_error(nullptr, [] { return fake::call_cub(); });
}

cudaError_t launch_found_answers(cudaStream_t stream, device_limits const&, found_answers const& found) {
    cudaError_t const told_all = fake::launch(&results_kernel, 0, stream, [=](fake::touches& told) {
        told.reads(found.results, found.rows);
        told.reads(found.worth, found.worth != nullptr ? found.rows : 0);
        told.writes(found.length, found.rows);
        told.writes(found.out, 4 * found.rows);
        for (std::int64_t r = 0; r < found.rows; ++r) {
            tell_result(found, r);
        }
    });
    if (told_all != cudaSuccess) {
        return told_all;
    }
    cudaError_t result =
        fake::launch_by_cub(&length_scan[0], {&length_scan[0], &length_scan[1]}, stream, [=](fake::touches& told) {
            told.reads(found.length, found.rows);
            told.writes(found.end, found.rows);
            told.writes(static_cast<unsigned char*>(found.temporary), found.temporary_bytes);
            std::int64_t sum = 0;
            for (std::int64_t r = 0; r < found.rows; ++r) {
                found.end[r] = sum += found.length[r];
            }
        });
    for (std::int64_t first = 0; first < found.rows && result == cudaSuccess; first += found.staged_rows) {
        std::int64_t const rows = std::min(found.staged_rows, found.rows - first);
        result = fake::launch(&answers_kernel[0], 0, stream, [=](fake::touches& told) {
            told.reads(found.length + first, rows);
            told.reads(found.from + first * found.room, rows * found.room);
            told.writes(found.stage, rows * found.room);
            for_each_lane(rows * parts_of_answer(found),
                          [&](std::int64_t k, std::int32_t lane) { stage_answers(found, first, k, lane, 32); });
        });
        if (result != cudaSuccess) {
            return result;
        }
        result = fake::launch(&answers_kernel[1], 0, stream, [=](fake::touches& told) {
            std::int64_t const begin = found.end[first] - found.length[first];
            told.reads(found.length + first, rows);
            told.reads(found.end + first, rows);
            told.reads(found.stage, rows * found.room);
            told.reads(found.offsets, 1);
            told.writes(found.offsets + first + 1, rows);
            told.writes(found.words + found.offsets[0] + begin, found.end[first + rows - 1] - begin);
            for_each_lane(rows * parts_of_answer(found),
                          [&](std::int64_t k, std::int32_t lane) { place_answers(found, first, k, lane, 32); });
        });
    }
    return result;
}

cudaError_t load_found_answers_kernels() {
    return load_kernels({&results_kernel, &answers_kernel[0], &answers_kernel[1]});
}

cudaError_t launch_end_note(cudaStream_t stream, std::uint64_t* ended, std::uint64_t call) {
    return fake::launch(&end_kernel, 0, stream, [=](fake::touches& told) {
        told.writes(ended, 1);
        std::atomic_ref<std::uint64_t>(*ended).store(call, std::memory_order_release);
    });
}

cudaError_t load_row_list_kernels() { return load_kernels({&check_kernel, &bounds_kernel, &end_kernel}); }

cudaError_t launch_reward_column(cudaStream_t stream, device_limits const&, reward_column const& column) {
    return fake::launch(&column_kernel, 0, stream, [=](fake::touches& told) {
        told.reads(column.task_of, column.rows);
        told.writes(column.out, column.rows);
        told.writes(column.rewards, column.rewards != nullptr ? column.rows : 0);
        for (std::int64_t r = 0; r < column.rows; ++r) {
            finish_reward(column, r);
        }
    });
}

cudaError_t load_reward_column_kernel() { return load_kernels({&column_kernel}); }

}  // namespace optgap
