#include "host/store/digest.hpp"

#include <xxhash.h>

#include <fmt/format.h>

#include "host/store/byte_line.hpp"

namespace optgap::store {
namespace {

void add(byte_line& line, row_key const& key) {
    line.text(key.task);
    line.number(key.version);
    line.number(key.part);
    line.number(key.level);
    line.number(key.seed);
    line.hash(key.own);
}

void add(byte_line& line, origin const& by) {
    line.number(by.steps);
    line.number(by.budget);
    line.text(by.solver);
    line.text(by.engine);
}

}  // namespace

instance_hash byte_line::hash() const {
    XXH128_hash_t const made = XXH3_128bits(bytes_.data(), bytes_.size());
    return {made.high64, made.low64};
}

instance_hash digest_of(row const& one) {
    byte_line line;
    line.text("store row 2");
    add(line, one.key);
    line.hash(one.hash);
    line.number(std::int64_t(one.status()));
    line.number(one.objective);
    line.block(one.answer);
    add(line, one.found);
    line.number(one.bound);
    line.text(one.bound_kind);
    add(line, one.bounded);
    line.number(one.floor);
    line.number(one.greedy);
    line.number(one.published);
    line.number(one.tried);
    return line.hash();
}

instance_hash digest_of(row_key const& key, own_instance const& own) {
    byte_line line;
    line.text("store instance 2");
    add(line, key);
    line.text(own.name);
    line.block(own.words);
    return line.hash();
}

damaged_row::damaged_row(std::string const& path, row_key const& key, instance_hash hash, std::string const& what)
    : failure(sqlite::problem::damaged, path,
              fmt::format("{}: {} is not what was written: expected a whole "
                          "file; `optgap store verify {}` lists every such row",
                          to_string(key, hash), what, path)),
      name_(to_string(key, hash)) {}

}  // namespace optgap::store
