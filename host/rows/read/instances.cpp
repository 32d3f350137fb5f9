#include "host/rows/read/instances.hpp"

#include <deque>

#include <fmt/format.h>

#include "host/rows/json/json_text.hpp"
#include "host/rows/read/fields.hpp"

namespace optgap::rows {
namespace {

/// Writes the raw texts that identify a row's instance. Equal texts mean the same instance.
void write_claim(json_row const& row, std::string& text) {
    text.clear();
    for (std::string_view const name : {"key", "task", "instance", "hash"}) {
        std::string_view const* const value = row.find(name);
        text += value == nullptr ? std::string_view() : *value;
        text += '\n';
    }
}

bool is_hash(std::string_view text) {
    return (text.size() == 8 || text.size() == 32) &&
           text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

std::int32_t instance_set::add(std::int32_t task, std::span<std::int32_t const> words) {
    instance_id const id{task, hash_words(words)};
    auto const [place, is_new] = index_.try_emplace(id, std::int32_t(ids_.size()));
    if (is_new) {
        batch_.append(task, words);
        ids_.push_back(id);
        specs_.push_back({-1, {}, split::train, 0});
    }
    return place->second;
}

/// Reads and checks everything but the key's own instance.
void instance_set::read(row_item const& item, claim& out) {
    auto const task_of = [&](std::string_view field, std::string_view name) {
        try {
            return tasks_.named(name);
        } catch (error const& unknown) {
            throw field_error(std::string(field), unknown.what());
        }
    };
    if (auto const text = string_of(item.row, "key")) {
        try {
            out.key = parse_key(*text);
        } catch (field_error const& broken) {
            throw field_error("key", broken.rule());
        }
        out.task = task_of("key", fmt::format("{}@{}", out.key->task, out.key->version));
    }
    if (auto const name = string_of(item.row, "task")) {
        std::int32_t const named = task_of("task", *name);
        if (out.key && named != out.task) {
            throw field_error("task", fmt::format("is '{}', but the key names '{}'", *name, out.key->task));
        }
        out.task = named;
    }
    std::string_view const* const instance = item.row.find("instance");
    out.has_words = instance != nullptr && !is_json_null(*instance);
    if (out.task < 0) {
        bool const lost = out.has_words;
        throw field_error(lost ? "task" : "key", lost ? "missing: `instance` needs the name of its task"
                                                      : "missing: a row needs `key`, or `task` and `instance`");
    }
    if (!out.has_words && (!out.key || out.key->is_explicit)) {
        throw field_error("instance",
                          out.key ? "missing: the key of a user's own instance does not hold it" : "missing");
    }
    if (out.has_words) {
        out.words = instance_words(tasks_.text(out.task), *instance);
    }
    if (out.key && !out.key->is_explicit) {
        static_cast<void>(tasks_.made_by().spec_of(*out.key));
    }
    if (std::string_view const* const hash = item.row.find("hash"); hash != nullptr && is_json_string(*hash)) {
        std::string text = decode_json_string(*hash);
        out.hash = is_hash(text) ? std::move(text) : std::string();
    }
}

/// Compares the row's fields with what its key generates (empty for explicit keys and rows without a key).
void instance_set::settle(claim& out, std::span<std::int32_t const> generated) {
    std::span<std::int32_t const> const words =
        generated.empty() ? std::span<std::int32_t const>(out.words) : generated;
    std::string const hash = hex32(hash_words(words));
    if (out.key && !hash.starts_with(out.key->hash)) {
        throw field_error("key", fmt::format("its hash is {}, but {} is {}", out.key->hash,
                                             generated.empty() ? "that of `instance`" : "the instance it names",
                                             hash.substr(0, out.key->hash.size())));
    }
    if (!generated.empty() && out.has_words && hash_words(out.words) != hash_words(generated)) {
        throw field_error("instance", "is not the one that `key` names");
    }
    if (!hash.starts_with(out.hash)) {
        throw field_error("hash",
                          fmt::format("is {}, but the instance's is {}", out.hash, hash.substr(0, out.hash.size())));
    }
    out.instance = add(out.task, words);
    if (!generated.empty()) {
        specs_[std::size_t(out.instance)] = spec_of(out);
    }
}

/// Generates the instances of all claims with such a key together, or one at a time if one of them fails.
void instance_set::generate(std::span<claim* const> claims) {
    std::vector<instance_spec> specs;
    for (claim const* const c : claims) {
        specs.push_back(spec_of(*c));
    }
    engine const& made_by = tasks_.made_by();
    auto const settle_all = [&](instance_batch const& made, std::span<claim* const> of) {
        for (std::size_t i = 0; i < of.size(); ++i) {
            try {
                settle(*of[i], made.blocks.row(std::int64_t(i)));
            } catch (field_error const& broken) {
                of[i]->field = broken.field();
                of[i]->rule = broken.rule();
            }
        }
    };
    auto const is_fault = [](error const& e) {
        return e.code() >= status::device_unavailable && e.code() != status::out_of_memory;
    };
    try {
        settle_all(made_by.generate(specs), claims);
        return;
    } catch (error const& failed) {
        if (is_fault(failed)) {
            throw;
        }
    }
    for (std::size_t i = 0; i < claims.size(); ++i) {
        try {
            settle_all(made_by.generate(std::span(specs).subspan(i, 1)), claims.subspan(i, 1));
        } catch (error const& failed) {
            if (is_fault(failed)) {
                throw;
            }
            claims[i]->field = "key";
            claims[i]->rule = failed.what();
        }
    }
}

void instance_set::resolve(std::span<row_item> items) {
    std::vector<std::size_t> sound;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].sound()) {
            sound.push_back(i);
        }
    }
    resolve(items, sound);
}

void instance_set::resolve(std::span<row_item> items, std::span<std::size_t const> mine) {
    batch_ = {};
    ids_.clear();
    specs_.clear();
    index_.clear();
    std::deque<claim> claims;
    std::vector<claim*> to_generate;
    std::unordered_map<std::string, claim*> known;
    std::vector<claim*> claim_of(items.size(), nullptr);
    std::string text;
    for (std::size_t const i : mine) {
        write_claim(items[i].row, text);
        auto const [place, is_new] = known.try_emplace(text, nullptr);
        if (is_new) {
            claim& made = *(place->second = &claims.emplace_back());
            try {
                read(items[i], made);
                made.key && !made.key->is_explicit ? to_generate.push_back(&made) : settle(made, {});
            } catch (field_error const& broken) {
                made.field = broken.field();
                made.rule = broken.rule();
            }
        }
        claim_of[i] = place->second;
    }
    if (!to_generate.empty()) {
        generate(to_generate);
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (claim const* const made = claim_of[i]; made != nullptr) {
            items[i].instance = made->instance;
            if (made->instance < 0) {
                items[i].reject(made->field, made->rule);
            }
        }
    }
}

}  // namespace optgap::rows
