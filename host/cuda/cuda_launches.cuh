#pragma once
// The launches of a slice of a batch: their streams, their sizes, and their times.

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "host/cuda/cuda_memory.hpp"
#include "host/cuda/cuda_sides.hpp"
#include "host/cuda/cuda_try.hpp"
#include "host/cuda/device_slices.hpp"
#include "host/cuda/launch_pace.hpp"
#include "host/executor/executor.hpp"
#include "kernels/launch/device_table.cuh"
#include "kernels/registry/registry.hpp"

namespace optgap {

/// The rows of all tasks of a slice in device memory, and the memory that their launches share.
struct placed_lists {
    rows_by_task const& lists;
    std::vector<std::int64_t> const& scratch_words;  ///< per task
    std::int32_t const* rows;                        ///< those of `lists`
    std::int32_t* scratch;
    std::int64_t scratch_bytes;
};

/// One task after the other goes onto the side streams, so that small launches overlap; on a caller's stream all run
/// one after the other. Not thread-safe.
class launch_queue {
public:
    /// `times`: pinned_bytes() of memory that the card writes. `share`: of the streams; nullptr: the whole card.
    launch_queue(cuda_options const& options, cudaStream_t main, device_limits const& limits, unsigned char* times,
                 multiprocessor_share const* share)
        : main_(main),
          limits_(limits),
          times_(reinterpret_cast<launch_clock*>(times)),
          loaded_(registry().size(), false),
          sides_(options.stream == nullptr ? side_count : 0, share),
          clocks_(registry().size()),
          pace_(options.launch_seconds) {}

    using planner = launch_plan(device_limits const&, std::int64_t);

    /// The pinned memory that it needs for itself.
    static std::int64_t pinned_bytes() { return std::int64_t(2 * registry().size() * sizeof(launch_clock)); }

    [[nodiscard]] static device_table const& table(std::size_t task) { return *registry()[task].cuda; }

    /// `load` says what a row costs: the verb, and the words of the largest row of each task.
    template <class Batch>
    void run(placed_lists const& in, cudaError_t (*device_table::*verb)(launch_site const&, row_list, Batch),
             Batch const& batch, row_load const& load) {
        spread(in, &plan_launch, [&](std::size_t task, row_list const& list, launch_site site) {
            launch_work const work{load.which, task, load.words[task]};
            site.rows_per_launch = pace_.rows(work);
            site.row_seconds = pace_.seconds(work);
            // Fewer rows than the card has room for show little of its rate.
            bool const telling = list.count >= std::int64_t(limits_.multiprocessors) * launch_policy::warps_wanted;
            site.clock = telling ? times_of(task, 0) : nullptr;
            OPTGAP_CUDA_TRY((table(task).*verb)(site, list, batch));
            if (telling) {
                clocks_[task][0].begin(work, list.count, 1);
            }
        });
        sides_.join();
    }

    /// Searches of `steps` steps, cut into launches that the pace allows. Two launches of a list are under way at a
    /// time: while the host waits for the older one, whose time sets the pace, the younger one keeps the card busy.
    void search(placed_lists const& in, improve_batch const& batch, row_load const& load, std::int64_t steps) {
        spread(in, &plan_search, [&](std::size_t task, row_list const& list, launch_site const& site) {
            launch_shape shape;
            OPTGAP_CUDA_TRY(table(task).improve_shape(site, list, shape));
            launch_work const work{load.which, task, load.words[task], std::min(list.count, shape.rows_at_once())};
            searches_.push_back({list, site, shape, search_pace(pace_, work)});
        });
        for (bool more = true; more;) {
            more = false;
            for (search_list& own : searches_) {
                if (own.turn == 0 || own.done < steps) {
                    queue_next(own, batch, steps);
                    more = more || own.done < steps;
                }
            }
        }
        sides_.join();
    }

    /// Learns from all launches of the slice, which must have ended. `moves`, per task, is how many steps all searches
    /// really made; empty when there were none.
    void learn(std::span<std::int64_t const> moves) {
        for (std::size_t task = 0; task < clocks_.size(); ++task) {
            settle(task, 0);
            settle(task, 1);
        }
        for (search_list const& own : searches_) {
            own.pace.tell(pace_, moves[own.pace.work().task]);
        }
        searches_.clear();
    }

    /// Waits for the side streams and forgets what an abandoned call left under way.
    void drain() {
        sides_.wait();
        for (std::array<stretch, 2>& pair : clocks_) {
            pair[0].running = pair[1].running = false;
        }
        searches_.clear();
    }

private:
    static constexpr std::size_t side_count = 4;

    /// The launches of a list of rows, or of a slice of their searches.
    struct stretch {
        device_event end;  ///< of searches, which the host waits for before it queues more of them
        bool running = false;
        launch_work work{};
        std::int64_t rows = 0;
        std::int64_t steps = 0;

        void begin(launch_work const& work_, std::int64_t rows_, std::int64_t steps_) {
            running = true;
            work = work_;
            rows = rows_;
            steps = steps_;
        }
    };
    struct search_list {
        row_list list;
        launch_site site;
        launch_shape shape;
        search_pace pace;
        std::int64_t done = 0;
        std::size_t turn = 0;
    };

    /// Calls place(task, list, site) for every task that has rows, whose kernels are loaded by then. Their streams wait
    /// for the main one.
    template <class Place>
    void spread(placed_lists const& in, planner* plan, Place const& place) {
        std::size_t tasks = 0;
        for (std::size_t t = 0; t < in.scratch_words.size(); ++t) {
            if (in.lists.begin[t] < in.lists.begin[t + 1]) {
                ++tasks;
                load(t);
            }
        }
        sides_.fork(main_, tasks > 1);  // a single task has nothing to run beside
        for (std::size_t t = 0; t < in.scratch_words.size(); ++t) {
            row_list const list{in.rows + in.lists.begin[t], in.lists.begin[t + 1] - in.lists.begin[t],
                                in.scratch_words[t]};
            if (list.count > 0) {
                cudaStream_t const stream = sides_.stream_for(plan(limits_, list.scratch_words));
                place(t, list, launch_site{stream, limits_, in.scratch, in.scratch_bytes});
            }
        }
    }
    /// Loads a task's kernels on first use, so that a process holds the code of the tasks it uses alone.
    void load(std::size_t task) {
        if (!loaded_[task]) {
            OPTGAP_CUDA_TRY(table(task).load());
            loaded_[task] = true;
        }
    }

    void queue_next(search_list& own, improve_batch batch, std::int64_t steps) {
        std::size_t const task = own.pace.work().task;
        std::size_t const half = own.turn++ % 2;
        stretch& clock = clocks_[task][half];
        if (clock.running) {
            OPTGAP_CUDA_TRY(cudaEventSynchronize(clock.end.get()));
            settle(task, half);
        }
        launch_cut const cut = own.pace.cut(steps - own.done);
        own.site.rows_per_launch = cut.rows;
        own.site.row_seconds = cut.row_seconds;
        batch.begin = own.done;
        batch.end = own.done + cut.steps;
        batch.state = cut.steps == steps ? nullptr : batch.state;
        own.site.clock = times_of(task, half);
        OPTGAP_CUDA_TRY(table(task).improve(own.site, own.shape, own.list, batch));
        OPTGAP_CUDA_TRY(cudaEventRecord(clock.end.get(), own.site.stream));
        clock.begin(own.pace.work(), own.list.count, cut.steps);
        own.done = batch.end;
    }

    [[nodiscard]] launch_clock* times_of(std::size_t task, std::size_t half) const { return times_ + 2 * task + half; }
    /// Learns from a stretch that has ended, by its first launch, which is as full as any.
    void settle(std::size_t task, std::size_t half) {
        stretch& clock = clocks_[task][half];
        if (!clock.running) {
            return;
        }
        clock.running = false;
        launch_clock const first = *times_of(task, half);
        double const nanoseconds = double(std::max<std::int64_t>(first.end - first.begin, 0));
        double const seconds = nanoseconds * 1e-9 * double(clock.rows) / double(std::max<std::int64_t>(first.rows, 1));
        if (clock.work.which != verb::improve) {
            pace_.learn(clock.work, clock.rows, seconds);
            return;
        }
        for (search_list& own : searches_) {
            if (own.pace.work().task == clock.work.task) {
                own.pace.learn(clock.rows, clock.steps, seconds);
            }
        }
    }

    cudaStream_t main_;
    device_limits limits_;
    launch_clock* times_;                        ///< two a task
    std::vector<bool> loaded_;                   ///< per task
    side_streams sides_;                         ///< none beside a caller's stream
    std::deque<std::array<stretch, 2>> clocks_;  ///< per task
    std::vector<search_list> searches_;          ///< of this slice
    launch_pace pace_;
};

}  // namespace optgap
