#include "host/programs/run_batch.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "host/programs/task_instances.hpp"
#include "optgap/programs/codes.hpp"
#include "optgap/status.hpp"

namespace optgap::programs {
namespace {

constexpr std::int64_t max_output_kb = std::int64_t(1) << 22;  ///< for all runs of one call together
constexpr std::int32_t first_tries = 3;                        ///< instances after which fail-fast decides

/// A program to run: the first row that has it, and the rows that only copy its cells.
struct running_program {
    std::int64_t row = 0;
    program_handle ready;
    std::vector<std::int64_t> copies;
};

class batch_run {
public:
    batch_run(sandbox& in, instance_set& instances, std::span<problem_rows const> problems,
              std::span<program_row const> rows, batch_options const& options)
        : in_(in), instances_(instances), problems_(problems), rows_(rows), options_(options) {
        require();
        for (program_row const& row : rows_) {
            made_.begin.push_back(made_.begin.back() + problem_of(row).count);
        }
        made_.rows.resize(rows_.size());
        made_.cells.resize(std::size_t(made_.begin.back()));
    }

    program_matrix made() {
        extract_all();
        compile_all();
        for (std::int32_t repeat = 0; repeat < options_.repeats; ++repeat) {
            run_repeat(repeat);
        }
        settle();
        return std::move(made_);
    }

private:
    [[nodiscard]] problem_rows const& problem_of(program_row const& row) const {
        return problems_[std::size_t(row.problem)];
    }
    [[nodiscard]] program_row const& row_at(std::int64_t r) const { return rows_[std::size_t(r)]; }
    [[nodiscard]] program_fate& fate(std::int64_t r) { return made_.rows[std::size_t(r)]; }

    void require() const {
        if (options_.repeats < 1) {
            misuse("repeats: " + std::to_string(options_.repeats) + ", expected 1 or more");
        }
        for (problem_rows const& own : problems_) {
            bool const inside = own.count >= 1 && own.first >= 0 && own.first + own.count <= instances_.size();
            if (!inside) {
                misuse("problems: instances " + std::to_string(own.first) + " to " +
                       std::to_string(own.first + own.count - 1) + " of " + std::to_string(instances_.size()));
            }
        }
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            bool const known = rows_[r].problem >= 0 && std::size_t(rows_[r].problem) < problems_.size();
            if (!known || rows_[r].format == nullptr || rows_[r].format->place != answer_place::fenced) {
                misuse("rows: row " + std::to_string(r) + " names no problem, or no format of programs");
            }
            require_interface(rows_[r].language, rows_[r].interface);
            check_limits(rows_[r].limits.run);
            check_limits(rows_[r].limits.compile);
        }
    }

    void extract_all() {
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            program_row const& row = rows_[r];
            found_program found =
                extract_program(row.completion, *row.format, row.language, row.finished, row.limits.source_kb * 1024);
            program_fate& mine = made_.rows[r];
            mine.code = found.code;
            mine.span = found.span;
            if (!found.source.empty()) {
                mine.hash = source_hash(found.source);
                mine.source = std::move(found.source);
            }
            made_.counts.programs += mine.code == code_ok ? 1 : 0;
        }
    }

    /// Programs with the same key may share their cells.
    [[nodiscard]] bool shares(program_language language) const {
        return options_.dedupe == dedupe_rule::always || in_.deterministic(language);
    }

    void compile_all() {
        using source_key = std::tuple<program_language, program_interface, std::int64_t, std::int64_t, std::string>;
        std::map<source_key, std::size_t> place_of;
        std::vector<compile_request> requests;
        std::vector<std::size_t> request_of(rows_.size(), 0);
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            program_fate const& mine = made_.rows[r];
            if (mine.code != code_ok) {
                continue;
            }
            compile_limits const& limits = rows_[r].limits.compile;
            auto const [place, is_new] = place_of.try_emplace(
                {rows_[r].language, rows_[r].interface, limits.cpu_ms, limits.memory_mb, mine.hash}, requests.size());
            if (is_new) {
                requests.push_back({rows_[r].language, mine.source, limits, options_.stop, rows_[r].interface});
            }
            request_of[r] = place->second;
        }
        std::vector<compile_result> const built = in_.compile_all(requests);
        for (compile_result const& one : built) {
            made_.counts.compiled += 1;
            made_.counts.compile_cached += one.cached ? 1 : 0;
        }
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            program_fate& mine = made_.rows[r];
            if (mine.code != code_ok) {
                continue;
            }
            compile_result const& one = built[request_of[r]];
            mine.code = code_of(one.code);
            mine.compile_line = one.first_line;
            if (one.code == run_code::infrastructure) {
                mine.trouble = one.log.empty() ? "the compiler could not be run" : one.log;
            } else if (one.code == run_code::ok) {
                add_running(std::int64_t(r), one.program);
            }
        }
    }

    void add_running(std::int64_t r, program_handle const& ready) {
        program_row const& row = row_at(r);
        if (shares(row.language)) {
            // Equal limits and input are part of the key, since they change what a program does.
            std::string const key = fate(r).hash + " " + std::to_string(row.problem) + " " +
                                    std::string(name_of(row.language)) + " " + std::string(name_of(row.input)) + " " +
                                    std::string(name_of(row.interface)) + " " + limits_json(row.limits);
            auto const [place, is_new] = running_of_.try_emplace(key, running_.size());
            if (!is_new) {
                running_[place->second].copies.push_back(r);
                return;
            }
        }
        running_.push_back({r, ready, {}});
    }

    /// Runs instances [from, to) of the programs that `wanted` selects; verdicts go to `cells`.
    template <class Wanted>
    void run_part(std::int32_t repeat, std::int32_t from, std::int32_t to, std::vector<run_cell>& cells,
                  Wanted const& wanted) {
        std::int32_t longest = 0;
        for (running_program const& one : running_) {
            longest = std::max(longest, std::min(to, problem_of(row_at(one.row)).count));
        }
        std::vector<run_request> requests;
        std::vector<std::pair<std::int64_t, std::int32_t>> place;  // row, instance
        std::int64_t room = max_output_kb;
        for (std::int32_t k = from; k < longest; ++k) {
            for (running_program const& one : running_) {
                program_row const& row = row_at(one.row);
                problem_rows const& problem = problem_of(row);
                if (k >= problem.count || !wanted(one)) {
                    continue;
                }
                if (room < row.limits.run.output_kb) {
                    run_requests(repeat, requests, place, cells);
                    room = max_output_kb;
                }
                room -= row.limits.run.output_kb;
                requests.push_back(
                    {one.ready, instances_.input(problem.first + k, row.input), row.limits.run, options_.stop});
                place.emplace_back(one.row, k);
            }
        }
        run_requests(repeat, requests, place, cells);
    }

    void run_requests(std::int32_t repeat, std::vector<run_request>& requests,
                      std::vector<std::pair<std::int64_t, std::int32_t>>& place, std::vector<run_cell>& cells) {
        std::vector<run_result> const ended = in_.run_all(requests);
        judge(ended, place, cells);
        for (std::size_t i = 0; i < ended.size(); ++i) {
            run_result const& one = ended[i];
            if (one.tries == 0) {  // another call ran it
                ++made_.counts.copied;
                continue;
            }
            ++made_.counts.runs;
            made_.timings.push_back({place[i].first, place[i].second, repeat, one.slot, one.tries, one.cpu_ms,
                                     one.wall_ms, one.wait_ms, one.peak_kb});
            made_.counts.suspected += one.suspected ? 1 : 0;
            made_.counts.retried += one.tries > 1 ? 1 : 0;
            if (one.code == run_code::infrastructure && repeat == 0) {
                fate(place[i].first).trouble = one.trouble;
            }
        }
        requests.clear();
        place.clear();
    }

    void judge(std::span<run_result const> ended, std::span<std::pair<std::int64_t, std::int32_t> const> place,
               std::vector<run_cell>& cells) {
        std::vector<std::int64_t> instance_of;
        for (auto const& [row, k] : place) {
            instance_of.push_back(problem_of(row_at(row)).first + k);
        }
        std::vector<verdict> const found = instances_.verify(ended, instance_of);
        for (std::size_t i = 0; i < ended.size(); ++i) {
            cells[std::size_t(made_.begin[std::size_t(place[i].first)] + place[i].second)] = {found[i], ended[i].steps};
        }
    }

    void run_repeat(std::int32_t repeat) {
        std::vector<run_cell> others(repeat == 0 ? 0 : made_.cells.size());
        std::vector<run_cell>& cells = repeat == 0 ? made_.cells : others;
        if (!options_.fail_fast) {
            run_part(repeat, 0, max_cells, cells, [](running_program const&) { return true; });
        } else {
            run_part(repeat, 0, first_tries, cells, [](running_program const&) { return true; });
            run_part(repeat, first_tries, max_cells, cells,
                     [&](running_program const& one) { return !gave_up(one, cells); });
            for (running_program const& one : running_) {
                leave_out(one, cells);
            }
        }
        if (repeat > 0) {
            made_.repeated.push_back(std::move(others));
        }
    }

    /// Whether the program has no valid answer on the first instances. A cell that the machine lost does not count
    /// against it.
    [[nodiscard]] bool gave_up(running_program const& one, std::vector<run_cell> const& cells) const {
        std::int64_t const count = made_.begin[std::size_t(one.row) + 1] - made_.begin[std::size_t(one.row)];
        bool invalid = count > first_tries;
        for (std::int64_t k = 0; k < std::min<std::int64_t>(first_tries, count); ++k) {
            std::int32_t const code = cells[std::size_t(made_.begin[std::size_t(one.row)] + k)].found.code;
            invalid = invalid && code != code_ok && !is_masking_code(code);
        }
        return invalid;
    }
    void leave_out(running_program const& one, std::vector<run_cell>& cells) {
        if (!gave_up(one, cells)) {
            return;
        }
        for (std::int64_t c = made_.begin[std::size_t(one.row)] + first_tries;
             c < made_.begin[std::size_t(one.row) + 1]; ++c) {
            cells[std::size_t(c)] = {{code_not_run, -1, 0, 1, 1}, 0};
            ++made_.counts.left_out;
        }
    }

    void copy_cells(std::int64_t from, std::int64_t to, std::vector<run_cell>& cells) {
        std::copy_n(cells.begin() + made_.begin[std::size_t(from)],
                    made_.begin[std::size_t(from) + 1] - made_.begin[std::size_t(from)],
                    cells.begin() + made_.begin[std::size_t(to)]);
    }

    void settle() {
        for (running_program const& one : running_) {
            for (std::int64_t const copy : one.copies) {
                copy_cells(one.row, copy, made_.cells);
                for (std::vector<run_cell>& others : made_.repeated) {
                    copy_cells(one.row, copy, others);
                }
                fate(copy).trouble = fate(one.row).trouble;
                made_.counts.copied += made_.begin[std::size_t(copy) + 1] - made_.begin[std::size_t(copy)];
            }
        }
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            program_fate& mine = made_.rows[r];
            for (std::int64_t c = made_.begin[r]; c < made_.begin[r + 1]; ++c) {
                run_cell& cell = made_.cells[std::size_t(c)];
                if (mine.code != code_ok) {
                    cell = {{mine.code, -1, 0, 1, 1}, 0};
                }
                mine.masked = mine.masked || is_masking_code(cell.found.code);
                bool changed = false;
                for (std::vector<run_cell>& others : made_.repeated) {
                    run_cell& other = others[std::size_t(c)];
                    other = mine.code != code_ok ? cell : other;
                    changed = changed || other.found != cell.found;
                }
                made_.counts.changed += changed ? 1 : 0;
            }
            made_.counts.masked += mine.masked ? 1 : 0;
        }
    }

    static constexpr std::int32_t max_cells = INT32_MAX;

    sandbox& in_;
    instance_set& instances_;
    std::span<problem_rows const> problems_;
    std::span<program_row const> rows_;
    batch_options options_;
    program_matrix made_;
    std::vector<running_program> running_;
    std::map<std::string, std::size_t> running_of_;
};

}  // namespace

std::int32_t code_of(run_code ended) {
    switch (ended) {
        case run_code::ok: return code_ok;
        case run_code::compile_error: return code_compile_error;
        case run_code::compile_limit: return code_compile_limit;
        case run_code::run_steps: return code_run_steps;
        case run_code::run_time: return code_run_time;
        case run_code::run_memory: return code_run_memory;
        case run_code::run_output: return code_run_output;
        case run_code::run_crash: return code_run_crash;
        case run_code::run_exit: return code_run_exit;
        case run_code::run_forbidden: return code_run_forbidden;
        case run_code::run_no_output: return code_run_no_output;
        case run_code::infrastructure: return code_infrastructure;
    }
    return code_infrastructure;
}

batch_counts& batch_counts::operator+=(batch_counts const& more) {
    for (std::int64_t batch_counts::*const field :
         {&batch_counts::programs, &batch_counts::compiled, &batch_counts::compile_cached, &batch_counts::runs,
          &batch_counts::copied, &batch_counts::left_out, &batch_counts::masked, &batch_counts::suspected,
          &batch_counts::retried, &batch_counts::changed}) {
        this->*field += more.*field;
    }
    return *this;
}

program_matrix run_programs(sandbox& in, instance_set& instances, std::span<problem_rows const> problems,
                            std::span<program_row const> rows, batch_options const& options) {
    return batch_run(in, instances, problems, rows, options).made();
}

program_matrix run_programs(engine const& by, sandbox& in, instance_view instances,
                            std::span<problem_rows const> problems, std::span<program_row const> rows,
                            batch_options const& options) {
    task_instances of_tasks(by, instances);
    return run_programs(in, of_tasks, problems, rows, options);
}

}  // namespace optgap::programs
