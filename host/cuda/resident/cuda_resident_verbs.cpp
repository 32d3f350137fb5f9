// The verbs over columns in a GPU's memory. The host has not checked these columns: each piece of a call is first
// checked on the card, and only valid rows go on.

#include <algorithm>
#include <string>

#include "host/cuda/cuda_device.cuh"
#include "host/cuda/resident/cuda_resident.cuh"
#include "host/cuda/resident/cuda_turn.cuh"
#include "kernels/registry/registry.hpp"
#include "kernels/reward/reward.cuh"
#include "kernels/reward/reward_column.cuh"

namespace optgap {

namespace {

constexpr std::int64_t roundings = 18 * device_arena::alignment;
constexpr std::int64_t columns = 5;  ///< of int32, of a piece that is sorted, and of advantages

}  // namespace

std::int32_t cuda_resident::tasks() { return std::int32_t(registry().size()); }

std::int64_t cuda_resident::piece_bytes() const {
    return held_->work.capacity() / 2 - roundings - (tasks() + 1) * std::int64_t(sizeof(row_bounds));
}

std::int64_t cuda_resident::max_sorted_rows() const {
    return max_rows_in(piece_bytes(), columns * std::int64_t(sizeof(std::int32_t)), [](std::int32_t rows) {
        std::int64_t bytes = 0;
        OPTGAP_CUDA_TRY(row_sort_temporary_bytes(rows, tasks(), bytes));
        return bytes;
    });
}

std::int64_t cuda_resident::max_advantages() const {
    return max_rows_in(held_->work.capacity() - roundings, columns * std::int64_t(sizeof(std::int32_t)),
                       [](std::int32_t rows) {
                           std::int64_t bytes = 0;
                           OPTGAP_CUDA_TRY(advantage_temporary_bytes(rows, bytes));
                           return bytes;
                       });
}

row_check cuda_resident::piece_of(device_answers const& answers, std::int64_t first, std::int64_t most) {
    row_check piece;
    piece.rows = std::min(most, answers.rows - first);
    piece.first = first;
    piece.instance_of = answers.instance_of;
    piece.words = answers.words;
    piece.words_size = answers.words_size;
    piece.offsets = answers.offsets + first;
    return piece;
}

row_check cuda_resident::look(cudaStream_t stream, resident_set const& instances, row_check piece) {
    piece.instance_of = piece.instance_of == nullptr ? nullptr : piece.instance_of + piece.first;
    piece.task = instances.task;
    piece.instances = instances.instances;
    piece.tasks = tasks();
    piece.faults = &told().faults;
    piece.instance = held_->work.take<std::int32_t>(piece.rows);
    piece.task_of = held_->work.take<std::int32_t>(piece.rows);
    piece.row = held_->work.take<std::int32_t>(piece.rows);
    OPTGAP_CUDA_TRY(launch_row_check(stream, limits_, piece));
    return piece;
}

row_sort cuda_resident::sort_piece(cudaStream_t stream, row_check const& piece) {
    device_arena& work = held_->work;
    row_sort sort;
    sort.rows = std::int32_t(piece.rows);
    sort.tasks = tasks();
    sort.task_of = piece.task_of;
    sort.row = piece.row;
    sort.sorted_task = work.take<std::int32_t>(piece.rows);
    sort.sorted_row = work.take<std::int32_t>(piece.rows);
    sort.bounds = work.take<row_bounds>(sort.tasks + 1);
    OPTGAP_CUDA_TRY(row_sort_temporary_bytes(sort.rows, sort.tasks, sort.temporary_bytes));
    sort.temporary = work.take<unsigned char>(sort.temporary_bytes);
    OPTGAP_CUDA_TRY(launch_row_sort(stream, limits_, sort));
    return sort;
}

launch_site cuda_resident::rest_of_work(cudaStream_t stream, std::int64_t rows) {
    launch_site site;
    site.stream = stream;
    site.limits = limits_;
    site.rows_per_launch = rows;
    site.scratch_bytes = held_->work.left();
    site.scratch = held_->work.take<std::int32_t>(site.scratch_bytes / std::int64_t(sizeof(std::int32_t)));
    return site;
}

answer_rows cuda_resident::rows_of(resident_set const& instances, device_answers const& answers,
                                   row_check const& piece) {
    return {{instances.words, instances.offsets, 0}, {answers.words, answers.offsets + piece.first, 0}, piece.instance};
}

std::int64_t cuda_resident::fork(cudaStream_t stream, std::vector<std::int64_t> const& scratch_words,
                                 std::int64_t rows) {
    std::int64_t const tasks = std::ranges::count_if(scratch_words, [](std::int64_t words) { return words >= 0; });
    side_streams& sides = held_->sides;
    // Where the number of blocks is limited, one launch may take all of them: launches do not run side by side.
    sides.fork(stream, tasks > 1 && !limits_.counts_blocks && sides.free_for(stream));
    return (rows + tasks - 1) / tasks;  // a row is of a set that is not empty
}

void cuda_resident::verify_piece(cudaStream_t stream, resident_set const& instances, device_answers const& answers,
                                 row_check const& piece, verdict* out) {
    row_sort const sort = sort_piece(stream, piece);
    verify_batch const batch{rows_of(instances, answers, piece), out};
    launch_site site = rest_of_work(stream, piece.rows);
    std::int64_t const share = fork(stream, instances.scratch_words, piece.rows);
    side_streams::joined const whatever_comes(held_->sides);
    auto const work_of = [&](std::size_t t) { return instances.row_words[t]; };
    for (std::size_t const t : longest_first(instances.scratch_words, work_of)) {
        std::int64_t const words = instances.scratch_words[t];
        site.stream = held_->sides.stream_for(plan_launch(limits_, words), work_of(t));
        row_list const list{sort.sorted_row, piece.rows, words, sort.bounds + t, share};
        OPTGAP_CUDA_TRY(cuda_device::table(std::int32_t(t)).verify(site, list, batch));
    }
    held_->sides.join();
}

std::uint64_t cuda_resident::verify(resident_set const& instances, device_answers const& answers, verdict* out,
                                    void* stream) {
    auto* const on = static_cast<cudaStream_t>(stream);
    turn own(*this, on);
    for (std::int64_t first = 0; first < answers.rows; first += max_sorted_) {
        row_check piece = piece_of(answers, first, max_sorted_);
        piece.verdicts = out + first;
        held_->work.reset();
        verify_piece(on, instances, answers, look(on, instances, piece), out + first);
    }
    return own.done();
}

namespace {

/// The set's tasks that are rewarded by an entry of the rules.
task_choice_bits tasks_rewarded_by(reward_rules const& rules, std::int32_t spec, resident_set const& instances) {
    task_choice_bits out;
    for (std::size_t task = 0; task < rules.of_task.size(); ++task) {
        if (rules.of_task[task] == spec && instances.scratch_words[task] >= 0) {
            out.add(std::int32_t(task));
        }
    }
    return out;
}

}  // namespace

std::uint64_t cuda_resident::reward(resident_set const& instances, resident_baselines const& baselines,
                                    device_rollouts const& rollouts, reward_rules const& rules, reward_row* out,
                                    float* rewards, void* stream) {
    auto* const on = static_cast<cudaStream_t>(stream);
    turn own(*this, on);
    for (std::int64_t first = 0; first < rollouts.rows; first += max_sorted_) {
        row_check piece;
        piece.rows = std::min(max_sorted_, rollouts.rows - first);
        piece.first = first;
        piece.instance_of = rollouts.instance_of;
        held_->work.reset();
        piece = look(on, instances, piece);
        std::int32_t const* format_code = rollouts.format_code;
        if (format_code == nullptr) {
            auto* const all_hold = held_->work.take<std::int32_t>(piece.rows);
            OPTGAP_CUDA_TRY(cudaMemsetAsync(all_hold, 0, std::size_t(piece.rows) * sizeof *all_hold, on));
            format_code = all_hold - first;
        }
        reward_batch batch{};
        batch.instance_of = piece.instance;
        batch.direction = instances.direction;
        batch.baselines = baselines.rows;
        batch.verdicts = rollouts.verdicts + first;
        batch.format_code = format_code + first;
        batch.finished = rollouts.finished == nullptr ? nullptr : rollouts.finished + first;
        batch.length = rollouts.length == nullptr ? nullptr : rollouts.length + first;
        batch.out = out + first;
        batch.count = piece.rows;
        if (rules.of_task.empty()) {
            OPTGAP_CUDA_TRY(launch_rewards(on, limits_, batch, rules.specs[0]));
        }
        for (std::size_t spec = 0; spec < rules.specs.size() && !rules.of_task.empty(); ++spec) {
            batch.task_of = piece.task_of;
            batch.rewarded = tasks_rewarded_by(rules, std::int32_t(spec), instances);
            if (batch.rewarded != task_choice_bits{}) {
                OPTGAP_CUDA_TRY(launch_rewards(on, limits_, batch, rules.specs[spec]));
            }
        }
        OPTGAP_CUDA_TRY(launch_reward_column(
            on, limits_,
            {piece.rows, piece.task_of, tasks(), out + first, rewards == nullptr ? nullptr : rewards + first}));
    }
    return own.done();
}

std::uint64_t cuda_resident::advantages(device_rewards const& in, group_rule const& rule, float* out, void* stream) {
    if (in.rows > max_grouped_) {
        throw error(status::out_of_memory, std::to_string(in.rows) +
                                               " rollouts do not fit the store's memory, which "
                                               "compares at most " +
                                               std::to_string(max_grouped_) + " at a time");
    }
    auto* const on = static_cast<cudaStream_t>(stream);
    turn own(*this, on);
    if (in.rows > 0) {
        group_rows(on, in, rule, out);
    }
    return own.done();
}

void cuda_resident::group_rows(cudaStream_t stream, device_rewards const& in, group_rule const& rule, float* out) {
    row_check check;
    check.rows = in.rows;
    check.rewards = in.rewards;
    check.faults = &told().faults;
    OPTGAP_CUDA_TRY(launch_row_check(stream, limits_, check));
    device_arena& work = held_->work;
    advantage_batch batch{};
    batch.rewards = in.rewards;
    batch.group = in.group;
    batch.out = out;
    batch.count = std::int32_t(in.rows);
    batch.sorted_group = work.take<std::int32_t>(in.rows);
    batch.row = work.take<std::int32_t>(in.rows);
    batch.sorted_row = work.take<std::int32_t>(in.rows);
    batch.group_begin = work.take<std::int32_t>(in.rows);
    batch.groups = work.take<std::int32_t>(1);
    OPTGAP_CUDA_TRY(advantage_temporary_bytes(batch.count, batch.temporary_bytes));
    batch.temporary = work.take<unsigned char>(batch.temporary_bytes);
    OPTGAP_CUDA_TRY(launch_advantages(stream, limits_, batch, rule));
}

}  // namespace optgap
