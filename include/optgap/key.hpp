#pragma once  // Stable.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "optgap/difficulty.hpp"

namespace optgap {

/// Part of the random key, so that splits never share an instance.
enum class split : std::int32_t { train = 0, val = 1, test = 2 };

/// XXH3-128 over an instance's words in little-endian order.
struct instance_hash {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    friend constexpr bool operator==(instance_hash, instance_hash) = default;
};

/// The text that names an instance: `tsp@1:train:hard:42:s3#9f3a1c2e`, or `tsp@1:x:HASH32` for a user's own.
struct instance_key {
    std::string task;
    std::int32_t version = 1;
    bool is_explicit = false;  ///< then only `hash` (32 digits) identifies the instance
    split part = split::train;
    difficulty level;
    std::uint64_t seed = 0;
    std::int32_t style = 0;  ///< prompt style
    std::string hash;        ///< lower-case hex, 8 digits (32 when explicit); empty when the text had none
};

/// Throws field_error{"key", …} that says which part is wrong and what was expected.
instance_key parse_key(std::string_view text);
std::string to_string(instance_key const& key);

/// "easy", "medium", "hard", "benchmark" or "dN"; throws field_error{"level", …}.
difficulty parse_level(std::string_view text);
std::string level_name(difficulty level);
/// "train", "val" or "test"; throws field_error{"split", …}.
split parse_split(std::string_view text);
char const* split_name(split part);

instance_hash hash_words(std::span<std::int32_t const> words);
std::string hex8(instance_hash hash);   ///< what generated keys carry
std::string hex32(instance_hash hash);  ///< what explicit keys carry

/// The random domain of one task, version, split and level: the low 32 bits of XXH3-64 of "task@version:split:level".
std::uint32_t random_domain(std::string_view task, std::int32_t version, split part, difficulty level);

}  // namespace optgap
