#include <sqlite3.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "host/sqlite/sqlite.hpp"

namespace optgap::sqlite {
namespace {

constexpr std::string_view magic("SQLite format 3\0", 16);

/// The first bytes of a file; fewer when it has fewer.
std::string head_of(std::string const& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
        throw failure(problem::cannot_open, path,
                      fmt::format("cannot be opened: {}; expected a file that may be read", std::strerror(errno)));
    }
    std::string head(100, '\0');
    stream.read(head.data(), std::streamsize(head.size()));
    head.resize(std::size_t(stream.gcount()));
    return head;
}

/// Whether the file has bytes: an empty journal counts as none.
bool has_bytes(std::string const& path) {
    struct stat found {};
    return stat(path.c_str(), &found) == 0 && found.st_size > 0;
}

/// Throws for what can be checked before SQLite opens the file. An empty file is a database without a table.
void require_database(std::string const& path, access how) {
    struct stat found {};
    if (stat(path.c_str(), &found) != 0) {
        if (how == access::create && errno == ENOENT) {
            return;
        }
        throw failure(
            problem::cannot_open, path,
            fmt::format("cannot be opened: {}; expected a file that is there and may be read", std::strerror(errno)));
    }
    if (!S_ISREG(found.st_mode)) {
        throw failure(problem::cannot_open, path, "is no file; expected a SQLite file");
    }
    std::string const head = head_of(path);
    if (head.empty() && how != access::immutable) {
        return;
    }
    if (head.size() < 100 || std::string_view(head).substr(0, magic.size()) != magic) {
        throw failure(problem::no_database, path, "is no SQLite file: expected one that begins with 'SQLite format 3'");
    }
    if (head[18] != 1 || head[19] != 1) {
        throw failure(problem::journal, path,
                      "has a write-ahead log: expected a rollback journal (PRAGMA journal_mode=DELETE makes it so)");
    }
    if (how == access::immutable && has_bytes(path + "-journal")) {
        throw failure(problem::journal, path,
                      fmt::format("an unfinished transaction lies beside it ({}-journal): expected a file that nobody "
                                  "writes; open it for reading once",
                                  path));
    }
}

/// The path in the form of SQLite's URIs.
std::string uri_of(std::string const& path) {
    std::string out = "file:";
    if (path.starts_with('/')) {
        out += "//";
    }
    for (char const c : path) {
        if (c == '%' || c == '?' || c == '#') {
            out += fmt::format("%{:02x}", static_cast<unsigned char>(c));
        } else {
            out += c;
        }
    }
    return out + "?immutable=1";
}

}  // namespace

bool available() { return true; }
std::string version() { return sqlite3_libversion(); }

database::database(std::string path, open_options const& options) : path_(std::move(path)) {
    require_database(path_, options.how);
    network_ = network_file_system(path_);
    bool const fixed = options.how == access::immutable;
    bool const reads = fixed || options.how == access::read;
    // A reader must be able to roll back what a killed writer left, where the system lets it write at all.
    int const flags = (fixed ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) |
                      (options.how == access::create ? SQLITE_OPEN_CREATE : 0) | (fixed ? SQLITE_OPEN_URI : 0) |
                      SQLITE_OPEN_NOMUTEX;
    int code = sqlite3_open_v2(fixed ? uri_of(path_).c_str() : path_.c_str(), &made_, flags, nullptr);
    try {
        if (code != SQLITE_OK) {
            fail(code, "cannot be opened");
        }
        sqlite3_extended_result_codes(made_, 1);
        sqlite3_busy_timeout(made_, options.busy_milliseconds);
        if (options.mapped_bytes > 0) {
            execute(fmt::format("PRAGMA mmap_size={}", options.mapped_bytes));
        }
        if (options.cache_bytes > 0) {
            execute(fmt::format("PRAGMA cache_size=-{}", options.cache_bytes / 1024));
        }
        if (!reads) {
            // Where locks on parts of a file are unreliable, the whole file is locked.
            execute(network_.empty() ? "PRAGMA journal_mode=DELETE"
                                     : "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=DELETE");
            execute("PRAGMA synchronous=FULL");
        }
        // Reading the file rolls back a killed writer's transaction.
        static_cast<void>(integer("SELECT count(*) FROM sqlite_schema"));
        if (reads) {
            execute("PRAGMA query_only=ON");
        }
    } catch (...) {
        sqlite3_close_v2(made_);
        throw;
    }
}

database::~database() { sqlite3_close_v2(made_); }

void database::fail(std::int32_t code, std::string const& doing) const {
    auto const said = [&](problem kind, std::string const& expected) {
        throw failure(kind, path_,
                      fmt::format("{}: {}; {}", doing, made_ != nullptr ? sqlite3_errmsg(made_) : sqlite3_errstr(code),
                                  expected));
    };
    switch (code & 0xff) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            said(problem::busy, "another process holds it; expected to have it before the timeout ended");
            break;
        case SQLITE_FULL: said(problem::full, "expected room to write; nothing of this transaction is kept"); break;
        case SQLITE_READONLY: said(problem::read_only, "expected a file and a folder that may be written"); break;
        case SQLITE_NOTADB: said(problem::no_database, "expected a SQLite file"); break;
        case SQLITE_CORRUPT: {
            struct stat found {};
            bool const seen = stat(path_.c_str(), &found) == 0;
            said(problem::damaged,
                 seen ? fmt::format("expected a whole file, found {} bytes", found.st_size) : "expected a whole file");
            break;
        }
        case SQLITE_CANTOPEN: said(problem::cannot_open, "expected a file in a folder that may be read"); break;
        case SQLITE_CONSTRAINT: said(problem::conflict, "the schema refuses it"); break;
        case SQLITE_IOERR: {
            int const system = made_ != nullptr ? sqlite3_system_errno(made_) : 0;
            said(system == EFBIG || system == EDQUOT ? problem::full : problem::input_output,
                 fmt::format("the system said: {}", system != 0 ? std::strerror(system) : "nothing"));
            break;
        }
        case SQLITE_AUTH:
        case SQLITE_PERM: said(problem::cannot_open, "expected the right to it"); break;
        default: said(problem::misuse, "expected SQL that this schema takes"); break;
    }
    throw failure(problem::misuse, path_, doing);
}

void database::execute(std::string const& sql) const {
    int const code = sqlite3_exec(made_, sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) {
        fail(code, fmt::format("'{}'", sql.substr(0, 80)));
    }
}

statement database::prepare(std::string_view sql) const {
    sqlite3_stmt* made = nullptr;
    int const code = sqlite3_prepare_v2(made_, sql.data(), int(sql.size()), &made, nullptr);
    if (code != SQLITE_OK) {
        fail(code, fmt::format("'{}'", sql.substr(0, 80)));
    }
    return {*this, made};
}

std::int64_t database::integer(std::string_view sql, std::int64_t fallback) const {
    statement one = prepare(sql);
    return one.step() && !one.is_null(0) ? one.integer(0) : fallback;
}

void database::set_user_version(std::int64_t number) const { execute(fmt::format("PRAGMA user_version={}", number)); }
std::int64_t database::changes() const { return sqlite3_changes64(made_); }

void database::check_integrity() const {
    statement words = prepare("PRAGMA integrity_check(1)");
    std::string const first = words.step() ? std::string(words.text(0)) : std::string("no answer");
    if (first != "ok") {
        throw failure(problem::damaged, path_,
                      fmt::format("is damaged: {}; expected integrity_check to say ok", first));
    }
}

transaction::transaction(database const& of) : of_(of) { of_.execute("BEGIN IMMEDIATE"); }

transaction::~transaction() {
    if (open_) {
        try {
            of_.execute("ROLLBACK");
        } catch (failure const&) {  // SQLite rolled back by itself when it failed
        }
    }
}

void transaction::commit() {
    of_.execute("COMMIT");
    open_ = false;
}

snapshot::snapshot(database const& of) : of_(of) { of_.execute("BEGIN"); }

snapshot::~snapshot() {
    try {
        of_.execute("ROLLBACK");
    } catch (failure const&) {  // SQLite ended it by itself when a read failed
    }
}

}  // namespace optgap::sqlite
