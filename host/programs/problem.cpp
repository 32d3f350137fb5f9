#include "host/programs/problem.hpp"

#include <xxhash.h>

#include <charconv>

#include "optgap/status.hpp"

namespace optgap::programs {
namespace {

constexpr char const* problem_form =
    "expected TASK@VERSION:SPLIT:LEVEL:SEED*K[:sSTYLE][#HASH8] or TASK@VERSION:x:HASH32*K, such as "
    "tsp@1:train:hard:42*10#9f3a1c2e, with K from 1 to 1000";

}  // namespace

bool is_problem_key(std::string_view text) {
    return text.substr(0, text.find('#')).find('*') != std::string_view::npos;
}

problem_key parse_problem_key(std::string_view text) {
    std::size_t const star = text.find('*');
    std::string_view const tail = star == std::string_view::npos ? std::string_view() : text.substr(star + 1);
    std::size_t const digits = tail.find_first_not_of("0123456789");
    std::string_view const number = tail.substr(0, digits);
    problem_key key;
    auto const [end, problem] = std::from_chars(number.data(), number.data() + number.size(), key.count);
    bool const whole = !number.empty() && number[0] != '0' && problem == std::errc();
    if (!whole || key.count < 1 || key.count > max_instances) {
        throw field_error(
            "key", "no number of instances behind * in '" + std::string(text.substr(0, 120)) + "'; " + problem_form);
    }
    std::string const rest =
        std::string(text.substr(0, star)) + std::string(digits == std::string_view::npos ? "" : tail.substr(digits));
    try {
        key.first = parse_key(rest);
    } catch (field_error const& broken) {
        throw field_error("key", broken.rule() + "; a problem's key: " + problem_form);
    }
    return key;
}

std::string to_string(problem_key const& key) {
    std::string text = to_string(key.first);
    std::string const count = "*" + std::to_string(key.count);
    if (key.first.is_explicit) {
        return text + count;
    }
    instance_key bare = key.first;
    bare.style = 0;
    bare.hash.clear();
    std::size_t const at = to_string(bare).size();  // after the seed
    return text.insert(at, count);
}

instance_hash problem_hash(std::span<instance_hash const> instances) {
    static_assert(sizeof(instance_hash) == 16);
    XXH128_hash_t const hash = XXH3_128bits(instances.data(), instances.size_bytes());
    return {hash.high64, hash.low64};
}

std::vector<instance_spec> specs_of(problem_key const& key, std::int32_t task) {
    if (key.first.is_explicit) {
        throw field_error("key", "an explicit key holds only a hash: the row must carry its `instances`");
    }
    if (key.first.seed > UINT64_MAX - std::uint64_t(key.count - 1)) {
        throw field_error("key", "the last of " + std::to_string(key.count) + " seeds from " +
                                     std::to_string(key.first.seed) + " on does not fit into 64 bits");
    }
    std::vector<instance_spec> specs;
    for (std::int32_t k = 0; k < key.count; ++k) {
        specs.push_back({task, key.first.level, key.first.part, key.first.seed + std::uint64_t(k)});
    }
    return specs;
}

instance_spec example_of(problem_key const& key, std::int32_t task) {
    instance_spec spec{task, difficulty::easy(), key.first.part, key.first.seed};
    if (key.first.is_explicit) {
        spec.part = split::train;
        spec.seed = 0;
    } else if (key.first.level.code == spec.level.code) {
        std::uint64_t const count = std::uint64_t(key.count);
        spec.seed = key.first.seed <= UINT64_MAX - count ? key.first.seed + count : key.first.seed - 1;
    }
    return spec;
}

}  // namespace optgap::programs
