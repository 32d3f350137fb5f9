#include "tools/cli/pay/kinds/program_problems.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <optional>

#include "tools/cli/rows/json_text.hpp"

namespace optgap::cli {
namespace {

std::string problem_claim(json_row const& row) {
    std::string text;
    for (std::string_view const name : {"key", "task", "instances"}) {
        std::string_view const* const value = row.find(name);
        text += value == nullptr ? std::string_view() : *value;
        text += '\n';
    }
    return text;
}

bool is_given(json_row const& row, std::string_view name) {
    std::string_view const* const value = row.find(name);
    return value != nullptr && !is_json_null(*value);
}

}  // namespace

bool is_program_row(json_row const& row) {
    std::string_view const* const key = row.find("key");
    bool const perhaps = key != nullptr && is_json_string(*key) && key->find_first_of("*\\") != std::string_view::npos;
    bool const named = perhaps && programs::is_problem_key(decode_json_string(*key));
    return named || is_given(row, "instances");
}

std::vector<std::vector<std::int32_t>> program_problems::own_instances(json_row const& row, std::int32_t task) const {
    auto const list = read_json(*row.find("instances"));
    if (!list.is_array() || list.empty() || list.size() > std::size_t(programs::most_instances)) {
        throw field_error("instances", fmt::format("must be a list of 1 to {} instances", programs::most_instances));
    }
    std::vector<std::vector<std::int32_t>> out;
    for (std::size_t k = 0; k < list.size(); ++k) {
        try {
            out.push_back(ctx_.get_engine().instance_words(task, json_text(list[k])));
        } catch (field_error const& broken) {
            throw field_error(fmt::format("instances[{}].{}", k, broken.field()), broken.rule());
        }
    }
    return out;
}

program_problems::problem program_problems::read(json_row const& row) {
    auto const task_of = [&](std::string_view field, std::string_view name) {
        try {
            return ctx_.task_named(name);
        } catch (usage_error const& unknown) {
            throw field_error(std::string(field), unknown.what());
        }
    };
    std::optional<programs::problem_key> key;
    problem made;
    if (auto const text = string_of(row, "key")) {
        key = programs::parse_problem_key(*text);
        made.task = task_of("key", fmt::format("{}@{}", key->first.task, key->first.version));
    }
    if (auto const name = string_of(row, "task")) {
        std::int32_t const named = task_of("task", *name);
        if (key && named != made.task) {
            throw field_error("task", fmt::format("is '{}', but the key names '{}'", *name, key->first.task));
        }
        made.task = named;
    }
    if (made.task < 0) {
        throw field_error("task", "missing: `instances` need the name of their task");
    }
    std::vector<std::vector<std::int32_t>> own;
    if (is_given(row, "instances")) {
        own = own_instances(row, made.task);
    } else if (key->first.is_explicit) {
        throw field_error("instances", "missing: the key of a user's own problem does not hold them");
    }
    if (key && !own.empty() && std::int32_t(own.size()) != key->count) {
        throw field_error("instances", fmt::format("are {}, but the key names {}", own.size(), key->count));
    }
    if (key && !key->first.is_explicit) {
        made.specs = programs::specs_of(*key, made.task);
        instance_batch const generated = ctx_.get_engine().generate(made.specs);
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
    }
    made.hash = programs::problem_hash(hashes);
    if (key && !hex32(made.hash).starts_with(key->first.hash)) {
        throw field_error("key", fmt::format("its hash is {}, but that of its instances is {}", key->first.hash,
                                             hex32(made.hash).substr(0, key->first.hash.size())));
    }
    made.rows = {instances_.size(), std::int32_t(own.size())};
    for (std::vector<std::int32_t> const& words : own) {
        instances_.append(made.task, words);
    }
    return made;
}

std::int32_t program_problems::add(json_row const& row) {
    std::string claim = problem_claim(row);
    if (auto const known = known_.find(claim); known != known_.end()) {
        return known->second;
    }
    problems_.push_back(read(row));
    std::int32_t const index = std::int32_t(problems_.size()) - 1;
    known_.emplace(std::move(claim), index);
    return index;
}

}  // namespace optgap::cli
