#pragma once
// Instances of parts_task with a best answer known to the generator: parts are cut into items at random places, and the
// items are shuffled. A task defines
//
//   number(level)                 the instance's first word
//   plant_parts(level)            number of parts
//   part_cut_of(source, level, p)  how part p is cut: number of items, their total size, and the least size of each

#include "kernels/families/labels/parts.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

struct part_cut {
    std::int32_t count;
    std::int32_t whole;
    std::int32_t least;
};

template <class Task>
struct planted_parts : parts_task<Task> {
    OPTGAP_HD static std::int64_t instance_words(draw source, difficulty level) {
        return 2 + item_count(source, level);
    }
    OPTGAP_HD static std::int64_t generate_scratch_words(draw source, difficulty level) {
        return item_count(source, level);
    }

    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words,
                                   std::int32_t* scratch) {
        if (team.rank() == 0) {
            words[0] = Task::number(level);
            words[1] = deal(source, level, words + 2, scratch);
        }
        team.sync();
    }

    static std::int64_t planted_words(draw source, difficulty level) {
        return 1 + std::int64_t(Task::plant_parts(level)) + item_count(source, level);
    }
    static std::int64_t planted_scratch_words(draw source, difficulty level) { return 2 * item_count(source, level); }
    static std::int64_t planted(draw source, difficulty level, std::int32_t* answer, std::int32_t* scratch) {
        auto const most = std::int32_t(item_count(source, level));
        std::int32_t const n = deal(source, level, scratch, scratch + most);
        planted_parts::write_rows(scratch + most, n, Task::plant_parts(level), answer);
        return planted_words(source, level);
    }

private:
    // Random words by purpose; a task's own begin with draw_more.
    enum : std::uint32_t { draw_cuts, draw_order };

protected:
    static constexpr std::uint32_t draw_more = 2;

private:
    OPTGAP_HD static std::int64_t item_count(draw source, difficulty level) {
        std::int64_t n = 0;
        for (std::int32_t p = 0; p < Task::plant_parts(level); ++p) {
            n += Task::part_cut_of(source, level, p).count;
        }
        return n;
    }

    /// Writes the sizes and parts of the items; returns their number.
    OPTGAP_HD static std::int32_t deal(draw source, difficulty level, std::int32_t* sizes, std::int32_t* part) {
        draw_stream cuts(source, draw_cuts);
        std::int32_t n = 0;
        for (std::int32_t p = 0; p < Task::plant_parts(level); ++p) {
            part_cut const cut = Task::part_cut_of(source, level, p);
            cut_up(cuts, cut, sizes + n);
            for (std::int32_t i = 0; i < cut.count; ++i) {
                part[n++] = p;
            }
        }
        draw_stream order(source, draw_order);
        for (std::int32_t i = n - 1; i > 0; --i) {
            std::int32_t const j = order.uniform(0, i);
            swap(sizes[i], sizes[j]);
            swap(part[i], part[j]);
        }
        return n;
    }

    /// Gives each item the least size and cuts the rest at random places, which `out` holds in order before.
    OPTGAP_HD static void cut_up(draw_stream& stream, part_cut const& cut, std::int32_t* out) {
        std::int32_t const loose = cut.whole - cut.count * cut.least;
        for (std::int32_t i = 0; i + 1 < cut.count; ++i) {
            std::int32_t const place = stream.uniform(0, loose);
            std::int32_t to = i;
            for (; to > 0 && out[to - 1] > place; --to) {
                out[to] = out[to - 1];
            }
            out[to] = place;
        }
        out[cut.count - 1] = loose;
        for (std::int32_t i = cut.count - 1; i > 0; --i) {
            out[i] += cut.least - out[i - 1];
        }
        out[0] += cut.least;
    }
    OPTGAP_HD static void swap(std::int32_t& a, std::int32_t& b) {
        std::int32_t const kept = a;
        a = b;
        b = kept;
    }
};

}  // namespace families
OPTGAP_KERNELS_END
