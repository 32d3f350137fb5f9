#include "host/store/snapshot.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/store/canonical.hpp"
#include "optgap/server.hpp"

namespace optgap::store {
namespace {

std::string const& snapshot_file(std::string const& path) {
    if (std::filesystem::is_directory(path)) {
        throw sqlite::failure(
            sqlite::problem::no_database, path,
            fmt::format("is a folder, no snapshot: expected what `optgap store snapshot {} -o FILE.db` makes", path));
    }
    return path;
}

/// The snapshot that the daemon at `path` reports for its clients' baselines.
snapshot_place served_snapshot(std::string const& path) {
    if (path.empty()) {
        throw error(
            status::invalid_argument,
            "baselines: 'served' is the snapshot of the node's daemon, and no daemon is named: expected a server, or "
            "the snapshot's own path");
    }
    auto const said = nlohmann::json::parse(daemon_statistics(path));
    auto const known = said.find("snapshot");
    if (known == said.end() || known->is_null()) {
        throw error(status::invalid_argument,
                    fmt::format("baselines: the daemon at {} has no snapshot: expected one started "
                                "with `optgap serve --baselines SNAPSHOT`",
                                path));
    }
    return {known->at("path").get<std::string>(), known->at("content").get<std::string>()};
}

std::string plural(std::int64_t count, char const* one) {
    return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

}  // namespace

snapshot_place find_snapshot(std::string const& named, std::string const& daemon) {
    if (named.empty()) {
        return {};
    }
    snapshot_place const wanted = named == "served" ? served_snapshot(daemon) : snapshot_place{named, ""};
    std::string hash = file(snapshot_file(wanted.path), sqlite::access::immutable, true).meta("snapshot");
    if (!wanted.hash.empty() && hash != wanted.hash) {
        throw sqlite::failure(
            sqlite::problem::damaged, wanted.path,
            fmt::format("has the content {}, and the daemon at {} was started with {}: expected the same file", hash,
                        daemon, wanted.hash));
    }
    return {wanted.path, std::move(hash)};
}

snapshot::snapshot(std::string const& path, engine const& by, std::string version)
    : file_(snapshot_file(path), sqlite::access::immutable, true), search_{by, std::move(version)} {
    hash_ = file_.meta("snapshot");
    // Takes two steps down the tree per task and version, however many rows there are. (SQLite answers a comparison of
    // pairs by passing over all rows of the first one's task.)
    sqlite::statement within =
        file_.base().prepare("SELECT task, version FROM baselines WHERE task=? AND version>? ORDER BY version LIMIT 1");
    sqlite::statement after =
        file_.base().prepare("SELECT task, version FROM baselines WHERE task>? ORDER BY task, version LIMIT 1");
    std::string task;
    std::int64_t of = -1;
    for (;;) {
        sqlite::statement* const next = within.with(task, of).step() ? &within
                                        : after.with(task).step()    ? &after
                                                                     : nullptr;
        if (next == nullptr) {
            break;
        }
        task = std::string(next->text(0));
        of = next->integer(1);
        if (find_task(by, task, std::int32_t(of)) == nullptr) {
            sqlite::statement count = file_.base().prepare("SELECT count(*) FROM baselines WHERE task=? AND version=?");
            search_.counts.of_tasks += count.with(task, of).step() ? count.integer(0) : 0;
            tasks_.insert(fmt::format("{}@{}", task, of));
        }
    }
}

/// Sets `passed` where there is a row, but of another engine.
std::optional<row> row_search::usable(std::string const& path, std::optional<row> found, row_key const& key,
                                      instance_hash hash, bool& passed) {
    if (!found) {
        return std::nullopt;
    }
    for (origin const* one : {&found->found, &found->bounded}) {
        if (!one->engine.empty() && one->engine != version) {
            passed = true;
            engines.insert(one->engine);
        }
    }
    if (passed) {
        return std::nullopt;
    }
    if (found->hash != hash) {
        throw damaged_row(
            path, key, found->hash,
            fmt::format("the row is of the instance {}, where the key's is {}: it", hex32(found->hash), hex32(hash)));
    }
    return found;
}

std::optional<baseline> row_search::find(std::string const& path,
                                         std::function<std::optional<row>(row_key const&)> const& row_of,
                                         std::int32_t task, instance_spec const& spec,
                                         std::span<std::int32_t const> words) {
    task_info const& info = by.tasks()[std::size_t(task)];
    instance_hash const hash = hash_words(words);
    bool passed = false;
    std::optional<row> found;
    auto const look_up = [&](instance_key const& named) {
        row_key const key = key_of(named, hash);
        found = usable(path, row_of(key), key, hash, passed);
    };
    if (spec.task >= 0) {
        look_up(optgap::key_of(info, spec, hash));
    }
    if (!found && !passed) {
        look_up(explicit_key(info, hash));
    }
    counts.of_engines += passed ? 1 : 0;
    if (!found || found->status() == baseline_status::unknown) {
        counts.absent += 1;
        return std::nullopt;
    }
    counts.given += 1;
    baseline out;
    out.objective = found->objective;
    out.bound = found->bound;
    out.floor = found->floor;
    out.greedy = found->greedy;
    out.steps = found->objective == no_objective ? found->bounded.steps : found->found.steps;
    out.status = found->status();
    auto const kind = std::find(info.bound_kinds.begin(), info.bound_kinds.end(), found->bound_kind);
    out.bound_kind = kind == info.bound_kinds.end() ? 0 : std::int32_t(kind - info.bound_kinds.begin());
    return out;
}

std::string row_search::sentence() const {
    std::string out = fmt::format(": {}, {} solved", plural(counts.given, "baseline"), counts.absent);
    if (counts.of_engines > 0) {
        out += fmt::format("; {} passed over, made by engine {}, and this is {}", plural(counts.of_engines, "row"),
                           fmt::join(engines, ", "), version);
    }
    return out;
}

std::optional<baseline> snapshot::find(std::int32_t task, instance_spec const& spec,
                                       std::span<std::int32_t const> words) {
    std::lock_guard const locked(lock_);
    return search_.find(
        file_.path(), [this](row_key const& key) { return file_.find(key); }, task, spec, words);
}

snapshot_counts snapshot::counts() const {
    std::lock_guard const locked(lock_);
    return search_.counts;
}

std::string snapshot::sentence() const {
    std::lock_guard const locked(lock_);
    std::string out = fmt::format("{} (content {}){}", file_.path(), hash_.substr(0, 8), search_.sentence());
    if (search_.counts.of_tasks > 0) {
        out += fmt::format("; {} passed over, of {}, which this build does not have",
                           plural(search_.counts.of_tasks, "row"), fmt::join(tasks_, ", "));
    }
    return out;
}

}  // namespace optgap::store
