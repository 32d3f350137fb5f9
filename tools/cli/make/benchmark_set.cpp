#include "tools/cli/make/benchmark_set.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "host/rows/json/json_text.hpp"
#include "kernels/text/task_text.hpp"
#include "optgap/proposals/canonical.hpp"

namespace optgap::cli {
namespace {

/// Which instances and which problems a set has.
struct seen_problems {
    seen_instances words, forms;

    /// Whether it is new; counts what is not. A coarse form may be another problem's, too: nothing is left out by it.
    bool add(engine const& by, std::int32_t task, std::span<std::int32_t const> instance, bool keep_relabelled,
             benchmark_set& set) {
        if (!words.add(hash_words(instance))) {
            ++set.repeated;
            return false;
        }
        canonical_hash const form = keep_relabelled ? canonical_hash{} : canonical_of(by, task, instance);
        bool const is_new = keep_relabelled || form.coarse || forms.add(form.hash);
        set.relabelled += is_new ? 0 : 1;
        return is_new;
    }
};

/// Draws until `share.count` instances that are not `seen` yet are there.
void draw_level(engine const& by, benchmark_request const& wanted, level_share share, seen_problems& seen,
                benchmark_set& set) {
    constexpr std::int64_t piece = 1024;
    task_info const& info = by.tasks()[std::size_t(set.task)];
    std::int64_t drawn = 0;
    std::int64_t found = 0;
    while (found < share.count) {
        std::vector<instance_spec> specs;
        for (std::int64_t i = 0; i < std::min(piece, share.count - found); ++i, ++drawn) {
            specs.push_back({set.task, share.level, wanted.part, wanted.seed + std::uint64_t(drawn)});
        }
        instance_batch const made = by.generate(specs);
        for (std::size_t i = 0; i < specs.size(); ++i) {
            auto const words = made.blocks.row(std::int64_t(i));
            if (seen.add(by, set.task, words, wanted.keep_relabelled, set)) {
                set.rows.push_back({specs[i], std::int32_t(set.rows.size()) % info.styles, hash_words(words), 0});
                set.instances.append(set.task, words);
                ++found;
            }
        }
        if (found < share.count && drawn > 1000 + 64 * found) {
            throw usage_error(
                fmt::format("{} at {} has only {} different instances in {} seeds: ask for fewer than "
                            "{} of this level, or for a harder one{}",
                            info.name, level_name(share.level), found, drawn, share.count,
                            set.relabelled > 0 ? ", or say --keep-relabelled" : ""));
        }
    }
}

void draw_instances(engine const& by, std::span<benchmark_request const> wanted, benchmark_set& set) {
    seen_problems seen;
    for (benchmark_request const& one : wanted) {
        for (level_share const share : spread_evenly(one.levels, one.count)) {
            draw_level(by, one, share, seen, set);
        }
    }
}

/// Of a task that is asked of programs alone: what their statements are made of, so that `demo --hash` freezes it, too.
std::string statement_words(task_text const& text, std::span<std::int32_t const> words, std::int32_t style,
                            format_spec const& format) {
    return text.prompt({words.data(), std::int64_t(words.size())}, style, {}) + "\n\n" +
           format_instructions(format, text.answer_form);
}

void write_rows(context& ctx, format_spec const& format, benchmark_set& set) {
    engine const& by = ctx.get_engine();
    task_info const& info = by.tasks()[std::size_t(set.task)];
    for (std::size_t r = 0; r < set.rows.size(); ++r) {
        benchmark_row& it = set.rows[r];
        auto const words = set.instances.blocks.row(std::int64_t(r));
        std::string const prompt = info.direct ? by.prompt(set.task, words, it.style, format)
                                               : statement_words(ctx.text(set.task), words, it.style, format);
        it.prompt_chars = characters(prompt);
        row_writer row(set.jsonl, nullptr);
        row.text("key", to_string(key_of(info, it.spec, it.hash, it.style)));
        row.text("task", info.name);
        row.text("level", level_name(it.spec.level));
        row.raw("instance", instance_json(ctx.text(set.task), words));
        row.text("hash", hex32(it.hash));
        row.text("prompt", prompt);
        row.integer("style", it.style);
        row.text("format", to_text(format));
        row.integer("prompt_chars", it.prompt_chars);
        write_baseline(row, set.solved.rows[r], set.solved.answers.row(std::int64_t(r)), info);
        row.finish();
    }
}

}  // namespace

benchmark_set make_benchmark_set(context& ctx, std::int32_t task, std::span<benchmark_request const> wanted,
                                 std::function<void(std::int64_t)> const& step) {
    engine const& by = ctx.get_engine();
    benchmark_set set;
    set.task = task;
    draw_instances(by, wanted, set);
    std::vector<instance_spec> specs;
    for (benchmark_row const& row : set.rows) {
        specs.push_back(row.spec);
    }
    set.solved = solve_in_pieces(by, specs, set.instances, step);
    write_rows(ctx, *wanted[0].format, set);
    return set;
}

solved_batch solve_in_pieces(engine const& by, std::span<instance_spec const> specs, instance_batch const& instances,
                             std::function<void(std::int64_t)> const& step) {
    std::int64_t const piece = std::max(16, 4 * by.threads());
    solved_batch all;
    for (std::int64_t first = 0; first < instances.size(); first += piece) {
        std::int64_t const rows = std::min(piece, instances.size() - first);
        csr_view part = instances.blocks.view();
        part.offsets += first;
        part.rows = rows;
        csr_words const plants = by.planted(specs.subspan(std::size_t(first), std::size_t(rows)));
        solved_batch const solved = by.solve({instances.task.data() + first, part}, -1, plants.view());
        all.rows.insert(all.rows.end(), solved.rows.begin(), solved.rows.end());
        for (std::int64_t r = 0; r < rows; ++r) {
            all.answers.append(solved.answers.row(r));
        }
        step(rows);
    }
    return all;
}

}  // namespace optgap::cli
