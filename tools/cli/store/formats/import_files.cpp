#include "tools/cli/store/formats/import_files.hpp"

#include <cmath>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "tools/cli/rows/files/instance_file.hpp"
#include "tools/cli/rows/files/packed_file.hpp"
#include "tools/cli/shell/whole_file.hpp"
#include "tools/cli/store/formats/answer_file.hpp"
#include "tools/cli/store/store_rows.hpp"

namespace optgap::cli {
namespace {

struct answer_format {
    char const* name;
    told_answer (*read)(std::string_view, answer_frame const&);
};

constexpr answer_format answer_formats_known[] = {
    {"lkh", read_tour}, {"kahip", read_partition}, {"highs", read_columns}, {"cuopt", read_cuopt}};

/// An instance that files are about, as an item without an answer.
struct asked_instance {
    store_item item;
    std::vector<std::int32_t> words;
    answer_frame frame;
};

asked_instance instance_of(context& ctx, std::string const& said, std::string const& task) {
    engine const& by = ctx.get_engine(false);
    asked_instance out;
    bool const is_file = std::filesystem::is_regular_file(said);
    if (is_file) {
        auto const file = instance_file_of(ctx, said, task.empty() ? -1 : ctx.task_named(task));
        if (!file) {
            throw usage_error(
                fmt::format("--instance {}: no task knows such files; expected one with the extension of a "
                            "task's format (optgap tasks --json), or a key",
                            said));
        }
        out.item.task = file->task;
        out.item.name = std::filesystem::path(said).filename().string();
        try {
            out.item.words = read_instance(*file);
        } catch (field_error const& broken) {
            throw usage_error(fmt::format("--instance {}: {}: {}", said, broken.field(), broken.rule()));
        }
        out.words = out.item.words;
    } else {
        instance_key key;
        try {
            key = parse_key(said);
        } catch (field_error const& broken) {
            throw usage_error(
                fmt::format("--instance {}: is no file, and as a key {}; expected a file or a key such as "
                            "tsp@1:test:hard:7",
                            said, broken.rule()));
        }
        if (key.is_explicit) {
            throw usage_error(
                fmt::format("--instance {}: a key of a user's own instance has no words; expected its file", said));
        }
        out.item.task = ctx.task_named(fmt::format("{}@{}", key.task, key.version));
        out.item.spec = {out.item.task, key.level, key.part, key.seed};
        instance_batch const made = by.generate(std::span(&out.item.spec, 1));
        out.words.assign(made.blocks.row(0).begin(), made.blocks.row(0).end());
        if (!key.hash.empty() && !hex32(hash_words(out.words)).starts_with(key.hash)) {
            throw usage_error(fmt::format("--instance {}: its hash is not that of its instance, {}", said,
                                          hex8(hash_words(out.words))));
        }
    }
    out.frame = frame_of(ctx, out.item.task, out.words);
    return out;
}

class file_importer {
public:
    file_importer(context& ctx, file_import const& asked)
        : ctx_(ctx),
          asked_(asked),
          by_(ctx.get_engine(false)),
          lock_(asked.store),
          out_(asked.store, sqlite::access::create) {
        for (answer_format const& one : answer_formats_known) {
            read_ = asked.format == one.name ? one.read : read_;
        }
    }

    void run() {
        for (std::size_t f = 0; f < asked_.files.size(); ++f) {
            std::string const& said = asked_.instances[asked_.instances.size() == 1 ? 0 : f];
            auto found = instances_.find(said);
            if (found == instances_.end()) {
                found = instances_.emplace(said, instance_of(ctx_, said, asked_.task)).first;
            }
            try {
                take(asked_.files[f], found->second);
            } catch (answer_fault const& fault) {
                ctx_.warn(fmt::format("{}: {}; left out", asked_.files[f], fault.what()));
                ++rejected_;
            }
        }
        if (rejected_ > 0) {
            ctx_.end_with(exit_rejected);
        }
        ctx_.note(fmt::format("{}: {} taken, {} rows changed, {} left out; content {}", asked_.store, taken_, changed_,
                              rejected_, kept_hash(out_, by_)));
    }

private:
    /// A published tour may be packed, and marked, as its instance may.
    static std::string text_of(std::string const& path) {
        try {
            std::string text = unpacked(read_whole(path));
            static_cast<void>(without_mark(text));
            return text;
        } catch (field_error const& broken) {
            throw answer_fault(std::string(broken.what()));
        }
    }

    void take(std::string const& path, asked_instance const& of) {
        std::string const text = text_of(path);
        told_answer const told = read_(without_mark(text), of.frame);
        instance_batch batch;
        batch.append(of.item.task, of.words);
        csr_words answers;
        answers.append(told.block);
        verdict const worth = by_.verify(batch.view(), answers.view())[0];
        if (!worth.feasible()) {
            throw answer_fault(fmt::format("its answer is not feasible: {} (value {})",
                                           by_.code_name(of.item.task, worth.code), worth.where));
        }
        if (told.objective && std::fabs(std::fabs(*told.objective) - std::fabs(double(worth.objective))) > 0.5) {
            ctx_.warn(fmt::format("{}: it says {:.17g}, but its answer is worth {}; that is what counts", path,
                                  *told.objective, worth.objective));
        }
        store_item item = of.item;
        item.start = told.block;
        item.solver = asked_.solver;
        changed_ += solve_into(out_, by_, {item}, asked_.budget).changed;
        ++taken_;
    }

    context& ctx_;
    file_import const& asked_;
    engine const& by_;
    sqlite::writer_lock lock_;
    store::file out_;
    told_answer (*read_)(std::string_view, answer_frame const&) = nullptr;
    std::map<std::string, asked_instance> instances_;
    std::int64_t taken_ = 0, changed_ = 0, rejected_ = 0;
};

}  // namespace

std::vector<std::string> answer_formats() {
    std::vector<std::string> out;
    for (answer_format const& one : answer_formats_known) {
        out.emplace_back(one.name);
    }
    return out;
}

void import_files(context& ctx, file_import const& asked) {
    if (asked.instances.empty()) {
        throw usage_error(
            fmt::format("a file of --from {} does not hold its instance: expected --instance KEY or "
                        "--instance FILE",
                        asked.format));
    }
    if (asked.instances.size() != 1 && asked.instances.size() != asked.files.size()) {
        throw usage_error(
            fmt::format("{} instances for {} files: expected one for each, in their order, or one for all",
                        asked.instances.size(), asked.files.size()));
    }
    file_importer(ctx, asked).run();
}

}  // namespace optgap::cli
