#pragma once
// The sets that stay on one GPU, and the verbs over columns that lie there. There are two blocks of memory, allocated
// once: one holds sets, the other is working memory of the verbs. Calls come from any thread and go onto any stream;
// each waits on the card for the one before it, since both use the second block. Launches of different tasks run side
// by side in between, on streams of the store's own.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/cuda/cuda_memory.hpp"
#include "host/cuda/cuda_sides.hpp"
#include "host/cuda/resident/device_regions.hpp"
#include "host/executor/call_rows.hpp"
#include "host/executor/resident.hpp"
#include "kernels/launch/launch_plan.hpp"
#include "kernels/launch/row_check.hpp"
#include "kernels/launch/row_lists.cuh"

namespace optgap {

class cuda_resident final : public resident, public std::enable_shared_from_this<cuda_resident> {
public:
    /// The device must be current.
    cuda_resident(int ordinal, device_limits const& limits, std::int64_t bytes);
    ~cuda_resident() override;
    cuda_resident(cuda_resident const&) = delete;
    cuda_resident& operator=(cuda_resident const&) = delete;

    std::shared_ptr<resident_set const> put(instance_view instances) override;
    std::shared_ptr<resident_set const> put(std::span<instance_spec const> specs) override;
    std::shared_ptr<resident_baselines const> put(std::span<baseline const> baselines) override;

    std::uint64_t verify(resident_set const& instances, device_answers const& answers, verdict* out,
                         void* stream) override;
    std::uint64_t reward(resident_set const& instances, resident_baselines const& baselines,
                         device_rollouts const& rollouts, reward_rules const& rules, reward_row* out, float* rewards,
                         void* stream) override;
    std::uint64_t improve(resident_set const& instances, device_answers const& starts, search_wish const& wish,
                          device_searches const& out, void* stream) override;
    std::uint64_t advantages(device_rewards const& in, group_rule const& rule, float* out, void* stream) override;

    std::uint64_t ended() override;
    void wait() override;
    std::string fault() override;

    [[nodiscard]] int ordinal() const override { return ordinal_; }
    [[nodiscard]] std::int64_t room() const override { return regions_.bytes(); }
    [[nodiscard]] std::int64_t used() const override;
    [[nodiscard]] std::uint64_t calls() const override;

private:
    /// A part of the sets' block, which the destructor frees; its next owner waits for the calls before.
    class region {
    public:
        region(std::shared_ptr<cuda_resident> owner, std::int64_t begin) : owner_(std::move(owner)), begin_(begin) {}
        ~region();
        region(region const&) = delete;
        region& operator=(region const&) = delete;
        [[nodiscard]] unsigned char* memory() const { return owner_->held_->sets + begin_; }
        bool lent = false;  ///< readers other than calls may still read it when it is freed

    private:
        std::shared_ptr<cuda_resident> owner_;
        std::int64_t begin_;
    };
    struct placed_set;
    struct placed_baselines;
    class turn;

    /// Written by the card, and read by the host at any time.
    struct notes {
        row_faults faults;
        std::uint64_t ended = 0;  ///< the newest call that has run
    };
    /// Destroyed while its device is current.
    struct held {
        held(int device, std::int64_t work_bytes, std::int64_t set_bytes);

        quiet_stream stream;   ///< of copies
        pinned_memory pinned;  ///< notes, and the ring's pieces
        pinned_ring ring;
        device_arena work;
        device_arena set_memory;
        unsigned char* sets;
        device_event newest;  ///< behind the call before
        side_streams sides{side_count};
    };
    /// As in the executor. A process has eight connections to its card by default (CUDA_DEVICE_MAX_CONNECTIONS), and a
    /// trainer's stream that shares one with a waiting stream would wait, too.
    static constexpr std::size_t side_count = 4;

    static std::int64_t work_bytes(std::int64_t bytes);
    static std::int32_t tasks();
    /// The most rows, of so many bytes each, that fit beside `temporary(rows)` bytes.
    template <class Temporary>
    static std::int64_t max_rows_in(std::int64_t bytes, std::int64_t row_bytes, Temporary const& temporary) {
        std::int64_t rows = std::min(bytes / row_bytes, std::int64_t(1) << 30);
        while (rows > 0 && rows * row_bytes + temporary(std::int32_t(rows)) > bytes) {
            rows = rows * 7 / 8;
        }
        return rows;
    }
    /// The bytes of the block for a piece's columns, and those for one row's scratch.
    [[nodiscard]] std::int64_t piece_bytes() const;
    [[nodiscard]] std::int64_t max_scratch_bytes() const {
        return held_->work.capacity() / 2 - device_arena::alignment;
    }
    [[nodiscard]] notes& told() const { return *reinterpret_cast<notes*>(held_->pinned.get()); }
    /// Rows of a piece of a call: they take at most half of the block.
    [[nodiscard]] std::int64_t max_sorted_rows() const;
    [[nodiscard]] std::int64_t max_searched_rows(std::int64_t room, std::int64_t state_room) const;
    [[nodiscard]] std::int64_t max_advantages() const;
    /// Returns nullptr when there is no room. The caller has the turn.
    std::unique_ptr<region> take(std::int64_t bytes);
    /// Queues copies behind all calls so far, and returns when they have ended.
    template <class Copies>
    void copy(Copies const& copies);
    /// Rows from `first` on, `most` of them at most.
    static row_check piece_of(device_answers const& answers, std::int64_t first, std::int64_t most);
    /// Checks the rows of a piece and fills its columns, behind its part of the block.
    row_check look(cudaStream_t stream, resident_set const& instances, row_check piece);
    /// Sorts a piece's rows by task.
    row_sort sort_piece(cudaStream_t stream, row_check const& piece);
    /// Computes the advantages of some rows, at least one and at most max_grouped_.
    void group_rows(cudaStream_t stream, device_rewards const& in, group_rule const& rule, float* out);
    /// The rest of the block, for scratch.
    launch_site rest_of_work(cudaStream_t stream, std::int64_t rows);
    /// Lets the launches of a piece run side by side, where they are of several tasks. Returns the number of rows per
    /// task if all tasks have equally many.
    std::int64_t fork(cudaStream_t stream, std::vector<std::int64_t> const& scratch_words, std::int64_t rows);
    /// The tasks that have words, first those whose rows probably last longest, so that the others run beside them.
    /// `work_of(task)` is in words, since the host sees no times.
    template <class Work>
    static std::vector<std::size_t> longest_first(std::vector<std::int64_t> const& words, Work const& work_of) {
        std::vector<std::size_t> tasks;
        for (std::size_t t = 0; t < words.size(); ++t) {
            if (words[t] >= 0) {
                tasks.push_back(t);
            }
        }
        std::ranges::stable_sort(tasks, std::greater(), work_of);
        return tasks;
    }
    static answer_rows rows_of(resident_set const& instances, device_answers const& answers, row_check const& piece);
    void verify_piece(cudaStream_t stream, resident_set const& instances, device_answers const& answers,
                      row_check const& piece, verdict* out);
    void search_piece(cudaStream_t stream, resident_set const& instances, device_answers const& starts, row_check piece,
                      search_wish const& wish, device_searches const& out);
    /// Throws error{out_of_memory} that names the task whose searches the block cannot hold.
    void require_searches(resident_set const& instances) const;
    void start_over();
    void load_library_kernels();
    void try_found_answers();
    /// Makes the driver load the kernels of a set's tasks.
    void load(std::span<std::int32_t const> tasks);
    /// In a turn: waits until lent memory is no longer read.
    void behind_readers();
    /// Rows of a piece that is generated.
    [[nodiscard]] std::int64_t max_items() const;
    struct set_columns;
    struct set_needs;
    void add_needs(set_needs& needs, std::int64_t number, std::int32_t task, words_view instance) const;
    /// In a turn: writes the instances and brings them back.
    void generate(std::span<generation const> items, std::span<generated_size const> sizes, std::int32_t* words,
                  std::int64_t const* offsets, std::span<std::int32_t> back);
    /// Waits until all that reads or writes the two blocks has ended.
    void wait_for_all();

    int ordinal_;
    device_limits limits_;
    mutable std::mutex lock_;
    device_regions regions_;
    std::vector<bool> loaded_;  ///< per task
    std::uint64_t calls_ = 0;
    bool lent_ = false;       ///< of a region that was freed since the last copy
    bool abandoned_ = false;  ///< a call threw: work may be under way that no event stands for
    std::optional<held> held_;
    std::int64_t max_sorted_ = 0;
    std::int64_t max_grouped_ = 0;
};

}  // namespace optgap
