#include "optgap/engine.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "host/engine/engine_state.hpp"
#include "host/files/instance_format.hpp"
#include "host/process/trace.hpp"
#include "host/specs/nearest.hpp"
#include "kernels/text/relabel.hpp"
#include "optgap/status.hpp"
#include "optgap/task_choice.hpp"

namespace optgap {

namespace {

constexpr std::array<std::string_view, shared_code_count> shared_codes{"ok",
                                                                       "format_missing_reasoning",
                                                                       "format_missing_answer",
                                                                       "format_repeated",
                                                                       "format_trailing",
                                                                       "truncated",
                                                                       "unparsable",
                                                                       "bad_depth",
                                                                       "not_integer",
                                                                       "overflow",
                                                                       "out_of_range",
                                                                       "repeated",
                                                                       "wrong_length",
                                                                       "empty"};

std::vector<std::string_view> names_until_null(char const* const* names) {
    std::vector<std::string_view> list;
    for (; *names != nullptr; ++names) {
        list.emplace_back(*names);
    }
    return list;
}

task_info describe(task_entry const& entry) {
    task_kernels const& task = *entry.builds[0];
    task_text const& text = *entry.text;
    task_info info{.name = entry.name,
                   .version = task.version,
                   .objective_sense = task.objective_sense,
                   .title = text.title,
                   .summary = text.summary,
                   .category = text.category,
                   .objective = text.objective,
                   .answer_form = text.answer_form,
                   .styles = text.styles,
                   .improves = text.can.improves,
                   .default_budget = task.default_budget,
                   .codes = names_until_null(task.codes),
                   .bound_kinds = names_until_null(task.bound_kinds),
                   .words = names_until_null(text.words),
                   .file_extensions = {},
                   .axes = {},
                   .reward = text.reward,
                   .kind = class_of(text.can),
                   .family = text.family,
                   .tags = names_until_null(text.tags),
                   .rlve = names_until_null(text.rlve),
                   .syntax = syntax_of(text),
                   .direct = text.direct};
    for (file_format const* file = text.files; file->extension != nullptr; ++file) {
        info.file_extensions.emplace_back(file->extension);
    }
    for (files::instance_format const& format : files::instance_formats()) {
        if (format.task == info.name && format.read != nullptr) {
            info.file_extensions.insert(info.file_extensions.end(), format.extensions.begin(), format.extensions.end());
        }
    }
    if (text.twins != nullptr) {
        info.axes = axis_names(*text.twins);
    }
    return info;
}

engine_options const& checked(engine_options const& options) {
    if (options.threads < 0) {
        misuse("threads: expected 0 (all this process may use) or a positive number, got " +
               std::to_string(options.threads));
    }
    if (options.where != device::cpu && options.device_memory < smallest_memory_limit) {
        misuse("device_memory: expected at least " + std::to_string(smallest_memory_limit) +
               " bytes for the GPU's arena and pinned ring, got " + std::to_string(options.device_memory) +
               "; use device cpu to do without");
    }
    if (options.launch_microseconds < 1) {
        misuse("launch_microseconds: expected a positive number, got " + std::to_string(options.launch_microseconds));
    }
    if (options.multiprocessors < 0) {
        misuse("multiprocessors: expected 0 (all) or a positive number, got " +
               std::to_string(options.multiprocessors));
    }
    return options;
}

/// The options of an engine whose daemon has the GPU.
engine_options without_own_gpu(engine_options options) {
    options.where = options.where == device::automatic ? device::cpu : options.where;
    return options;
}

}  // namespace

void require_host_memory(csr_view const& rows, char const* name) {
    if (rows.space != memory::host) {
        misuse(std::string(name) + ": expected host memory, got device memory");
    }
}

engine::state::state(engine_options const& options, std::string const& path)
    : pool(checked(options).threads > 0 ? options.threads : default_threads()),
      cpu(make_cpu_executor(pool)),
      guard(*cpu, path.empty() ? options : without_own_gpu(options), [this](cuda_options& wanted, std::string& why) {
          wanted.cores = [this](std::int64_t count, std::int64_t grain, row_work const& work) {
              pool.run_without_waiting(count, grain,
                                       [&](worker_memory&, std::int64_t begin, std::int64_t end) { work(begin, end); });
          };
          return make_cuda_executor(wanted, why);
      }) {
    for (task_entry const& entry : registry()) {
        tasks.push_back(describe(entry));
    }
    if (!path.empty()) {
        daemon = std::make_unique<serve::remote>(options, path, tasks);
    }
}

std::string_view engine::state::code_name(std::int32_t task, std::int32_t code) const {
    if (code >= 0 && code < shared_code_count) {
        return shared_codes[std::size_t(code)];
    }
    return tasks.at(std::size_t(task)).codes.at(std::size_t(code - first_task_code));
}

void engine::state::require_readable(instance_view instances) const {
    require_host_memory(instances.blocks, "instances");
    for (std::int64_t r = 0; r < instances.blocks.rows; ++r) {
        if (instances.task[r] < 0 || std::size_t(instances.task[r]) >= tasks.size()) {
            misuse("instances: row " + std::to_string(r) + " names task index " + std::to_string(instances.task[r]) +
                   ", but there are " + std::to_string(tasks.size()) + " tasks");
        }
    }
}

void require_specs(std::span<instance_spec const> specs) {
    for (std::size_t r = 0; r < specs.size(); ++r) {
        if (specs[r].task < 0 || std::size_t(specs[r].task) >= registry().size()) {
            misuse("specs: row " + std::to_string(r) + " names task index " + std::to_string(specs[r].task));
        }
        if (specs[r].level.code < -4 || specs[r].level.code > max_scale_step) {
            misuse("specs: row " + std::to_string(r) + " has level code " + std::to_string(specs[r].level.code));
        }
    }
}

void engine::state::require_steps(std::int64_t steps) {
    if (steps < 0) {
        misuse("steps: expected 0 or more, got " + std::to_string(steps));
    }
}

void require_answers(instance_view instances, csr_view answers, std::span<std::int32_t const> instance_of) {
    require_host_memory(answers, "answers");
    if (!instance_of.empty() && std::int64_t(instance_of.size()) != answers.rows) {
        misuse("instance_of: expected one entry per answer, got " + std::to_string(instance_of.size()) + " for " +
               std::to_string(answers.rows));
    }
    for (std::int64_t r = 0; r < answers.rows; ++r) {
        std::int64_t const i = instance_of.empty() ? r : instance_of[std::size_t(r)];
        if (i < 0 || i >= instances.blocks.rows) {
            misuse("instance_of: " + std::to_string(i) + " is no instance, there are " +
                   std::to_string(instances.blocks.rows));
        }
    }
}

std::vector<std::int64_t> engine::state::objectives(instance_view instances, csr_words const& answers) {
    std::vector<verdict> const found = guard.run(verify_call{instances, answers.view(), {}});
    std::vector<std::int64_t> values(found.size(), no_objective);
    for (std::size_t r = 0; r < found.size(); ++r) {
        if (!answers.row(std::int64_t(r)).empty() && found[r].feasible()) {
            values[r] = found[r].objective;
        }
    }
    return values;
}

engine::engine(engine_options const& options) : state_(std::make_unique<state>(options)) {}
engine::~engine() = default;
engine::engine(engine&&) noexcept = default;
engine& engine::operator=(engine&&) noexcept = default;

std::span<task_info const> engine::tasks() const { return state_->tasks; }
std::string engine::device_name() const { return state_->guard.describe(); }
device engine::where() const { return state_->guard.ready() ? device::cuda : device::cpu; }
device_statistics engine::device_status() const { return state_->guard.statistics(); }
server_statistics engine::server_status() const {
    return state_->daemon ? state_->daemon->statistics() : server_statistics();
}
bool engine::score_rows_at_server(std::string_view options, std::span<std::string const> rows,
                                  std::vector<std::string>& scored, std::vector<std::string>& remarks) const {
    return state_->daemon && state_->daemon->run_rows(options, rows, scored, remarks);
}
void engine::release() { state_->guard.release(); }
void engine::resume() { state_->guard.resume(); }
std::int32_t engine::threads() const { return state_->pool.threads(); }

std::int32_t engine::task_index(std::string_view name, std::int32_t version) const {
    for (std::size_t t = 0; t < state_->tasks.size(); ++t) {
        task_info const& info = state_->tasks[t];
        if (info.name == name) {
            if (version != 0 && version != info.version) {
                throw error(status::unknown_task, "task '" + std::string(name) + "' is version " +
                                                      std::to_string(info.version) + " in this build, version " +
                                                      std::to_string(version) + " was asked for");
            }
            return std::int32_t(t);
        }
    }
    std::vector<std::string> known;
    for (task_info const& info : state_->tasks) {
        known.emplace_back(info.name);
    }
    std::string const asked(name.substr(0, 60));
    throw error(status::unknown_task, "no task '" + asked + "'; this build knows " + closest_first(asked, known) +
                                          did_you_mean(asked, known));
}

std::string_view engine::code_name(std::int32_t task, std::int32_t code) const { return state_->code_name(task, code); }

instance_spec engine::spec_of(instance_key const& key) const {
    if (key.is_explicit) {
        throw field_error("key", "an explicit key holds only a hash: the row must carry its instance");
    }
    instance_spec const spec{task_index(key.task, key.version), key.level, key.part, key.seed};
    if (key.style >= state_->tasks[std::size_t(spec.task)].styles) {
        throw field_error("key", "style s" + std::to_string(key.style) + " does not exist: " + key.task +
                                     " has s0 to s" + std::to_string(state_->tasks[std::size_t(spec.task)].styles - 1));
    }
    return spec;
}

std::string engine::prompt(std::int32_t task, std::span<std::int32_t const> instance, std::int32_t style,
                           format_spec const& format) const {
    trace::range const here(trace::name::prompt);
    task_text const& text = *state_->entry(task).text;
    if (!text.direct) {
        misuse(not_direct(state_->entry(task).name));
    }
    if (style < 0 || style >= text.styles) {
        misuse("style: " + std::to_string(style) + " does not exist, expected 0 to " + std::to_string(text.styles - 1));
    }
    draw const example{hash_words(instance).low, 0x70726f6d};
    std::string prompt = text.prompt({instance.data(), std::int64_t(instance.size())}, style, example);
    if (state_->tasks[std::size_t(task)].objective_sense == sense::maximise && shows_worthless_answer(text)) {
        prompt.resize(prompt.find_last_not_of('\n') + 1);
        prompt += "\n\nAn answer whose " + std::string(text.objective) + " is 0 counts as none where more is possible.";
    }
    prompt += "\n\n";
    prompt += format_instructions(format, text.answer_form);
    return prompt;
}

instance_batch engine::generate(std::span<instance_spec const> specs) const {
    return state_->run(generate_call{specs});
}

std::vector<verdict> engine::verify(instance_view instances, csr_view answers,
                                    std::span<std::int32_t const> instance_of) const {
    return state_->run(verify_call{instances, answers, instance_of});
}

csr_words engine::greedy(instance_view instances) const { return state_->run(greedy_call{instances}); }

improved_batch engine::improve(instance_view instances, csr_view answers, std::int64_t steps, std::uint64_t seed,
                               std::span<std::int32_t const> instance_of) const {
    return state_->run(improve_call{instances, answers, instance_of, steps, seed});
}

solved_batch engine::solve(instance_view instances, std::int64_t budget, csr_view starts) const {
    return state_->run(solve_call{instances, budget, starts});
}

void engine::check(std::int32_t task, std::span<std::int32_t const> instance) const {
    char const* const rule = state_->kernels(task).check({instance.data(), std::int64_t(instance.size())});
    if (rule != nullptr) {
        throw field_error("instance", rule);
    }
}

}  // namespace optgap
