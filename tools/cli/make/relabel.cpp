// optgap relabel: the same problems under other labels.

#include <memory>
#include <optional>

#include <fmt/format.h>

#include "host/rows/json/json_text.hpp"
#include "host/rows/read/answers.hpp"
#include "host/rows/read/fields.hpp"
#include "host/rows/read/instances.hpp"
#include "host/rows/read/rollout.hpp"
#include "kernels/text/task_text.hpp"
#include "optgap/relabel.hpp"
#include "optgap/task_choice.hpp"
#include "tools/cli/rows/instance_row.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"

namespace optgap::cli {
namespace {

/// What is written anew; and what a twin does not have: a rollout and what it was rewarded, places in an answer, and
/// what ties broken by index decide.
constexpr std::string_view replaced[] = {"key",    "task",   "instance",     "hash",       "twin_of",     "labels",
                                         "answer", "prompt", "prompt_chars", "completion", "completions", "finish",
                                         "length", "span",   "reward",       "advantage",  "keep",        "where",
                                         "floor",  "greedy", "noisy",        "steps"};

struct relabel_options {
    std::vector<std::string> files;
    std::uint64_t seed = 0;
};

/// One row's twin, drawn once for all rows of an instance.
class relabeller {
public:
    relabeller(context& ctx, relabel_options const& options)
        : ctx_(ctx), options_(options), engine_(ctx.get_engine(false)), instances_(ctx.tasks()) {}

    void run() {
        row_input input(ctx_, options_.files, "relabel");
        for (auto items = input.next(); !items.empty(); items = input.next()) {
            instances_.resolve(items);
            twins_.assign(std::size_t(instances_.size()), std::nullopt);
            for (row_item& item : items) {
                write(item);
            }
            output_.flush();
        }
        input.finish(ctx_);
        output_.finish(ctx_);
    }

private:
    relabelled_batch const& twin_of(std::int32_t instance) {
        std::optional<relabelled_batch>& twin = twins_[std::size_t(instance)];
        if (!twin) {
            instance_batch one;
            one.append(instances_.task(instance), instances_.words(instance));
            twin = engine_.relabel(one.view(), options_.seed);
        }
        return *twin;
    }

    void write(row_item& item) {
        std::string prompt;
        if (item.sound()) {
            try {
                prompt = prompt_of_twin(item);
            } catch (field_error const& broken) {
                item.reject(broken.field(), broken.rule());
            }
        }
        item.sound() ? write_twin(item, prompt) : output_.reject(item);
    }

    /// Of a row that has one; in its format, and in the style of its key. Rejects what has no twin.
    std::string prompt_of_twin(row_item const& item) {
        std::int32_t const task = instances_.task(item.instance);
        if (task_info const& info = engine_.tasks()[std::size_t(task)]; info.axes.empty()) {
            throw field_error("task", fmt::format("{} has no axes: its instances have no twins", info.name));
        }
        std::string_view const* const old = item.row.find("prompt");
        if (old == nullptr || !is_json_string(*old)) {
            return {};
        }
        if (!engine_.tasks()[std::size_t(task)].direct) {
            throw field_error("prompt", not_direct(engine_.tasks()[std::size_t(task)].name));
        }
        format_spec const& format = known_formats()[std::size_t(format_of_row(item.row, {}))];
        auto const key = string_of(item.row, "key");
        std::int32_t const style = key ? parse_key(*key).style : 0;
        return engine_.prompt(task, twin_of(item.instance).instances.blocks.row(0), style, format);
    }

    void write_twin(row_item const& item, std::string const& prompt) {
        std::int32_t const task = instances_.task(item.instance);
        task_info const& info = engine_.tasks()[std::size_t(task)];
        relabelled_batch const& twin = twin_of(item.instance);
        std::span<std::int32_t const> const words = twin.instances.blocks.row(0);
        instance_hash const hash = hash_words(words);
        auto const key = string_of(item.row, "key");

        row_writer row = output_.begin(item, replaced);
        row.text("key", to_string(explicit_key(info, hash)));
        row.text("task", info.name);
        row.raw("instance", instance_json(ctx_.text(task), words));
        row.text("hash", hex32(hash));
        row.text("twin_of", key ? *key : to_string(explicit_key(info, instances_.id(item.instance).hash)));
        row.raw("labels", labels_json(twin, info));
        if (std::string_view const* const answer = item.row.find("answer")) {
            row.raw("answer", relabelled_answer(*answer, twin, info, ctx_.text(task)));
        }
        if (!prompt.empty()) {
            row.text("prompt", prompt);
            row.integer("prompt_chars", characters(prompt));
        }
        row.finish();
        output_.end_row();
    }

    static std::string labels_json(relabelled_batch const& twin, task_info const& info) {
        std::string out = "{";
        for (std::size_t k = 0; k < info.axes.size(); ++k) {
            out += fmt::format("{}\"{}\":[{}]", k == 0 ? "" : ",", info.axes[k],
                               fmt::join(twin.axis(0, std::int32_t(k)), ","));
        }
        return out + "}";
    }

    /// What cannot be read stays as it is.
    [[nodiscard]] static std::string relabelled_answer(std::string_view given, relabelled_batch const& twin,
                                                       task_info const& info, task_text const& text) {
        csr_words one;
        std::string const written = is_json_string(given) ? decode_json_string(given) : std::string(given);
        if (parse_answer(written, syntax_of(text), one.words).answer_code != code_ok) {
            return std::string(given);
        }
        one.offsets.push_back(std::int64_t(one.words.size()));
        return answer_json(twin.answers(one.view()).row(0), info);
    }

    context& ctx_;
    relabel_options const& options_;
    engine const& engine_;
    instance_set instances_;
    row_output output_;
    std::vector<std::optional<relabelled_batch>> twins_;  ///< of the batch's instances
};

}  // namespace

void add_relabel(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "relabel", "The same problems under other labels: key, instance, hash, twin_of, labels[, answer, prompt]",
        {"optgap generate tsp --level hard --prompts | optgap relabel - --seed 1 > twins.jsonl",
         "optgap solve rows.jsonl | optgap relabel - --seed 1 | optgap verify -"},
        {"A twin has its original's optimum, and a relabelled answer its original's verdict; `labels` says per axis "
         "what",
         "became of the first label, the second, ... A prompt is written anew, in the row's format and its key's "
         "style.",
         "Left out is what a twin does not have: a rollout (completion, completions, finish, length, span) and its "
         "reward",
         "(reward, advantage, keep), where, and what ties decide (floor, greedy, noisy, steps).", rows_help});
    auto options = std::make_shared<relabel_options>();
    add_files(command, options->files, "JSONL with instances");
    command.add_option("--seed", options->seed, "Draws the labels, with the instance's hash").seed().show_default();
    command.on_run([&ctx, options] { relabeller(ctx, *options).run(); });
}

}  // namespace optgap::cli
