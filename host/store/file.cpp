#include "host/store/file.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "host/sqlite/hash_column.hpp"

namespace optgap::store {
namespace {

constexpr std::int64_t application = 0x6f706761;  // "opga"

constexpr char const* schema = R"(
CREATE TABLE baselines (
  task TEXT NOT NULL, version INTEGER NOT NULL, split INTEGER NOT NULL, level INTEGER NOT NULL, seed INTEGER NOT NULL,
  own BLOB NOT NULL, hash BLOB NOT NULL, status INTEGER NOT NULL, tried INTEGER NOT NULL,
  objective INTEGER, bound INTEGER, bound_kind TEXT, floor INTEGER, greedy INTEGER, published INTEGER,
  steps INTEGER, budget INTEGER, solver TEXT, engine TEXT,
  bound_steps INTEGER, bound_budget INTEGER, bound_solver TEXT, bound_engine TEXT, answer BLOB, digest BLOB,
  PRIMARY KEY (task, version, split, level, seed, own)) WITHOUT ROWID;
CREATE TABLE instances (task TEXT NOT NULL, version INTEGER NOT NULL, own BLOB NOT NULL, name TEXT NOT NULL,
  words BLOB NOT NULL, digest BLOB, PRIMARY KEY (task, version, own)) WITHOUT ROWID;
CREATE TABLE runs (asked TEXT PRIMARY KEY, shard TEXT NOT NULL, rows INTEGER NOT NULL, finished INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
)";

constexpr char const* put_columns =
    " INTO baselines (task, version, split, level, seed, own, hash, status, tried, objective, bound, bound_kind, "
    "floor, "
    "greedy, published, steps, budget, solver, engine, bound_steps, bound_budget, bound_solver, bound_engine, answer, "
    "digest) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";

/// A user's own instance has its hash in the key; a generated one has none.
std::vector<std::byte> own_of(row_key const& key) {
    if (key.part != explicit_part) {
        return {};
    }
    auto const all = sqlite::bytes_of(key.own);
    return {all.begin(), all.end()};
}

std::int64_t value(sqlite::statement const& from, std::int32_t column) {
    return from.is_null(column) ? no_objective : from.integer(column);
}

/// The columns of a row for `read_row`; the digest, in files that have digests, comes after them.
constexpr char const* row_columns =
    "task, version, split, level, seed, own, hash, status, tried, objective, bound, bound_kind, floor, greedy, "
    "published, "
    "steps, budget, solver, engine, bound_steps, bound_budget, bound_solver, bound_engine, answer";
constexpr std::int32_t digest_column = 24;

std::string columns_of(bool has_digests) { return std::string(row_columns) + (has_digests ? ", digest" : ""); }

std::string by_key(bool has_digests) {
    return fmt::format(
        "SELECT {} FROM baselines WHERE task=? AND version=? AND split=? AND level=? AND seed=? AND own=?",
        columns_of(has_digests));
}

/// A row as read from a statement.
struct read_row {
    row one;
    bool whole = true;  ///< it matches its digest, and is a possible row
};

read_row row_at(sqlite::statement const& from, bool has_digests) {
    read_row out;
    row& one = out.one;
    one.key = {std::string(from.text(0)),
               std::int32_t(from.integer(1)),
               std::int32_t(from.integer(2)),
               std::int32_t(from.integer(3)),
               from.integer(4),
               sqlite::hash_of(from.blob(5))};
    if (one.key.part < 0 || one.key.part > explicit_part || one.key.level < difficulty::easy().code) {
        one.key.part = explicit_part;  // so that it has a name
        out.whole = false;
    }
    one.hash = sqlite::hash_of(from.blob(6));
    one.excluded = from.integer(7) == std::int64_t(baseline_status::infeasible);
    one.tried = from.integer(8);
    one.objective = value(from, 9);
    one.bound = value(from, 10);
    one.bound_kind = from.is_null(11) ? "" : std::string(from.text(11));
    one.floor = value(from, 12);
    one.greedy = value(from, 13);
    one.published = value(from, 14);
    if (!from.is_null(15)) {
        one.found = {from.integer(15), from.integer(16), std::string(from.text(17)), std::string(from.text(18))};
    }
    if (!from.is_null(19)) {
        one.bounded = {from.integer(19), from.integer(20), std::string(from.text(21)), std::string(from.text(22))};
    }
    if (!from.is_null(23)) {
        sqlite::bytes const packed = from.blob(23);
        try {
            one.answer = unpack(packed.data(), packed.size());
        } catch (error const&) {
            out.whole = false;
        }
    }
    // A status that does not follow from its numbers is a change, too.
    out.whole =
        out.whole && from.integer(7) == std::int64_t(one.status()) &&
        (!has_digests || (!from.is_null(digest_column) && sqlite::hash_of(from.blob(digest_column)) == digest_of(one)));
    return out;
}

struct reset_at_end {
    sqlite::statement& at;
    ~reset_at_end() { at.reset(); }
};

}  // namespace

file::file(std::string const& path, sqlite::access how, bool is_snapshot)
    : base_(path, {.how = is_snapshot ? sqlite::access::immutable : how,
                   .busy_milliseconds = 30'000,
                   .mapped_bytes = is_snapshot ? std::int64_t(1) << 40 : 0}) {
    bool const fresh = base_.integer("SELECT count(*) FROM sqlite_schema") == 0;
    if (fresh && how == sqlite::access::create) {
        sqlite::transaction all(base_);
        base_.execute(schema);
        base_.execute(fmt::format("PRAGMA application_id={}", application));
        base_.set_user_version(schema_version);
        all.commit();
        return;
    }
    if (base_.integer("PRAGMA application_id") != application) {
        throw sqlite::failure(
            sqlite::problem::no_database, path,
            fresh ? "is empty: expected a store of baselines (optgap recompute makes one)"
                  : "is a SQLite file, but no store of baselines: expected what optgap recompute makes");
    }
    std::int64_t const found = base_.user_version();
    if (found != schema_version && found != 1) {
        throw sqlite::failure(sqlite::problem::no_database, path,
                              fmt::format("has schema {}: expected {}, which this version of optgap reads and writes",
                                          found, schema_version));
    }
    has_digests_ = found == schema_version;
    if (!has_digests_ && !is_snapshot && how != sqlite::access::read && how != sqlite::access::immutable) {
        throw sqlite::failure(
            sqlite::problem::read_only, path,
            fmt::format("has schema 1, without a digest of each row, and is only read: expected schema "
                        "{}; `optgap store merge NEW.db {}` makes one of it",
                        schema_version, path));
    }
    if (is_snapshot && meta("snapshot").empty()) {
        throw sqlite::failure(
            sqlite::problem::no_database, path,
            fmt::format("is no snapshot: expected what `optgap store snapshot {} -o FILE.db` makes", path));
    }
}

sqlite::statement file::in_order() const {
    return base_.prepare(fmt::format("SELECT {} FROM baselines ORDER BY task, version, split, level, seed, own",
                                     columns_of(has_digests_)));
}

row file::read_whole(sqlite::statement const& from) const {
    read_row const out = row_at(from, has_digests_);
    if (!out.whole) {
        throw damaged_row(path(), out.one.key, out.one.hash, "the row");
    }
    return out.one;
}

void file::each(std::function<void(row const& one, bool whole)> const& take) const {
    for (sqlite::statement from = in_order(); from.step();) {
        read_row const out = row_at(from, has_digests_);
        take(out.one, out.whole);
    }
}

sqlite::statement& file::prepared(char const* sql) const {
    auto& known = const_cast<file*>(this)->known_;  // statements are a cache
    auto found = known.find(sql);
    if (found == known.end()) {
        found = known.emplace(sql, std::make_unique<sqlite::statement>(base_.prepare(sql))).first;
    }
    return *found->second;
}

std::optional<row> file::find(row_key const& key) const {
    static std::string const sql[] = {by_key(false), by_key(true)};
    sqlite::statement& at = prepared(sql[has_digests_ ? 1 : 0].c_str());
    reset_at_end const done{at};
    std::vector<std::byte> const own = own_of(key);
    std::optional<row> out;
    if (at.with(key.task, key.version, key.part, key.level, key.seed, sqlite::bytes(own)).step()) {
        out = read_whole(at);
    }
    return out;
}

void file::write(row const& one, char const* verb) {
    static std::string const replaces = std::string("REPLACE") + put_columns;
    static std::string const inserts = std::string("INSERT") + put_columns;
    sqlite::statement& put = prepared(std::strcmp(verb, "REPLACE") == 0 ? replaces.c_str() : inserts.c_str());
    put.reset();
    std::vector<std::byte> const own = own_of(one.key), packed = pack(one.answer);
    auto const hash = sqlite::bytes_of(one.hash), digest = sqlite::bytes_of(digest_of(one));
    auto const number = [&](std::int32_t position, std::int64_t value) {
        value == no_objective ? put.bind(position, nullptr) : put.bind(position, value);
    };
    auto const from = [&](std::int32_t position, origin const& by, bool there) {
        if (!there) {
            for (std::int32_t k = 0; k < 4; ++k) {
                put.bind(position + k, nullptr);
            }
            return;
        }
        put.bind(position, by.steps);
        put.bind(position + 1, by.budget);
        put.bind(position + 2, by.solver);
        put.bind(position + 3, by.engine);
    };
    bool const answered = one.objective != no_objective, bounded = one.excluded || one.bound != no_objective;
    put.bind(1, one.key.task);
    put.bind(2, one.key.version);
    put.bind(3, one.key.part);
    put.bind(4, one.key.level);
    put.bind(5, one.key.seed);
    put.bind(6, sqlite::bytes(own));
    put.bind(7, sqlite::bytes(hash));
    put.bind(8, std::int32_t(one.status()));
    put.bind(9, one.tried);
    number(10, one.objective);
    number(11, one.bound);
    bounded ? put.bind(12, one.bound_kind) : put.bind(12, nullptr);
    number(13, one.floor);
    number(14, one.greedy);
    number(15, one.published);
    from(16, one.found, answered);
    from(20, one.bounded, bounded);
    answered ? put.bind(24, sqlite::bytes(packed)) : put.bind(24, nullptr);
    put.bind(25, sqlite::bytes(digest));
    while (put.step()) {
    }
    put.reset();
}

bool file::put(row const& one, sense direction) {
    std::optional<row> const old = find(one.key);
    if (!old) {
        require_sound(one, direction);
        write(one, "INSERT");
        return true;
    }
    row const made = join(*old, one, direction);
    bool const same = made.tried == old->tried && made.objective == old->objective && made.answer == old->answer &&
                      made.found == old->found && made.excluded == old->excluded && made.bound == old->bound &&
                      made.bound_kind == old->bound_kind && made.bounded == old->bounded && made.floor == old->floor &&
                      made.greedy == old->greedy && made.published == old->published;
    if (!same) {
        write(made, "REPLACE");
    }
    return !same;
}

void file::append(row const& one) { write(one, "INSERT"); }

void file::put_instance(row_key const& key, own_instance const& own) {
    std::optional<own_instance> const old = instance(key);
    if (!old || own.name < old->name) {  // the smallest name stays, so that it does not depend on the order of writers
        write_instance(key, own);
    }
}

void file::write_instance(row_key const& key, own_instance const& own) {
    std::vector<std::byte> const packed = pack(own.words), hash = own_of(key);
    auto const digest = sqlite::bytes_of(digest_of(key, own));
    prepared("REPLACE INTO instances (task, version, own, name, words, digest) VALUES (?,?,?,?,?,?)")
        .run(key.task, key.version, sqlite::bytes(hash), own.name, sqlite::bytes(packed), sqlite::bytes(digest));
}

std::optional<own_instance> file::instance(row_key const& key) const {
    std::vector<std::byte> const hash = own_of(key);
    sqlite::statement& at =
        prepared(has_digests_ ? "SELECT name, words, digest FROM instances WHERE task=? AND version=? AND own=?"
                              : "SELECT name, words, NULL FROM instances WHERE task=? AND version=? AND own=?");
    reset_at_end const done{at};
    if (!at.with(key.task, key.version, sqlite::bytes(hash)).step()) {
        return std::nullopt;
    }
    sqlite::bytes const packed = at.blob(1);
    own_instance out{std::string(at.text(0)), unpack(packed.data(), packed.size())};
    if (has_digests_ && (at.is_null(2) || sqlite::hash_of(at.blob(2)) != digest_of(key, out))) {
        throw damaged_row(path(), key, key.own, "the instance");
    }
    return out;
}

std::string file::meta(std::string const& name) const {
    sqlite::statement& at = prepared("SELECT value FROM meta WHERE name=?");
    std::string out = at.with(name).step() ? std::string(at.text(0)) : std::string();
    at.reset();
    return out;
}

void file::set_meta(std::string const& name, std::string const& value) {
    prepared("REPLACE INTO meta VALUES (?, ?)").run(name, value);
}

void file::note_run(run_entry const& run) {
    prepared("REPLACE INTO runs VALUES (?, ?, ?, ?)").run(run.asked, run.shard, run.rows, std::int64_t(run.finished));
}

std::vector<run_entry> file::runs() const {
    std::vector<run_entry> out;
    for (sqlite::statement all = base_.prepare("SELECT asked, shard, rows, finished FROM runs"); all.step();) {
        out.push_back({std::string(all.text(0)), std::string(all.text(1)), all.integer(2), all.integer(3) != 0});
    }
    return out;
}

void file::add_time(time_entry const& spent) {
    // The table is not part of the schema: merged files and snapshots have none.
    base_.execute(
        "CREATE TABLE IF NOT EXISTS times (task TEXT NOT NULL, level TEXT NOT NULL, engine TEXT NOT NULL, "
        "threads INTEGER NOT NULL, rows INTEGER NOT NULL, steps INTEGER NOT NULL, ns INTEGER NOT NULL, "
        "PRIMARY KEY (task, level, engine, threads)) WITHOUT ROWID");
    prepared(
        "INSERT INTO times VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET rows=rows+excluded.rows, "
        "steps=steps+excluded.steps, ns=ns+excluded.ns")
        .run(spent.task, spent.level, spent.engine, spent.threads, spent.rows, spent.steps, spent.nanoseconds);
}

std::vector<time_entry> file::times() const {
    std::vector<time_entry> out;
    if (base_.integer("SELECT count(*) FROM sqlite_schema WHERE name='times'") == 0) {
        return out;
    }
    for (sqlite::statement all = base_.prepare("SELECT task, level, engine, threads, rows, steps, ns FROM times");
         all.step();) {
        out.push_back({std::string(all.text(0)), std::string(all.text(1)), std::string(all.text(2)), all.integer(3),
                       all.integer(4), all.integer(5), all.integer(6)});
    }
    return out;
}

std::vector<std::string> files_of(std::string const& path) {
    if (!std::filesystem::is_directory(path)) {
        return {path};
    }
    std::vector<std::string> out;
    for (auto const& entry : std::filesystem::directory_iterator(path)) {
        if (entry.path().extension() == ".db") {
            out.push_back(entry.path().string());
        }
    }
    std::sort(out.begin(), out.end());
    if (out.empty()) {
        throw sqlite::failure(sqlite::problem::cannot_open, path, "is a folder without a store: expected files *.db");
    }
    return out;
}

reader::reader(std::string const& path, bool is_snapshot) { open(files_of(path), is_snapshot); }
reader::reader(std::vector<std::string> const& paths, bool is_snapshot) { open(paths, is_snapshot); }

void reader::open(std::vector<std::string> const& paths, bool is_snapshot) {
    for (std::string const& path : paths) {
        files_.push_back(std::make_unique<file>(path, sqlite::access::read, is_snapshot));
        rows_.push_back(files_.back()->in_order());
        heads_.emplace_back();
        advance(rows_.size() - 1);
    }
}

void reader::advance(std::size_t i) {
    heads_[i].reset();
    if (rows_[i].step()) {
        heads_[i] = files_[i]->read_whole(rows_[i]);
    }
}

std::optional<own_instance> reader::instance(row_key const& key) const {
    for (auto const& one : files_) {
        if (auto found = one->instance(key)) {
            return found;
        }
    }
    return std::nullopt;
}

}  // namespace optgap::store
