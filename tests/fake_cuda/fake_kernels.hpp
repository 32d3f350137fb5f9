#pragma once
// A device_table whose launches run on the host, as a team of one. Scratch is as large as a warp's would be, full of
// garbage, and in the place that the launch plan chooses.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <span>
#include <vector>

#include "kernels/launch/cuda_calls.cuh"
#include "kernels/launch/device_table.cuh"
#include "kernels/launch/improve_row.hpp"
#include "tests/fake_cuda/fake_runtime.hpp"
#include "tests/fake_cuda/fake_streams.hpp"

OPTGAP_KERNELS_BEGIN

template <class Task>
struct fake_launches {
    /// The call that shape_rows makes.
    static cudaError_t shape(launch_site const& site, launch_shape& out) {
        out.rows_per_block = out.plan.block_per_row ? 1 : launch_policy::warps_per_block;
        out.max_blocks = std::int64_t(site.limits.multiprocessors) * launch_policy::warps_wanted * 32 / out.threads();
        return fake::called("cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    }
    /// The calls that queue_rows makes. `work(team, row, scratch, told)` computes a row; `kernel` identifies the
    /// kernel.
    template <class Work>
    static cudaError_t rows(char const& kernel, launch_site const& site, row_list list, Work const& work) {
        launch_shape found;
        found.plan = plan_launch(site.limits, list.scratch_words);
        cudaError_t const shaped = shape(site, found);
        return shaped != cudaSuccess ? shaped : rows(kernel, site, found, list, work);
    }
    template <class Work>
    static cudaError_t rows(char const& kernel, launch_site const& site, launch_shape const& shape, row_list list,
                            Work const& work, std::int64_t steps = 1) {
        launch_plan const plan = shape.plan;
        std::int64_t const bytes = plan.words_per_row * std::int64_t(sizeof(std::int32_t));
        if (plan.global_scratch && site.scratch_bytes < bytes) {
            return cudaErrorMemoryAllocation;
        }
        return list.bounds == nullptr ? given(kernel, site, shape, list, work, steps)
                                      : found(kernel, site, shape, list, work, steps);
    }
    template <class Work>
    static cudaError_t given(char const& kernel, launch_site const& site, launch_shape const& shape, row_list list,
                             Work const& work, std::int64_t steps) {
        launch_plan const plan = shape.plan;
        launch_cuts const cuts(site, shape, list);
        // On a full card a row's step takes a microsecond, so each team takes that long for each of its rows.
        fake::note_block(1000 * steps * cuts.rows_a_team * shape.rows_at_once());
        for (std::int64_t first = 0; first < list.count; first += cuts.rows_a_launch) {
            row_list const drawn{list.rows + first, std::min(cuts.rows_a_launch, list.count - first)};
            launch_clock* const clock = first == 0 ? site.clock : nullptr;
            if (clock != nullptr) {
                *clock = {0, 0, drawn.count};
            }
            fake::note_grid((drawn.count + cuts.rows_a_block - 1) / cuts.rows_a_block);
            cudaError_t const result = fake::launch(&kernel, plan.shared_bytes, site.stream, [=](fake::touches& told) {
                told.reads(drawn.rows, drawn.count);
                run(site, plan, std::span(drawn.rows, std::size_t(drawn.count)), work, told);
                take_time(clock, drawn.count * steps, told);
            });
            if (result != cudaSuccess) {
                return result;
            }
        }
        return cudaSuccess;
    }
    /// Like queue_found_rows.
    template <class Work>
    static cudaError_t found(char const& kernel, launch_site const& site, launch_shape const& shape, row_list list,
                             Work const& work, std::int64_t steps) {
        launch_plan const plan = shape.plan;
        found_cuts const cuts(site, shape, list);
        std::int64_t const teams = cuts.blocks * shape.rows_per_block;
        cudaError_t result = cudaSuccess;
        for (std::int64_t first = 0; first < cuts.blocks && result == cudaSuccess; first += cuts.blocks_a_launch) {
            std::int64_t const own = cuts.grid(first);
            fake::note_grid(own);
            result = fake::launch(&kernel, plan.shared_bytes, site.stream, [=](fake::touches& told) {
                std::int64_t const begin = first * shape.rows_per_block;
                std::int64_t const its = own * shape.rows_per_block;
                std::vector<std::int32_t> const drawn = every(teams, begin, begin + its, list, told);
                std::int64_t const rows_a_team = (std::int64_t(drawn.size()) + its - 1) / its;
                fake::note_block(1000 * steps * rows_a_team * shape.rows_at_once());
                run(site, plan, drawn, work, told);
            });
        }
        return result;
    }
    /// Like found_rows: the rows of teams [begin, end).
    static std::vector<std::int32_t> every(std::int64_t teams, std::int64_t begin, std::int64_t end,
                                           row_list const& list, fake::touches& told) {
        told.reads(list.bounds, 1);
        std::int32_t const* const rows = list.rows + list.bounds->begin;
        std::int64_t const count = list.bounds->end - list.bounds->begin;
        told.reads(rows, count);
        std::vector<std::int32_t> drawn;
        for (std::int64_t team = begin; team < end; ++team) {
            for (std::int64_t k = team; k < count; k += teams) {
                drawn.push_back(rows[k]);
            }
        }
        return drawn;
    }
    template <class Work>
    static void run(launch_site const& site, launch_plan const& plan, std::span<std::int32_t const> list,
                    Work const& work, fake::touches& told) {
        std::vector<std::int32_t> shared(std::size_t(plan.words_per_row));
        std::int32_t* const scratch = plan.global_scratch ? site.scratch : shared.data();
        if (plan.global_scratch) {
            told.writes(scratch, plan.words_per_row);
        }
        for (std::int32_t const row : list) {
            std::fill_n(scratch, plan.words_per_row, std::int32_t(0xC3C3C3C3u));
            solo team;
            work(team, row, scratch, told);
        }
    }
    /// Takes a microsecond per row and step.
    static void take_time(launch_clock* clock, std::int64_t steps, fake::touches& told) {
        if (clock != nullptr) {
            told.writes(&clock->begin, 2);
            clock->begin = fake::card_time();
            clock->end = fake::card_time(1000 * steps);
        }
    }
    static words_view block(device_rows const& rows, std::int64_t r, fake::touches& told) {
        told.reads(rows.offsets + r, 2);
        words_view const found = rows[r];
        told.reads(found.data, found.count);
        return found;
    }
    static void told_anchor(anchor_batch const& batch, std::int32_t row, fake::touches& told) {
        static_cast<void>(block(batch.instances, row, told));
        told.reads(batch.offsets + row, 2);
        told.writes(batch.words + batch.offsets[row], batch.offsets[row + 1] - batch.offsets[row]);
        told.writes(batch.sizes + row, 1);
    }
    static words_view instance(answer_rows const& in, std::int32_t row, fake::touches& told) {
        told.reads(in.instance_of + row, 1);
        return block(in.instances, in.instance_of[row], told);
    }
    static cudaError_t load() { return load_kernels({&kernel[0], &kernel[1], &kernel[2], &kernel[3], &kernel[4]}); }
    /// Their addresses identify generate, verify, floor, greedy and improve.
    static inline char const kernel[5] = {};
    static std::int64_t instance_words(draw source, difficulty level) { return Task::instance_words(source, level); }
    static std::int64_t generate_scratch_words(draw source, difficulty level) {
        return Task::generate_scratch_words(source, level);
    }
    static std::int64_t scratch_words(words_view instance) { return Task::scratch_words(instance); }
    static std::int64_t improve_state_words(words_view instance) { return Task::improve_state_words(instance); }
    static std::int64_t answer_words(words_view instance) { return Task::answer_words(instance); }
    static cudaError_t generate(launch_site const& site, row_list list, generate_batch batch) {
        return rows(
            kernel[0], site, list, [=](solo& team, std::int32_t row, std::int32_t* scratch, fake::touches& told) {
                generated_item const item = batch.items[row];
                told.reads(batch.items + row, 1);
                told.reads(batch.offsets + row, 2);
                told.writes(batch.words + (batch.offsets[row] - batch.base),
                            batch.offsets[row + 1] - batch.offsets[row]);
                Task::generate(team, item.source, item.level, batch.words + (batch.offsets[row] - batch.base), scratch);
            });
    }
    static cudaError_t verify(launch_site const& site, row_list list, verify_batch batch) {
        return rows(kernel[1], site, list,
                    [=](solo& team, std::int32_t row, std::int32_t* scratch, fake::touches& told) {
                        told.writes(batch.out + row, 1);
                        batch.out[row] = Task::verify(team, instance(batch.in, row, told),
                                                      view_answer(block(batch.in.answers, row, told)), scratch);
                    });
    }
    static cudaError_t floor(launch_site const& site, row_list list, anchor_batch batch) {
        return rows(
            kernel[2], site, list, [=](solo& team, std::int32_t row, std::int32_t* scratch, fake::touches& told) {
                told_anchor(batch, row, told);
                batch.sizes[row] = Task::floor(team, batch.instances[row], batch.words + batch.offsets[row], scratch);
            });
    }
    static cudaError_t greedy(launch_site const& site, row_list list, anchor_batch batch) {
        return rows(
            kernel[3], site, list, [=](solo& team, std::int32_t row, std::int32_t* scratch, fake::touches& told) {
                told_anchor(batch, row, told);
                batch.sizes[row] = Task::greedy(team, batch.instances[row], batch.words + batch.offsets[row], scratch);
            });
    }
    static cudaError_t improve_shape(launch_site const& site, row_list list, launch_shape& out) {
        out.plan = plan_search(site.limits, list.scratch_words);
        return shape(site, out);
    }
    static cudaError_t improve(launch_site const& site, launch_shape const& shape, row_list list, improve_batch batch) {
        return rows(
            kernel[4], site, shape, list,
            [=](solo& team, std::int32_t row, std::int32_t* scratch, fake::touches& told) {
                words_view const of = instance(batch.in, row, told);
                static_cast<void>(block(batch.in.answers, row, told));
                told.reads(batch.offsets + row, 2);
                told.writes(batch.words + batch.offsets[row], batch.offsets[row + 1] - batch.offsets[row]);
                told.writes(batch.out + row, 1);
                if (batch.state != nullptr) {
                    told.reads(batch.state_offsets + row, 1);
                    told.writes(batch.state + batch.state_offsets[row], Task::improve_state_words(of));
                }
                improve_row<Task>(team, row, batch, scratch);
            },
            batch.end - batch.begin);
    }
};

template <class Task>
constexpr device_table fake_table_of() {
    using launches = fake_launches<Task>;
    return {Task::version,
            Task::objective_sense,
            launches::load,
            launches::instance_words,
            launches::generate_scratch_words,
            launches::scratch_words,
            improve_scratch_words<Task>,
            launches::improve_state_words,
            launches::answer_words,
            launches::generate,
            launches::verify,
            launches::floor,
            launches::greedy,
            launches::improve_shape,
            launches::improve};
}

OPTGAP_KERNELS_END
