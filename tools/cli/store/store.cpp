// optgap store: what stores hold, and stores from stores.

#include "tools/cli/store/store_commands.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/store/row_pairs.hpp"
#include "tools/cli/store/store_rows.hpp"

namespace optgap::cli {
namespace {

constexpr std::size_t export_block = std::size_t(1) << 20;
constexpr std::int64_t merge_rows = 50'000;  ///< a transaction

auto directions(engine const& by) {
    return [&by](std::string const& task) { return store::direction_of(by, task); };
}

void export_store(context& ctx, std::string const& path) {
    engine const& by = ctx.get_engine(false);
    store::reader rows(path);
    std::string out;
    while (auto const one = rows.next(directions(by))) {
        auto const own = one->key.part == store::explicit_part ? rows.instance(one->key) : std::nullopt;
        store::append_line(out, *one, own ? &*own : nullptr, by);
        if (out.size() > export_block) {
            write_stdout(out);
            out.clear();
        }
    }
    write_stdout(out);
}

/// All rows of the inputs into a fresh file, in the order of their keys; a name that `finish` gives when its hash is
/// known.
std::string write_fresh(context& ctx, std::vector<std::string> const& inputs, std::string const& path, bool as_snapshot,
                        std::int64_t& count) {
    engine const& by = ctx.get_engine(false);
    std::vector<std::string> files;
    for (std::string const& input : inputs) {
        std::vector<std::string> const some = store::files_of(input);
        files.insert(files.end(), some.begin(), some.end());
    }
    std::string const fresh = path + ".new";
    std::filesystem::remove(fresh);
    store::content_hash hash;
    {
        store::reader rows(files, false);
        store::file out(fresh, sqlite::access::create);
        auto all = std::make_unique<sqlite::transaction>(out.base());
        std::string line;
        count = 0;
        while (auto const one = rows.next(directions(by))) {
            auto const own = one->key.part == store::explicit_part ? rows.instance(one->key) : std::nullopt;
            out.append(*one);
            if (own) {
                out.put_instance(one->key, *own);
            }
            line.clear();
            store::append_line(line, *one, own ? &*own : nullptr, by);
            hash.add(line);
            if (++count % merge_rows == 0) {
                all->commit();
                all = std::make_unique<sqlite::transaction>(out.base());
            }
        }
        out.set_meta("hash", hash.text());
        if (as_snapshot) {
            out.set_meta("snapshot", hash.text());
        }
        all->commit();
    }
    return hash.text();
}

void merge(context& ctx, std::string const& path, std::vector<std::string> const& inputs) {
    sqlite::writer_lock const lock(path);
    std::vector<std::string> all = inputs;
    if (std::filesystem::exists(path)) {
        all.push_back(path);
    }
    std::int64_t count = 0;
    std::string hash;
    try {
        hash = write_fresh(ctx, all, path, false, count);
    } catch (...) {
        std::filesystem::remove(path + ".new");
        throw;
    }
    std::filesystem::rename(path + ".new", path);
    ctx.note(fmt::format("{}: {} rows; content {}", path, count, hash));
}

void snapshot(context& ctx, std::string const& input, std::string path) {
    std::int64_t count = 0;
    bool const named = !path.empty();
    std::string const stem = std::filesystem::path(input).replace_extension().string();
    std::string const draft =
        named ? path : (stem.ends_with('/') ? stem.substr(0, stem.size() - 1) : stem) + ".snapshot";
    sqlite::writer_lock const lock(draft);
    std::string const hash = write_fresh(ctx, {input}, draft, true, count);
    path = named ? path : fmt::format("{}-{}.db", draft, hash.substr(0, 8));
    if (chmod((draft + ".new").c_str(), 0444) != 0) {
        throw io_error(fmt::format("cannot make {} read-only", draft));
    }
    std::filesystem::rename(draft + ".new", path);
    fmt::print("{}\n", path);
    ctx.note(fmt::format("{}: {} rows; content {}", path, count, hash));
}

void diff(context& ctx, std::string const& a, std::string const& b) {
    engine const& by = ctx.get_engine(false);
    store::reader left(a), right(b);
    std::int64_t same = 0, gone = 0, added = 0, better = 0, worse = 0, newly = 0, unproven = 0, otherwise = 0;
    for_pairs(by, &left, right, [&](store::row const* one, store::row const* other) {
        if (one == nullptr || other == nullptr) {
            ++(one == nullptr ? added : gone);
            return;
        }
        row_change const found = change_of(*one, *other, by);
        newly += found.newly_proven ? 1 : 0;
        unproven += found.no_longer_proven ? 1 : 0;
        better += found.better ? 1 : 0;
        worse += found.worse ? 1 : 0;
        same += found.same ? 1 : 0;
        otherwise += found.otherwise() ? 1 : 0;
    });
    if (ctx.json) {
        fmt::print(
            R"({{"same":{},"added":{},"gone":{},"better":{},"worse":{},"newly_proven":{},"no_longer_proven":{},"otherwise":{}}})"
            "\n",
            same, added, gone, better, worse, newly, unproven, otherwise);
    } else {
        fmt::print(
            "same {}\nadded {}\ngone {}\nbetter {}\nworse {}\nnewly proven {}\nno longer proven {}\nother steps or "
            "origin {}\n",
            same, added, gone, better, worse, newly, unproven, otherwise);
    }
    if (worse + unproven + gone > 0) {
        ctx.end_with(exit_rejected);
    }
}

}  // namespace

void add_store_export(command_entry store, context& ctx) {
    command_entry const command =
        store.add_command("export", "All rows as canonical JSONL on stdout: ordered by key, names sorted, no times",
                          {"optgap store export tsp.db > tsp.jsonl", "optgap store export runs/ | xxhsum -H2"});
    auto path = std::make_shared<std::string>();
    auto format = std::make_shared<std::string>("jsonl");
    command.add_option("PATH", *path, "A store, or a folder of shards").required();
    command
        .add_option("--format", *format,
                    "jsonl; parquet writes a file, with -o FILE (optgap store --format parquet --help)")
        .one_of({"jsonl"})
        .show_default();
    command.on_run([&ctx, path, format] { export_store(ctx, *path); });
}

void add_store_merge(command_entry store, context& ctx) {
    command_entry const command = store.add_command(
        "merge", "One file of several: the best of every key, in whatever order they come",
        {"optgap store merge all.db runs/", "optgap store merge all.db 0000-of-0002.db 0001-of-0002.db"},
        {"A file OUT that is there takes part. Two proofs that contradict each other end with code 3, and OUT stays as "
         "it was."});
    auto out = std::make_shared<std::string>();
    auto inputs = std::make_shared<std::vector<std::string>>();
    command.add_option("OUT", *out, "The file to write").required();
    command.add_option("IN", *inputs, "Stores, or folders of shards").required();
    command.on_run([&ctx, out, inputs] { merge(ctx, *out, *inputs); });
}

void add_store_snapshot(command_entry store, context& ctx) {
    command_entry const command = store.add_command(
        "snapshot",
        "A file that never changes again, for scoring: fresh, in the order of keys, read-only; prints its name",
        {"optgap store snapshot tsp.db", "optgap store snapshot runs/ -o frozen.db"});
    auto input = std::make_shared<std::string>();
    auto path = std::make_shared<std::string>();
    command.add_option("PATH", *input, "A store, or a folder of shards").required();
    command.add_option("-o,--out", *path, "The file to write; its name has the content's hash otherwise");
    command.on_run([&ctx, input, path] { snapshot(ctx, *input, *path); });
}

void add_store_diff(command_entry store, context& ctx) {
    command_entry const command =
        store.add_command("diff", "What changed from one store to another; exit code 1 if any row is worse or gone",
                          {"optgap store diff old.db new.db", "optgap store diff old.db new.db --json"});
    auto a = std::make_shared<std::string>(), b = std::make_shared<std::string>();
    command.add_option("A", *a, "The older store").required();
    command.add_option("B", *b, "The newer one").required();
    command.on_run([&ctx, a, b] { diff(ctx, *a, *b); });
}

void add_store(command_line& app, context& ctx) {
    command_entry const store = app.add_command(
        "store", "Stores of baselines: look, verify, merge, freeze, in and out",
        {"optgap store info runs/", "optgap store verify runs/ --prove 20", "optgap store snapshot runs/"},
        {"optgap recompute fills them: docs/scale.md."});
    store.require_command();
    add_store_info(store, ctx);
    add_store_verify(store, ctx);
    add_store_merge(store, ctx);
    add_store_export(store, ctx);
    add_store_import(store, ctx);
    add_store_take_improved(store, ctx);
    add_store_snapshot(store, ctx);
    add_store_diff(store, ctx);
}

}  // namespace optgap::cli
