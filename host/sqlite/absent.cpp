// Replaces database.cpp and statement.cpp where SQLite's library was not found: every file is refused with one
// sentence.

#include "host/sqlite/sqlite.hpp"

namespace optgap::sqlite {
namespace {

[[noreturn]] void refuse(std::string const& path) {
    throw failure(problem::missing, path,
                  "this build has no SQLite: expected libsqlite3-dev (tools/setup.sh) when it was built");
}

}  // namespace

bool available() { return false; }
std::string version() { return {}; }

database::database(std::string path, open_options const&) : path_(std::move(path)) { refuse(path_); }
database::~database() = default;
statement database::prepare(std::string_view) const { refuse(path_); }
void database::execute(std::string const&) const { refuse(path_); }
std::int64_t database::integer(std::string_view, std::int64_t) const { refuse(path_); }
void database::set_user_version(std::int64_t) const { refuse(path_); }
std::int64_t database::changes() const { refuse(path_); }
void database::check_integrity() const { refuse(path_); }
void database::fail(std::int32_t, std::string const&) const { refuse(path_); }

transaction::transaction(database const& of) : of_(of) { refuse(of.path()); }
transaction::~transaction() = default;
void transaction::commit() { refuse(of_.path()); }
snapshot::snapshot(database const& of) : of_(of) { refuse(of.path()); }
snapshot::~snapshot() = default;

statement::statement(statement&& other) noexcept : of_(other.of_), made_(nullptr) {}
statement::~statement() = default;
void statement::bind(std::int32_t, std::int64_t) { refuse(of_->path()); }
void statement::bind(std::int32_t, double) { refuse(of_->path()); }
void statement::bind(std::int32_t, std::string_view) { refuse(of_->path()); }
void statement::bind(std::int32_t, bytes) { refuse(of_->path()); }
void statement::bind(std::int32_t, std::nullptr_t) { refuse(of_->path()); }
bool statement::step() { refuse(of_->path()); }
void statement::reset() { refuse(of_->path()); }
void statement::require(std::int32_t, std::int32_t, char const*) const { refuse(of_->path()); }
bool statement::is_null(std::int32_t) const { refuse(of_->path()); }
std::int64_t statement::integer(std::int32_t) const { refuse(of_->path()); }
double statement::real(std::int32_t) const { refuse(of_->path()); }
std::string_view statement::text(std::int32_t) const { refuse(of_->path()); }
bytes statement::blob(std::int32_t) const { refuse(of_->path()); }

}  // namespace optgap::sqlite
