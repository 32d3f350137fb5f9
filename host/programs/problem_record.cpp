#include "host/programs/problem_record.hpp"

#include <fmt/format.h>

#include "optgap/status.hpp"

#include <nlohmann/json.hpp>

namespace optgap::programs {
namespace {

std::vector<std::vector<std::int32_t>> own_instances(engine const& by, std::int32_t task, json const& list) {
    if (!list.is_array() || list.empty() || list.size() > std::size_t(max_instances)) {
        throw field_error("instances", fmt::format("must be a list of 1 to {} instances", max_instances));
    }
    std::vector<std::vector<std::int32_t>> out;
    for (std::size_t k = 0; k < list.size(); ++k) {
        try {
            out.push_back(by.instance_words(task, list[k].dump(-1, ' ', false, json::error_handler_t::replace)));
        } catch (field_error const& broken) {
            throw field_error(fmt::format("instances[{}].{}", k, broken.field()), broken.rule());
        }
    }
    return out;
}

/// The index of a task named "tsp" or "tsp@1".
std::int32_t task_of(engine const& by, std::string const& field, std::string const& name) {
    std::size_t const at = name.find('@');
    std::int32_t version = 0;
    if (at != std::string::npos) {
        std::string const digits = name.substr(at + 1);
        if (digits.empty() || digits.size() > 6 || digits.find_first_not_of("0123456789") != std::string::npos) {
            throw field_error(field, fmt::format("names no version behind @ in '{}'", name));
        }
        version = std::stoi(digits);
    }
    try {
        return by.task_index(name.substr(0, at), version);
    } catch (error const& unknown) {
        throw field_error(field, unknown.what());
    }
}

}  // namespace

posed_problem read_problem(engine const& by, problem_claim const& claim) {
    std::optional<problem_key> key;
    posed_problem made;
    if (claim.key) {
        key = parse_problem_key(*claim.key);
        made.task = task_of(by, "key", fmt::format("{}@{}", key->first.task, key->first.version));
    }
    if (claim.task) {
        std::int32_t const named = task_of(by, "task", *claim.task);
        if (key && named != made.task) {
            throw field_error("task", fmt::format("is '{}', but the key names '{}'", *claim.task, key->first.task));
        }
        made.task = named;
    }
    if (made.task < 0) {
        throw field_error("task", "missing: `instances` need the name of their task");
    }
    std::vector<std::vector<std::int32_t>> own;
    if (claim.instances != nullptr) {
        own = own_instances(by, made.task, *claim.instances);
    } else if (!key) {
        throw field_error("instances", "missing, and so is a `key` that names them");
    } else if (key->first.is_explicit) {
        throw field_error("instances", "missing: the key of a user's own problem does not hold them");
    }
    if (key && !own.empty() && std::int32_t(own.size()) != key->count) {
        throw field_error("instances", fmt::format("are {}, but the key names {}", own.size(), key->count));
    }
    if (key && !key->first.is_explicit) {
        made.specs = specs_of(*key, made.task);
        instance_batch const generated = by.generate(made.specs);
        bool const given = !own.empty();
        for (std::int64_t k = 0; k < generated.size(); ++k) {
            auto const words = generated.blocks.row(k);
            if (given && hash_words(own[std::size_t(k)]) != hash_words(words)) {
                throw field_error(fmt::format("instances[{}]", k), "is not the one that `key` names");
            }
            if (!given) {
                own.emplace_back(words.begin(), words.end());
            }
        }
    } else {
        made.specs.assign(own.size(), {-1, {}, split::train, 0});
    }
    std::vector<instance_hash> hashes;
    for (std::vector<std::int32_t> const& words : own) {
        hashes.push_back(hash_words(words));
        made.instances.append(made.task, words);
    }
    made.hash = problem_hash(hashes);
    if (key && !hex32(made.hash).starts_with(key->first.hash)) {
        throw field_error("key", fmt::format("its hash is {}, but that of its instances is {}", key->first.hash,
                                             hex32(made.hash).substr(0, key->first.hash.size())));
    }
    task_info const& info = by.tasks()[std::size_t(made.task)];
    problem_key named;
    named.count = std::int32_t(own.size());
    named.first = made.specs[0].task < 0 ? explicit_key(info, made.hash) : key_of(info, made.specs[0], made.hash);
    made.key = to_string(named);
    return made;
}

}  // namespace optgap::programs
