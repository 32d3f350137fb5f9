#include <sqlite3.h>

#include <utility>

#include <fmt/format.h>

#include "host/sqlite/sqlite.hpp"

namespace optgap::sqlite {
namespace {

char const* type_name(int type) {
    switch (type) {
        case SQLITE_INTEGER: return "an integer";
        case SQLITE_FLOAT: return "a real number";
        case SQLITE_TEXT: return "text";
        case SQLITE_BLOB: return "bytes";
        default: return "nothing";
    }
}

}  // namespace

statement::statement(statement&& other) noexcept : of_(other.of_), made_(std::exchange(other.made_, nullptr)) {}
statement::~statement() { sqlite3_finalize(made_); }

void statement::bind(std::int32_t position, std::int64_t value) {
    if (int const code = sqlite3_bind_int64(made_, position, value); code != SQLITE_OK) {
        of_->fail(code, fmt::format("value {}", position));
    }
}

void statement::bind(std::int32_t position, double value) {
    if (int const code = sqlite3_bind_double(made_, position, value); code != SQLITE_OK) {
        of_->fail(code, fmt::format("value {}", position));
    }
}

void statement::bind(std::int32_t position, std::string_view value) {
    // A null pointer would bind NULL.
    char const* const text = value.data() == nullptr ? "" : value.data();
    if (int const code = sqlite3_bind_text64(made_, position, text, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
        code != SQLITE_OK) {
        of_->fail(code, fmt::format("value {}", position));
    }
}

void statement::bind(std::int32_t position, bytes value) {
    void const* const data = value.data() == nullptr ? "" : static_cast<void const*>(value.data());
    if (int const code = sqlite3_bind_blob64(made_, position, data, value.size(), SQLITE_TRANSIENT);
        code != SQLITE_OK) {
        of_->fail(code, fmt::format("value {}", position));
    }
}

void statement::bind(std::int32_t position, std::nullptr_t) {
    if (int const code = sqlite3_bind_null(made_, position); code != SQLITE_OK) {
        of_->fail(code, fmt::format("value {}", position));
    }
}

bool statement::step() {
    int const code = sqlite3_step(made_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        std::string const sql = sqlite3_sql(made_);
        try {
            of_->fail(code, fmt::format("'{}'", sql.substr(0, 80)));
        } catch (...) {
            sqlite3_reset(made_);
            throw;
        }
    }
    return code == SQLITE_ROW;
}

void statement::reset() { sqlite3_reset(made_); }  // its code is that of the last step, which has thrown it

void statement::require(std::int32_t column, std::int32_t type, char const* wanted) const {
    if (int const found = sqlite3_column_type(made_, column); found != type) {
        char const* const name = sqlite3_column_name(made_, column);
        throw failure(
            problem::wrong_type, of_->path(),
            fmt::format("column {} holds {}: expected {}", name == nullptr ? "" : name, type_name(found), wanted));
    }
}

bool statement::is_null(std::int32_t column) const { return sqlite3_column_type(made_, column) == SQLITE_NULL; }

std::int64_t statement::integer(std::int32_t column) const {
    require(column, SQLITE_INTEGER, "an integer");
    return sqlite3_column_int64(made_, column);
}

double statement::real(std::int32_t column) const {
    require(column, SQLITE_FLOAT, "a real number");
    return sqlite3_column_double(made_, column);
}

std::string_view statement::text(std::int32_t column) const {
    require(column, SQLITE_TEXT, "text");
    auto const* const text = reinterpret_cast<char const*>(sqlite3_column_text(made_, column));
    return {text, std::size_t(sqlite3_column_bytes(made_, column))};
}

bytes statement::blob(std::int32_t column) const {
    require(column, SQLITE_BLOB, "bytes");
    auto const* const data = static_cast<std::byte const*>(sqlite3_column_blob(made_, column));
    return {data, std::size_t(sqlite3_column_bytes(made_, column))};
}

}  // namespace optgap::sqlite
