#include "optgap/proposals/pool_mix.hpp"

#include "host/specs/spec_json.hpp"
#include "kernels/core/rng.hpp"

namespace optgap {

using namespace spec_json;

namespace {

constexpr std::uint32_t mix_purpose = 0x706d6978;  ///< of the random words: "pmix"

}  // namespace

pool_mix parse_pool_mix(std::string_view text) {
    json const object = read_object(text, "curriculum", "policy");
    if (!object.contains("policy") || object["policy"] != "pool") {
        refuse("curriculum.policy: expected \"pool\", for a share of problems from a pool");
    }
    pool_mix out;
    for (auto const& [field, value] : object.items()) {
        if (field == "scale" || field == "ladder") {  // `ladder` is the former name
            out.scale = number(value, "curriculum." + field, 0.0, 1.0);
        } else if (field == "inner") {
            bool const nested = value.is_object() && value.value("policy", json()) == "pool";
            if (nested || !(value.is_object() || value.is_string())) {
                refuse("curriculum.inner: expected another policy's name or object, got " + value.dump());
            }
            out.inner = parse_curriculum_spec(value.is_string() ? value.get<std::string>() : value.dump());
        } else if (field != "policy") {
            refuse("curriculum." + field + " is not a field of the policy pool; there are scale and inner");
        }
    }
    return out;
}

std::string to_json(pool_mix const& mix) {
    return json{{"policy", "pool"}, {"scale", mix.scale}, {"inner", json::parse(to_json(mix.inner))}}.dump();
}

bool from_scale(pool_mix const& mix, std::uint64_t seed, std::int64_t step, std::int64_t index) {
    philox_block const words =
        philox(seed, std::uint32_t(index), std::uint32_t(step), mix_purpose, std::uint32_t(std::uint64_t(step) >> 32));
    return std::uint64_t(words.word[0]) < std::uint64_t(mix.scale * 4294967296.0);
}

}  // namespace optgap
