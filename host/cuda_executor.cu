// The batch verbs on one GPU. A call cuts its rows into slices that fit the arena; a slice is copied in, every task
// present gets its launches, and the results are copied out. Calls from several threads take turns.

#include <algorithm>
#include <string>
#include <vector>

#include "host/advantage_groups.hpp"
#include "host/cuda_device.cuh"
#include "host/cuda_ranks.cuh"
#include "host/cuda_slices.cuh"
#include "host/cuda_try.hpp"
#include "host/executor.hpp"
#include "host/registry.hpp"
#include "kernels/reward/reward.cuh"

namespace optgap {

namespace {

void require_host(csr_view const& rows, char const* what) {
    if (rows.space != memory::host) {
        throw error(status::invalid_argument, std::string(what) + " must be in host memory");
    }
}

class cuda_executor final : public executor {
public:
    cuda_executor(cuda_options const& options, cudaDeviceProp const& card)
        : name_("cuda: " + std::string(card.name) + ", GPU " + std::to_string(options.ordinal) + ", " +
                std::to_string(options.memory_limit >> 20) + " MiB"),
          device_(options, card) {}

    [[nodiscard]] std::string describe() const override { return name_; }

    instance_batch generate(std::span<generation const> items) override {
        cuda_device::call const turn(device_);
        instance_batch out;
        out.task.resize(items.size());
        for (std::size_t r = 0; r < items.size(); ++r) {
            out.task[r] = items[r].task;
        }
        std::vector<generated_size> const sizes = measure(items, out.task);
        out.blocks.offsets.resize(items.size() + 1);
        for (std::size_t r = 0; r < items.size(); ++r) {
            out.blocks.offsets[r + 1] = out.blocks.offsets[r] + sizes[r].instance;
        }
        out.blocks.words.resize(std::size_t(out.blocks.offsets.back()));

        std::int64_t const item_bytes = sizeof(generated_item) + sizeof(std::int64_t) + sizeof(std::int32_t);
        row_slicer slicer(
            std::int64_t(items.size()), std::int64_t(items.size()), nullptr, device_.room(),
            [&](std::int64_t r, std::int32_t) {
                generated_size const& size = sizes[std::size_t(r)];
                return row_cost{item_bytes + size.instance * word_bytes, device_.scratch_bytes(size.scratch)};
            },
            [](std::int32_t) { return 0; });
        for (row_slice slice; slicer.next(slice);) {
            device_.begin_slice();
            std::int64_t const base = out.blocks.offsets[std::size_t(slice.begin)];
            std::int64_t const words = out.blocks.offsets[std::size_t(slice.end)] - base;
            std::vector<std::int64_t> scratch_words(tasks(), 0);
            row_load load{launch_verb::generate, std::vector<std::int64_t>(tasks(), 0)};
            for (std::int64_t r = slice.begin; r < slice.end; ++r) {
                std::size_t const task = std::size_t(out.task[std::size_t(r)]);
                generated_size const& size = sizes[std::size_t(r)];
                scratch_words[task] = std::max(scratch_words[task], size.scratch);
                load.words[task] = std::max(load.words[task], size.instance);
            }
            generate_batch batch{};
            batch.items = device_.put(described(items, slice));
            batch.offsets = device_.put(
                std::span(out.blocks.offsets).subspan(std::size_t(slice.begin), std::size_t(slice.rows() + 1)));
            batch.base = base;
            batch.words = device_.take<std::int32_t>(words);
            device_.launch_tasks(rows_of(out.task, slice), scratch_words, &device_table::generate, batch, load);
            device_.get(batch.words, std::span(out.blocks.words).subspan(std::size_t(base), std::size_t(words)));
            device_.finish();
        }
        return out;
    }

    void verify(instance_view instances, csr_view answers, std::int32_t const* instance_of,
                std::span<verdict> out) override {
        cuda_device::call const turn(device_);
        require_host(instances.blocks, "instances");
        require_host(answers, "answers");
        instance_sizes scratch(instances, &device_table::scratch_words);
        row_slicer slicer(
            answers.rows, instances.blocks.rows, instance_of, device_.room(),
            [&](std::int64_t r, std::int32_t i) {
                return row_cost{answer_bytes(answers, r) + std::int64_t(sizeof(verdict)),
                                device_.scratch_bytes(scratch[i])};
            },
            [&](std::int32_t i) { return instance_bytes(instances, i); });
        for (row_slice slice; slicer.next(slice);) {
            device_.begin_slice();
            verify_batch batch{};
            batch.in = put_answers(device_, instances, answers, slice);
            batch.out = device_.take<verdict>(slice.rows());
            std::vector<std::int64_t> const most = most_words(instances, slice, scratch);
            device_.launch_tasks(optgap::rows_of(instances, slice), most, &device_table::verify, batch,
                                 {launch_verb::verify, most});
            device_.get(batch.out, out.subspan(std::size_t(slice.begin), std::size_t(slice.rows())));
            device_.finish();
        }
    }

    csr_words construct(instance_view instances, bool greedy) override {
        cuda_device::call const turn(device_);
        require_host(instances.blocks, "instances");
        instance_sizes scratch(instances, &device_table::scratch_words);
        instance_sizes answer(instances, &device_table::answer_words);
        row_slicer slicer(
            instances.blocks.rows, instances.blocks.rows, nullptr, device_.room(),
            [&](std::int64_t, std::int32_t i) {
                return row_cost{answer[i] * word_bytes + std::int64_t(2 * sizeof(std::int64_t) + sizeof(std::int32_t)),
                                device_.scratch_bytes(scratch[i])};
            },
            [&](std::int32_t i) { return instance_bytes(instances, i); });
        csr_words joined;
        for (row_slice slice; slicer.next(slice);) {
            device_.begin_slice();
            std::vector<std::int64_t> capacity;
            for (std::int32_t const i : slice.instances) {
                capacity.push_back(answer[i]);
            }
            std::vector<std::int64_t> const offsets = offsets_of(capacity);
            construct_batch batch{};
            batch.instances = put_instances(device_, instances, slice);
            batch.offsets = device_.put(std::span(offsets));
            batch.words = device_.take_zeroed<std::int32_t>(offsets.back());
            batch.sizes = device_.take<std::int64_t>(slice.rows());
            std::vector<std::int64_t> const most = most_words(instances, slice, scratch);
            device_.launch_tasks(optgap::rows_of(instances, slice), most,
                                 greedy ? &device_table::construct : &device_table::floor, batch,
                                 {greedy ? launch_verb::construct : launch_verb::floor, most});
            std::vector<std::int32_t> words(std::size_t(offsets.back()));
            std::vector<std::int64_t> sizes(std::size_t(slice.rows()));
            device_.get(batch.words, std::span(words));
            device_.get(batch.sizes, std::span(sizes));
            device_.finish();
            append_used(joined, words, offsets, sizes);
        }
        return joined;
    }

    csr_words improve(instance_view instances, csr_view answers, std::int32_t const* instance_of, std::int64_t steps,
                      draw source, std::span<improve_result> out) override {
        cuda_device::call const turn(device_);
        require_host(instances.blocks, "instances");
        require_host(answers, "answers");
        instance_sizes scratch(instances, &device_table::scratch_words);
        instance_sizes answer(instances, &device_table::answer_words);
        auto const capacity_of = [&](std::int64_t r, std::int32_t i) {
            return std::max(answer[i], answers.offsets[r + 1] - answers.offsets[r]);
        };
        row_slicer slicer(
            answers.rows, instances.blocks.rows, instance_of, device_.room(),
            [&](std::int64_t r, std::int32_t i) {
                return row_cost{answer_bytes(answers, r) + capacity_of(r, i) * word_bytes +
                                    std::int64_t(sizeof(std::int64_t) + sizeof(improve_result)),
                                device_.scratch_bytes(scratch[i])};
            },
            [&](std::int32_t i) { return instance_bytes(instances, i); });
        csr_words joined;
        for (row_slice slice; slicer.next(slice);) {
            device_.begin_slice();
            std::vector<std::int64_t> capacity;
            for (std::int64_t r = slice.begin; r < slice.end; ++r) {
                capacity.push_back(
                    capacity_of(r, slice.instances[std::size_t(slice.instance_of[std::size_t(r - slice.begin)])]));
            }
            std::vector<std::int64_t> const offsets = offsets_of(capacity);
            improve_batch batch{};
            batch.in = put_answers(device_, instances, answers, slice);
            batch.offsets = device_.put(std::span(offsets));
            batch.words = device_.take_zeroed<std::int32_t>(offsets.back());
            batch.out = device_.take<improve_result>(slice.rows());
            batch.steps = steps;
            batch.source = source;
            std::vector<std::int64_t> const most = most_words(instances, slice, scratch);
            device_.launch_tasks(optgap::rows_of(instances, slice), most, &device_table::improve, batch,
                                 {launch_verb::improve, most, steps});
            std::vector<std::int32_t> words(std::size_t(offsets.back()));
            std::span<improve_result> const found = out.subspan(std::size_t(slice.begin), std::size_t(slice.rows()));
            device_.get(batch.words, std::span(words));
            device_.get(batch.out, found);
            device_.finish();
            std::vector<std::int64_t> sizes;
            for (improve_result const& row : found) {
                sizes.push_back(row.answer_words);
            }
            append_used(joined, words, offsets, sizes);
        }
        return joined;
    }

    void rewards(reward_inputs const& in, reward_spec const& spec, std::span<reward_row> out) override {
        cuda_device::call const turn(device_);
        std::int64_t const row_bytes = sizeof(verdict) + 2 * sizeof(std::int32_t) + sizeof(finish) + sizeof(reward_row);
        row_slicer slicer(
            in.rollouts, in.instances, in.instance_of, device_.room(),
            [&](std::int64_t, std::int32_t) {
                return row_cost{row_bytes, 0};
            },
            [](std::int32_t) { return std::int64_t(sizeof(baseline) + sizeof(sense)); });
        for (row_slice slice; slicer.next(slice);) {
            device_.begin_slice();
            std::vector<sense> direction;
            std::vector<baseline> baselines;
            for (std::int32_t const i : slice.instances) {
                direction.push_back(cuda_device::table(in.task[i]).objective_sense);
                baselines.push_back(in.baselines[i]);
            }
            std::size_t const rows = std::size_t(slice.rows());
            reward_batch batch{};
            batch.instance_of = device_.put(std::span<std::int32_t const>(slice.instance_of));
            batch.direction = device_.put(std::span<sense const>(direction));
            batch.baselines = device_.put(std::span<baseline const>(baselines));
            batch.verdicts = device_.put(std::span(in.verdicts + slice.begin, rows));
            batch.format_code = device_.put(std::span(in.format_code + slice.begin, rows));
            batch.finished = in.finished == nullptr ? nullptr : device_.put(std::span(in.finished + slice.begin, rows));
            batch.out = device_.take<reward_row>(slice.rows());
            batch.count = slice.rows();
            OPTGAP_CUDA_TRY(launch_rewards(device_.stream(), device_.limits(), batch, spec));
            device_.get(batch.out, out.subspan(std::size_t(slice.begin), rows));
            device_.finish();
        }
    }

    /// A batch too large for the arena is cut between groups, never inside one.
    void advantages(std::span<float const> rewards, std::span<std::int32_t const> group, group_rule const& rule,
                    std::span<float> out) override {
        cuda_device::call const turn(device_);
        std::int64_t const most = most_advantages();
        if (std::int64_t(rewards.size()) <= most) {
            advantages_of(rewards, group, rule, out);
            return;
        }
        group_index const index = index_groups(group);
        std::vector<float> part_rewards;
        std::vector<std::int32_t> part_group;
        std::vector<float> part_out;
        for (std::int64_t g = 0; g < index.groups();) {
            std::int64_t const first = index.begin[std::size_t(g)];
            std::int64_t end = first;
            for (; g < index.groups() && index.begin[std::size_t(g) + 1] - first <= most; ++g) {
                end = index.begin[std::size_t(g) + 1];
            }
            if (end == first) {
                throw error(status::out_of_memory,
                            "a group of " + std::to_string(index.begin[std::size_t(g) + 1] - first) +
                                " rollouts does not fit the device memory limit, which holds " + std::to_string(most));
            }
            auto const row = [&](std::int64_t k) {
                return std::size_t(index.order.empty() ? k : index.order[std::size_t(k)]);
            };
            part_rewards.clear();
            part_group.clear();
            for (std::int64_t k = first; k < end; ++k) {
                part_rewards.push_back(rewards[row(k)]);
                part_group.push_back(group[row(k)]);
            }
            part_out.resize(part_rewards.size());
            advantages_of(part_rewards, part_group, rule, part_out);
            for (std::int64_t k = first; k < end; ++k) {
                out[row(k)] = part_out[std::size_t(k - first)];
            }
        }
    }

    void ranks(rank_inputs const& in, advantage_spec const& spec, std::span<double> out) override {
        ranks_on(device_, in, spec, out);
    }

private:
    [[nodiscard]] static std::size_t tasks() { return registry().size(); }
    [[nodiscard]] static rows_by_task rows_of(std::span<std::int32_t const> task, row_slice const& slice) {
        return bucket_by_task(task.subspan(std::size_t(slice.begin), std::size_t(slice.rows())), std::int32_t(tasks()));
    }
    [[nodiscard]] static std::vector<generated_item> described(std::span<generation const> items,
                                                               row_slice const& slice) {
        std::vector<generated_item> out;
        for (std::int64_t r = slice.begin; r < slice.end; ++r) {
            out.push_back({items[std::size_t(r)].source, items[std::size_t(r)].level});
        }
        return out;
    }
    [[nodiscard]] std::vector<generated_size> measure(std::span<generation const> items,
                                                      std::span<std::int32_t const> task) {
        std::vector<generated_size> sizes(items.size());
        row_slicer slicer(
            std::int64_t(items.size()), std::int64_t(items.size()), nullptr, device_.room(),
            [](std::int64_t, std::int32_t) {
                return row_cost{sizeof(generated_item) + sizeof(generated_size) + sizeof(std::int32_t), 0};
            },
            [](std::int32_t) { return 0; });
        std::vector<std::int64_t> const no_scratch(tasks(), 0);
        for (row_slice slice; slicer.next(slice);) {
            device_.begin_slice();
            measure_batch batch{};
            batch.items = device_.put(described(items, slice));
            batch.sizes = device_.take<generated_size>(slice.rows());
            device_.launch_tasks(rows_of(task, slice), no_scratch, &device_table::measure, batch,
                                 {launch_verb::measure, no_scratch});
            device_.get(batch.sizes, std::span(sizes).subspan(std::size_t(slice.begin), std::size_t(slice.rows())));
            device_.finish();
        }
        return sizes;
    }

    /// Rows whose rewards, sorting and results fit a slice.
    [[nodiscard]] std::int64_t most_advantages() const {
        constexpr std::int64_t row_bytes = 2 * sizeof(float) + 5 * sizeof(std::int32_t);
        std::int64_t rows = std::min(device_.room() / row_bytes, std::int64_t(1) << 30);
        for (;; rows = rows * 7 / 8) {
            std::int64_t temporary = 0;
            OPTGAP_CUDA_TRY(advantage_temporary_bytes(std::int32_t(rows), temporary));
            if (rows == 0 || temporary + rows * row_bytes <= device_.room()) {
                return rows;
            }
        }
    }
    void advantages_of(std::span<float const> rewards, std::span<std::int32_t const> group, group_rule const& rule,
                       std::span<float> out) {
        std::int64_t const rows = std::int64_t(rewards.size());
        if (rows == 0) {
            return;
        }
        device_.begin_slice();
        advantage_batch batch{};
        batch.rewards = device_.put(rewards);
        batch.group = device_.put(group);
        batch.out = device_.take<float>(rows);
        batch.count = std::int32_t(rows);
        batch.sorted_group = device_.take<std::int32_t>(rows);
        batch.row = device_.take<std::int32_t>(rows);
        batch.sorted_row = device_.take<std::int32_t>(rows);
        batch.group_begin = device_.take<std::int32_t>(rows);
        batch.groups = device_.take<std::int32_t>(1);
        OPTGAP_CUDA_TRY(advantage_temporary_bytes(batch.count, batch.temporary_bytes));
        batch.temporary = device_.take<unsigned char>(batch.temporary_bytes);
        OPTGAP_CUDA_TRY(launch_advantages(device_.stream(), device_.limits(), batch, rule));
        device_.get(batch.out, out);
        device_.finish();
    }

    std::string name_;
    cuda_device device_;
};

constexpr int oldest_major = 8;  // compute capability 8.0: the reduce instructions warp_team uses

}  // namespace

std::unique_ptr<executor> make_cuda_executor(cuda_options& options, std::string& why) {
    try {
        int driver = 0;
        OPTGAP_CUDA_TRY(cudaDriverGetVersion(&driver));
        if (driver == 0) {
            why = "no NVIDIA driver is installed";
            return nullptr;
        }
        int devices = 0;
        OPTGAP_CUDA_TRY(cudaGetDeviceCount(&devices));
        if (devices == 0 || options.ordinal >= devices) {
            why = devices == 0 ? "no CUDA device is visible"
                               : "there is no GPU " + std::to_string(options.ordinal) + ", only 0 to " +
                                     std::to_string(devices - 1);
            return nullptr;
        }
        if (options.ordinal < 0) {
            OPTGAP_CUDA_TRY(cudaGetDevice(&options.ordinal));
        }
        cudaDeviceProp card{};
        OPTGAP_CUDA_TRY(cudaGetDeviceProperties(&card, options.ordinal));
        if (card.major < oldest_major) {
            why = std::string(card.name) + " has compute capability " + std::to_string(card.major) + "." +
                  std::to_string(card.minor) + "; 8.0 or newer is needed";
            return nullptr;
        }
        if (options.memory_limit < smallest_memory_limit) {
            why = "a memory limit of " + std::to_string(options.memory_limit) + " bytes is too small; the least is " +
                  std::to_string(smallest_memory_limit);
            return nullptr;
        }
        device_scope const here(options.ordinal);
        OPTGAP_CUDA_TRY(probe_device_code());
        for (task_entry const& entry : registry()) {
            OPTGAP_CUDA_TRY(entry.cuda->load());
        }
        return std::make_unique<cuda_executor>(options, card);
    } catch (error const& failure) {
        why = failure.what();
        return nullptr;
    }
}

}  // namespace optgap
