// optgap convert: instances between files of their tasks' formats and rows.

#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/files/instance_format.hpp"
#include "host/rows/json/json_text.hpp"
#include "host/rows/read/instances.hpp"
#include "kernels/text/task_text.hpp"
#include "tools/cli/rows/files/instance_file.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"

namespace optgap::cli {
namespace {

constexpr std::string_view converted_columns[] = {"task", "key", "instance"};

struct convert_options {
    std::vector<std::string> files;
    std::string task;
    std::string to = "rows";
};

class converter {
public:
    converter(context& ctx, convert_options const& options)
        : ctx_(ctx), options_(options), engine_(ctx.get_engine(false)) {}

    void run() {
        std::int32_t const task = options_.task.empty() ? -1 : ctx_.task_named(options_.task);
        for (std::string const& path : options_.files) {
            if (auto const file = instance_file_of(ctx_, path, task)) {
                convert_file(*file);
            } else {
                convert_rows(path);
            }
        }
        if (to_file() && (texts_.size() > 1 || (texts_.empty() && !rejected_))) {
            throw usage_error(fmt::format("--to file writes one instance, but {} are given", texts_.size()));
        }
        for (std::string const& text : texts_) {
            output_.buffer() += text;
        }
        output_.finish(ctx_);
    }

private:
    [[nodiscard]] bool to_file() const { return options_.to != "rows"; }

    void convert_file(instance_file const& file) {
        try {
            std::vector<std::int32_t> const words = read_instance(file);
            engine_.check(file.task, words);
            if (to_file()) {
                texts_.push_back(text_of(file.task, words));
            } else {
                row_writer row(output_.buffer(), nullptr);
                row.text("name", std::filesystem::path(file.path).stem().string());
                write(row, file.task, words);
            }
        } catch (field_error const& broken) {
            if (!to_file()) {
                row_writer row(output_.buffer(), nullptr);
                row.text("name", std::filesystem::path(file.path).stem().string());
                row.error(1, broken.field(), broken.rule());
                row.finish();
            }
            reject(file.path + ": " + broken.field(), 1, broken.rule());
        }
        output_.flush();
    }

    void convert_rows(std::string const& path) {
        row_input input(ctx_, {path}, "convert");
        instance_set instances(ctx_.tasks());
        for (auto items = input.next(); !items.empty(); items = input.next()) {
            instances.resolve(items);
            for (row_item& item : items) {
                convert_row(item, instances);
            }
            output_.flush();
        }
        input.finish(ctx_);
    }
    void convert_row(row_item& item, instance_set const& instances) {
        if (item.sound() && item.instance < 0) {
            item.reject("task", "must be one of this build's: only its instances are converted");
        }
        if (item.sound() && to_file()) {
            try {
                texts_.push_back(text_of(instances.task(item.instance), instances.words(item.instance)));
            } catch (field_error const& broken) {
                item.reject(broken.field(), broken.rule());
            }
        }
        if (!item.sound() && to_file()) {
            reject(item.field, item.number, item.rule);
        } else if (!item.sound()) {
            output_.reject(item);
        } else if (!to_file()) {
            row_writer row = output_.begin(item, converted_columns);
            write(row, instances.task(item.instance), instances.words(item.instance));
        }
    }

    void write(row_writer& row, std::int32_t task, std::span<std::int32_t const> words) {
        task_info const& info = engine_.tasks()[std::size_t(task)];
        row.text("task", info.name);
        row.text("key", to_string(explicit_key(info, hash_words(words))));
        row.raw("instance", instance_json(ctx_.text(task), words));
        row.finish();
        output_.end_row();
    }

    /// What is written is read again: a file that says another instance is never written.
    std::string text_of(std::int32_t task, std::span<std::int32_t const> words) {
        task_text const& texts = ctx_.text(task);
        files::instance_format const& format = format_of(engine_.tasks()[std::size_t(task)].name);
        std::string text = format.write(read_json(instance_json(texts, words)));
        auto const read = format.read != nullptr ? format.read : texts.files->read;
        if (!std::ranges::equal(read(text), words)) {
            throw field_error("instance", "its task's format of files cannot say it");
        }
        return text;
    }

    /// What --to names among the formats that write the task's instances.
    files::instance_format const& format_of(std::string_view task) {
        for (files::instance_format const& each : files::instance_formats()) {
            if (each.task == task && each.write != nullptr && (options_.to == "file" || options_.to == each.name)) {
                return each;
            }
        }
        throw field_error("task", options_.to == "file"
                                      ? fmt::format("{} has no format of files; its instances are rows of JSON", task)
                                      : fmt::format("{} has no format {} of files", task, options_.to));
    }

    void reject(std::string const& field, std::int64_t number, std::string const& rule) {
        rejected_ = true;
        output_.count_rejected(number, field, rule);
    }

    context& ctx_;
    convert_options const& options_;
    engine const& engine_;
    row_output output_;
    std::vector<std::string> texts_;
    bool rejected_ = false;
};

}  // namespace

void add_convert(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "convert", "Instances from files of their tasks' formats to rows, and back: task, key, instance",
        {"optgap convert berlin52.tsp > rows.jsonl", "optgap convert rows.jsonl --to file > again.tsp",
         "optgap convert items.csv --task knapsack --to file > items.kp"},
        {"Reads what optgap solve reads. --to file writes one instance in its task's first format (optgap tasks "
         "--json;",
         "TSPLIB, DIMACS, METIS, ...), reads it again, and refuses one that the format cannot say.", rows_help});
    auto options = std::make_shared<convert_options>();
    add_files(command, options->files, "JSONL with instances, or an instance in a task's file format");
    command.add_option("--task", options->task, "The task of instance files whose extension several tasks know");
    std::vector<std::string> targets{"rows", "file"};
    for (files::instance_format const& each : files::instance_formats()) {
        if (each.write != nullptr && std::ranges::find(targets, each.name) == targets.end()) {
            targets.emplace_back(each.name);
        }
    }
    command.add_option("--to", options->to, "rows, file, or the name of a format").one_of(targets).show_default();
    command.on_run([&ctx, options] { converter(ctx, *options).run(); });
}

}  // namespace optgap::cli
