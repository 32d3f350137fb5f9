#include "host/pool/file.hpp"

#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "host/sqlite/hash_column.hpp"
#include "host/store/row.hpp"

namespace optgap::pool {
namespace {

constexpr std::int64_t application = 0x6f706770;  // "opgp"

/// Entries are only appended, and found by content in memory: an index by hash would touch a page for each of a step's
/// entries.
constexpr char const* schema = R"(
CREATE TABLE entry (id INTEGER PRIMARY KEY, task TEXT NOT NULL, version INTEGER NOT NULL, canonical BLOB NOT NULL,
  coarse INTEGER NOT NULL, words BLOB NOT NULL, infeasible INTEGER NOT NULL, objective INTEGER, floor INTEGER,
  greedy INTEGER, steps INTEGER NOT NULL, budget INTEGER NOT NULL, answer BLOB NOT NULL, origin INTEGER NOT NULL,
  parent BLOB NOT NULL, step INTEGER NOT NULL, digest BLOB NOT NULL);
CREATE TABLE outcome (step INTEGER NOT NULL, entry INTEGER NOT NULL, attempts INTEGER NOT NULL, solved INTEGER NOT NULL,
  quality INTEGER NOT NULL, quality_sq INTEGER NOT NULL, PRIMARY KEY (step, entry)) WITHOUT ROWID;
CREATE TABLE gone (step INTEGER NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY (step, entry)) WITHOUT ROWID;
CREATE TABLE step (number INTEGER PRIMARY KEY, entries INTEGER NOT NULL, outcomes INTEGER NOT NULL,
  gone INTEGER NOT NULL, link BLOB NOT NULL);
CREATE TABLE part (step INTEGER NOT NULL, rank INTEGER NOT NULL, sequence INTEGER NOT NULL, digest BLOB NOT NULL,
  PRIMARY KEY (step, rank, sequence)) WITHOUT ROWID;
CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
)";

constexpr char const* entry_columns =
    "id, task, version, canonical, coarse, words, infeasible, objective, floor, greedy, steps, budget, answer, origin, "
    "parent, step, digest";

std::int64_t value_or_none(sqlite::statement const& from, std::int32_t column) {
    return from.is_null(column) ? no_objective : from.integer(column);
}

entry read_entry(sqlite::statement const& from) {
    entry out;
    out.task = std::string(from.text(1));
    out.version = std::int32_t(from.integer(2));
    out.canonical = sqlite::hash_of(from.blob(3));
    out.coarse = from.integer(4) != 0;
    sqlite::bytes const words = from.blob(5);
    out.words = store::unpack(words.data(), words.size());
    out.infeasible = from.integer(6) != 0;
    out.objective = value_or_none(from, 7);
    out.floor = value_or_none(from, 8);
    out.greedy = value_or_none(from, 9);
    out.steps = from.integer(10);
    out.budget = from.integer(11);
    sqlite::bytes const answer = from.blob(12);
    out.answer = store::unpack(answer.data(), answer.size());
    out.kind = origin(from.integer(13));
    out.parent = sqlite::hash_of(from.blob(14));
    out.step = from.integer(15);
    return out;
}

sqlite::database fresh_or_known(std::string const& path, bool writes) {
    return sqlite::database(
        path, {.how = writes ? sqlite::access::write : sqlite::access::read, .busy_milliseconds = 30'000});
}

}  // namespace

instance_hash first_link(settings const& of) {
    byte_line line;
    line.text("pool 1");
    line.number(std::int64_t(of.seed));
    line.number(std::int64_t(of.by));
    line.number(of.window);
    line.number(of.capacity);
    return line.hash();
}

instance_hash next_link(instance_hash before, step_record const& step) {
    byte_line line;
    line.hash(before);
    line.number(step.number);
    line.number(std::int64_t(step.digests.size()));
    for (instance_hash const digest : step.digests) {
        line.hash(digest);
    }
    line.number(std::int64_t(step.outcomes.size()));
    for (outcome const& one : step.outcomes) {
        line.number(one.entry);
        line.number(one.attempts);
        line.number(one.solved);
        line.number(one.quality);
        line.number(one.quality_sq);
    }
    line.number(std::int64_t(step.gone.size()));
    for (std::int64_t const id : step.gone) {
        line.number(id);
    }
    return line.hash();
}

void file::make(std::string const& path, settings const& of) {
    sqlite::writer_lock const lock(path);  // first, since another process may be making it now
    if (std::filesystem::exists(path)) {
        throw sqlite::failure(sqlite::problem::cannot_open, path, "is there already: expected a path for a fresh pool");
    }
    // The file appears whole under its name, or not at all: a killed process leaves a draft.
    std::string const draft = path + ".new";
    std::filesystem::remove(draft);
    {
        sqlite::database const base(draft, {.how = sqlite::access::create});
        sqlite::transaction all(base);
        base.execute(schema);
        base.execute(fmt::format("PRAGMA application_id={}", application));
        base.set_user_version(schema_version);
        sqlite::statement put = base.prepare("INSERT INTO meta VALUES (?, ?)");
        put.run("seed", std::int64_t(of.seed));
        put.run("policy", std::int64_t(of.by));
        put.run("window", of.window);
        put.run("capacity", of.capacity);
        all.commit();
    }
    std::filesystem::rename(draft, path);
}

file::file(std::string const& path, bool writes)
    : lock_(writes && std::filesystem::exists(path) ? std::make_unique<sqlite::writer_lock>(path) : nullptr),
      base_(fresh_or_known(path, writes)) {
    if (base_.integer("PRAGMA application_id") != application) {
        throw sqlite::failure(sqlite::problem::no_database, path, "is no pool: expected what optgap pool init makes");
    }
    if (std::int64_t const found = base_.user_version(); found != schema_version) {
        throw sqlite::failure(sqlite::problem::no_database, path,
                              fmt::format("has schema {}: expected {}, which this version of optgap reads and writes",
                                          found, schema_version));
    }
    settings_.seed = std::uint64_t(base_.integer("SELECT value FROM meta WHERE name='seed'"));
    std::int64_t const by = base_.integer("SELECT value FROM meta WHERE name='policy'", -1);
    settings_.window = base_.integer("SELECT value FROM meta WHERE name='window'");
    settings_.capacity = base_.integer("SELECT value FROM meta WHERE name='capacity'", -1);
    if (by < 0 || by >= std::int64_t(std::size(policy_names)) || settings_.window < 1 || settings_.capacity < 0) {
        damaged("its settings are none: expected policy, window and capacity that this version of optgap knows");
    }
    settings_.by = policy(by);
    reading_ = std::make_unique<sqlite::statement>(
        base_.prepare(fmt::format("SELECT {} FROM entry WHERE id=?", entry_columns)));
}

void file::damaged(std::string const& sentence) const {
    throw sqlite::failure(sqlite::problem::damaged, path(), sentence);
}

void file::each_step(std::int64_t from, std::int64_t first,
                     std::function<void(step_record const&, instance_hash link)> const& take) const {
    sqlite::statement steps =
        base_.prepare("SELECT number, entries, outcomes, link, gone FROM step WHERE number>=? ORDER BY number");
    sqlite::statement entries =
        base_.prepare(fmt::format("SELECT {} FROM entry WHERE id>=? ORDER BY id", entry_columns));
    sqlite::statement outcomes = base_.prepare(
        "SELECT step, entry, attempts, solved, quality, quality_sq FROM outcome WHERE step>=? ORDER BY step, entry");
    sqlite::statement gone = base_.prepare("SELECT step, entry FROM gone WHERE step>=? ORDER BY step, entry");
    steps.with(from);
    gone.with(from);
    entries.with(first);
    outcomes.with(from);
    std::int64_t id = first;
    step_record one;
    for (std::int64_t number = from; steps.step(); ++number) {
        if (steps.integer(0) != number) {
            damaged(fmt::format("step {} is missing: expected all from 0", number));
        }
        one.number = number;
        one.entries.clear();
        one.digests.clear();
        one.outcomes.clear();
        one.gone.clear();
        for (std::int64_t left = steps.integer(1); left > 0; --left, ++id) {
            if (!entries.step() || entries.integer(0) != id) {
                damaged(fmt::format("entry {} is missing: expected all from 0", id));
            }
            one.entries.push_back(read_entry(entries));
            one.digests.push_back(digest_of(one.entries.back()));
            if (one.digests.back() != sqlite::hash_of(entries.blob(16)) || one.entries.back().step != number) {
                damaged(
                    fmt::format("entry {} is not what its digest says: expected it as step {} wrote it", id, number));
            }
        }
        for (std::int64_t left = steps.integer(2); left > 0; --left) {
            if (!outcomes.step() || outcomes.integer(0) != number) {
                damaged(fmt::format("an outcome of step {} is missing: expected {}", number, steps.integer(2)));
            }
            one.outcomes.push_back({outcomes.integer(1), outcomes.integer(2), outcomes.integer(3), outcomes.integer(4),
                                    outcomes.integer(5)});
        }
        for (std::int64_t left = steps.integer(4); left > 0; --left) {
            if (!gone.step() || gone.integer(0) != number) {
                damaged(
                    fmt::format("an entry that left at step {} is not named: expected {}", number, steps.integer(4)));
            }
            one.gone.push_back(gone.integer(1));
        }
        take(one, sqlite::hash_of(steps.blob(3)));
    }
    if (entries.step() || outcomes.step() || gone.step()) {
        damaged("has entries or outcomes that no step wrote: expected none");
    }
}

std::optional<instance_hash> file::link_after(std::int64_t step) const {
    sqlite::statement one = base_.prepare("SELECT link FROM step WHERE number=?");
    if (!one.with(step).step()) {
        return std::nullopt;
    }
    return sqlite::hash_of(one.blob(0));
}

entry file::read(std::int64_t id) const {
    sqlite::statement& one = *reading_;
    if (!one.with(id).step()) {
        damaged(fmt::format("entry {} is missing: expected all from 0", id));
    }
    entry out = read_entry(one);
    bool const sound = digest_of(out) == sqlite::hash_of(one.blob(16));
    one.reset();  // an open read would block a writer
    if (!sound) {
        damaged(fmt::format("entry {} is not what its digest says", id));
    }
    return out;
}

std::optional<instance_hash> file::part_digest(part_name const& name) const {
    sqlite::statement one = base_.prepare("SELECT digest FROM part WHERE step=? AND rank=? AND sequence=?");
    if (!one.with(name.step, name.rank, name.sequence).step()) {
        return std::nullopt;
    }
    return sqlite::hash_of(one.blob(0));
}

void file::write(step_record const& step, instance_hash link, std::int64_t first, delta const& parts) {
    sqlite::transaction all(base_);
    sqlite::statement put =
        base_.prepare(fmt::format("INSERT INTO entry ({}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", entry_columns));
    auto const number = [&](std::int32_t position, std::int64_t value) {
        value == no_objective ? put.bind(position, nullptr) : put.bind(position, value);
    };
    for (std::size_t i = 0; i < step.entries.size(); ++i) {
        entry const& one = step.entries[i];
        auto const canonical = sqlite::bytes_of(one.canonical), parent = sqlite::bytes_of(one.parent),
                   digest = sqlite::bytes_of(step.digests[i]);
        std::vector<std::byte> const words = store::pack(one.words), answer = store::pack(one.answer);
        put.reset();
        put.bind(1, first + std::int64_t(i));
        put.bind(2, one.task);
        put.bind(3, one.version);
        put.bind(4, sqlite::bytes(canonical));
        put.bind(5, std::int64_t(one.coarse));
        put.bind(6, sqlite::bytes(words));
        put.bind(7, std::int64_t(one.infeasible));
        number(8, one.objective);
        number(9, one.floor);
        number(10, one.greedy);
        put.bind(11, one.steps);
        put.bind(12, one.budget);
        put.bind(13, sqlite::bytes(answer));
        put.bind(14, std::int64_t(one.kind));
        put.bind(15, sqlite::bytes(parent));
        put.bind(16, one.step);
        put.bind(17, sqlite::bytes(digest));
        while (put.step()) {
        }
    }
    put.reset();
    sqlite::statement seen = base_.prepare("INSERT INTO outcome VALUES (?,?,?,?,?,?)");
    for (outcome const& one : step.outcomes) {
        seen.run(step.number, one.entry, one.attempts, one.solved, one.quality, one.quality_sq);
    }
    sqlite::statement came = base_.prepare("INSERT INTO part VALUES (?,?,?,?)");
    for (auto const& [name, one] : parts.parts()) {
        auto const digest = sqlite::bytes_of(digest_of(one));
        came.run(name.step, name.rank, name.sequence, sqlite::bytes(digest));
    }
    sqlite::statement left = base_.prepare("INSERT INTO gone VALUES (?,?)");
    for (std::int64_t const id : step.gone) {
        left.run(step.number, id);
    }
    auto const linked = sqlite::bytes_of(link);
    base_.prepare("INSERT INTO step VALUES (?,?,?,?,?)")
        .run(step.number, std::int64_t(step.entries.size()), std::int64_t(step.outcomes.size()),
             std::int64_t(step.gone.size()), sqlite::bytes(linked));
    all.commit();
}

void file::drop(std::int64_t from, std::int64_t first) {
    base_.prepare("DELETE FROM entry WHERE id>=?").run(first);
    for (char const* const table : {"outcome", "gone", "part"}) {
        base_.prepare(fmt::format("DELETE FROM {} WHERE step>=?", table)).run(from);
    }
    base_.prepare("DELETE FROM step WHERE number>=?").run(from);
}

}  // namespace optgap::pool
