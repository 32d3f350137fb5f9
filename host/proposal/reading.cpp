#include "host/proposal/reading.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <nlohmann/json.hpp>

#include "kernels/canonical/form.hpp"
#include "kernels/registry/registry.hpp"
#include "kernels/text/layout_json.hpp"
#include "optgap/status.hpp"

namespace optgap::proposals {
namespace {

/// A generator's scratch memory per word, beside its output.
constexpr std::int64_t scratch_for_a_word = 64;
constexpr char const* long_number_rule = "has a number of more than 10 digits or with an exponent";
static_assert(flat_digits == max_proposal_digits);

std::string shortened(std::string_view name) {
    std::string out;
    for (char const c : name.substr(0, 40)) {
        out += c >= 0x20 && c < 0x7f ? c : '?';
    }
    return out;
}

struct kind_fields {
    proposal_kind kind;
    std::string_view named_by;  ///< the field that only this kind has
    std::vector<std::string_view> needed;
    std::vector<std::string_view> allowed;
};

std::vector<kind_fields> const& kinds() {
    static std::vector<kind_fields> const all{
        {proposal_kind::instance, "instance", {"task", "instance"}, {}},
        {proposal_kind::edit, "edit", {"parent", "edit"}, {}},
        {proposal_kind::constrain, "require", {"parent"}, {"require", "forbid"}},
        {proposal_kind::constrain, "forbid", {"parent"}, {"require", "forbid"}},
        {proposal_kind::spec, "level", {"task", "level", "seed"}, {}},
    };
    return all;
}

/// A member's raw string without its quotes. It is not unescaped, since no name needs escapes.
std::string_view text_of(flat_value const& found, std::string_view name) {
    std::string_view const quoted = found[name].raw();
    return quoted.substr(1, quoted.size() - 2);
}

/// The first name that an object has twice; nullopt where there is none. Takes quadratic time, so only for few members.
std::optional<std::string_view> repeated_name(flat_value const& object) {
    for (std::size_t i = 1; i < object.size(); ++i) {
        std::string_view const name = object[i].name();
        for (std::size_t before = 0; before < i; ++before) {
            if (object[before].name() == name) {
                return name;
            }
        }
    }
    return std::nullopt;
}

proposal_kind kind_of(flat_json const& text) {
    if (text.more) {
        throw gate_failed{code_unknown_field, "", "has more fields than any kind"};
    }
    flat_value const found = text.root();
    kind_fields const* chosen = nullptr;
    for (kind_fields const& one : kinds()) {
        if (chosen == nullptr && found.contains(one.named_by)) {
            chosen = &one;
        }
    }
    if (chosen == nullptr) {
        throw gate_failed{code_unknown_field, "",
                          "must have one of the fields instance, edit, require, forbid and level"};
    }
    for (flat_value const member : found) {
        bool const known = std::ranges::find(chosen->needed, member.name()) != chosen->needed.end() ||
                           std::ranges::find(chosen->allowed, member.name()) != chosen->allowed.end();
        if (!known) {
            throw gate_failed{code_unknown_field, shortened(member.name()),
                              "is no field of a proposal of kind " + std::string(name_of(chosen->kind))};
        }
    }
    if (auto const name = repeated_name(found)) {
        throw gate_failed{code_unknown_field, shortened(*name), "stands there twice"};
    }
    for (std::string_view const name : chosen->needed) {
        if (!found.contains(name)) {
            throw gate_failed{code_unknown_field, std::string(name), "missing"};
        }
    }
    return chosen->kind;
}

void require_types(proposal_kind kind, flat_value const& found) {
    auto const require = [&](std::string_view name, flat_kind kind_wanted, char const* rule) {
        auto const member = found.find(name);
        if (member && member->kind() != kind_wanted) {
            throw gate_failed{code_unknown_field, std::string(name), rule};
        }
    };
    require("task", flat_kind::text, "must be a text");
    require("parent", flat_kind::text, "must be a text");
    require("level", flat_kind::text, "must be a text");
    require("instance", flat_kind::object, "must be an object");
    require("edit", flat_kind::list, "must be a list of operations");
    require("require", flat_kind::list, "must be a list");
    require("forbid", flat_kind::list, "must be a list");
    if (kind == proposal_kind::spec) {
        std::string_view const seed = found["seed"].raw();
        std::uint64_t number = 0;
        auto const [end, problem] = std::from_chars(seed.data(), seed.data() + seed.size(), number);
        if (problem != std::errc() || end != seed.data() + seed.size()) {
            throw gate_failed{code_unknown_field, "seed", "must be an integer from 0 to 2^64 - 1"};
        }
    }
}

std::int32_t task_named(engine const& by, std::string_view name, char const* field) {
    auto const tasks = by.tasks();
    for (std::size_t t = 0; t < tasks.size(); ++t) {
        if (tasks[t].name == name) {
            return std::int32_t(t);
        }
    }
    throw gate_failed{code_unknown_task, field, "is '" + shortened(name) + "', which is no task of this build"};
}

std::int64_t characters_of(std::string_view text) {
    return std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; });
}

[[noreturn]] void too_many(std::string const& field, char const* what, std::int64_t limit) {
    throw gate_failed{code_too_large, field, std::string("would have more than ") + std::to_string(limit) + " " + what};
}

}  // namespace

text_reader::text_reader(engine const& by, std::vector<proposal_limits> limits, parent_source parents)
    : engine_(by), limits_(std::move(limits)), parents_(std::move(parents)) {
    for (proposal_limits const& one : limits_) {
        longest_ = std::max(longest_, one.bytes);
    }
}

checked_proposal text_reader::read(std::string_view text) const {
    checked_proposal out;
    try {
        thread_local flat_json found;  // its memory grows to the longest text within the limits, and stays
        found.read(text, max_proposal_depth, std::int64_t(text.size()) <= longest_);
        if (found.expected != nullptr) {
            throw gate_failed{code_not_json, "", std::string("expected ") + found.expected, found.broken};
        }
        read_object(text, found, out);
    } catch (gate_failed& failed) {
        out.code = failed.code;
        out.field = std::move(failed.field);
        out.rule = std::move(failed.rule);
        out.where = failed.where;
    } catch (field_error const& broken) {
        out.code = code_bad_instance;
        out.field = broken.field();
        out.rule = broken.rule();
    } catch (json::exception const& broken) {
        out.code = code_bad_instance;
        out.field = "instance";
        out.rule = broken.what();
    } catch (error const& broken) {
        out.code = code_bad_instance;
        out.field = "instance";
        out.rule = broken.what();
    }
    if (!out.sound()) {
        out.words.clear();
        out.key.clear();
        out.lift.clear();
        out.taken.clear();
    }
    return out;
}

void text_reader::read_object(std::string_view text, flat_json const& read, checked_proposal& out) const {
    out.kind = kind_of(read);
    flat_value const found = read.root();
    require_types(out.kind, found);
    bool const child = out.kind == proposal_kind::edit || out.kind == proposal_kind::constrain;
    if (!child) {
        out.task = task_named(engine_, text_of(found, "task"), "task");
    } else if (std::string_view const named = text_of(found, "parent"); named.find('@') != std::string_view::npos) {
        out.task = task_named(engine_, named.substr(0, named.find('@')), "parent");
    }
    std::int64_t const bytes = limits_[std::size_t(std::max(0, out.task))].bytes;
    if (std::int64_t(text.size()) > bytes) {
        throw gate_failed{code_too_long, "",
                          "has " + std::to_string(text.size()) + " bytes, expected at most " + std::to_string(bytes)};
    }
    if (read.long_number >= 0) {
        throw gate_failed{code_too_large, "", long_number_rule, read.long_number};
    }
    switch (out.kind) {
        case proposal_kind::spec: read_spec(found, out); break;
        case proposal_kind::instance: out.words = words_of(out.task, found["instance"]); break;
        case proposal_kind::edit:
        case proposal_kind::constrain: read_child(found, out); break;
        case proposal_kind::none: break;
    }
    require_small(out);
    if (out.key.empty()) {
        out.key = to_string(explicit_key(engine_.tasks()[std::size_t(out.task)], hash_words(out.words)));
    }
}

std::vector<std::int32_t> text_reader::generated(std::int32_t task, instance_spec const& spec) const {
    task_info const& info = engine_.tasks()[std::size_t(task)];
    task_kernels const& kernels = **registry()[std::size_t(task)].builds;
    draw const source{spec.seed, random_domain(info.name, info.version, spec.part, spec.level)};
    std::int64_t const limit = limits_of(task).words;
    if (kernels.instance_words(source, spec.level) > limit ||
        kernels.generate_scratch_words(source, spec.level) > limit * scratch_for_a_word) {
        too_many("level", "words", limit);
    }
    instance_batch made = engine_.generate({&spec, 1});
    return std::move(made.blocks.words);
}

void text_reader::read_spec(flat_value const& found, checked_proposal& out) const {
    instance_spec spec;
    spec.task = out.task;
    spec.level = parse_level(text_of(found, "level"));
    std::string_view const seed = found["seed"].raw();
    std::from_chars(seed.data(), seed.data() + seed.size(), spec.seed);
    out.words = generated(out.task, spec);
    out.key = to_string(key_of(engine_.tasks()[std::size_t(out.task)], spec, hash_words(out.words)));
}

std::vector<std::int32_t> text_reader::words_of(std::int32_t task, flat_value const& instance) const {
    if (instance.size() > std::size_t(flat_json::max_members)) {
        throw gate_failed{code_bad_instance, "instance", "has more fields than any task's"};
    }
    for (flat_value const member : instance) {
        if (member.name().find('\\') != std::string_view::npos) {
            throw gate_failed{code_bad_instance, "instance." + shortened(member.name()), "must stand without escapes"};
        }
    }
    if (auto const name = repeated_name(instance)) {
        throw gate_failed{code_bad_instance, "instance." + shortened(*name), "must stand there once"};
    }
    std::int64_t const limit = limits_of(task).words;
    if (max_words(task, instance) > limit) {
        too_many("instance", "words", limit);
    }
    return instance_from_json(*registry()[std::size_t(task)].text, instance);
}

std::vector<std::int32_t> text_reader::parent_words(std::string_view parent, std::int32_t& task) const {
    if (parents_) {
        if (std::vector<std::int32_t> known = parents_(parent, task); !known.empty()) {
            return known;
        }
    }
    if (task < 0) {
        throw gate_failed{code_bad_instance, "parent", "is not known"};
    }
    instance_key const key = parse_key(parent);
    if (key.is_explicit) {
        throw gate_failed{code_bad_instance, "parent",
                          "is no instance of an earlier row, and its key does not hold it"};
    }
    if (key.part != split::train) {
        throw gate_failed{code_bad_instance, "parent", "is of a split that is kept from training"};
    }
    instance_spec const spec = engine_.spec_of({key.task, key.version, false, key.part, key.level, key.seed, 0, {}});
    std::vector<std::int32_t> words = generated(task, spec);
    if (!key.hash.empty() && !hex8(hash_words(words)).starts_with(key.hash)) {
        throw gate_failed{code_bad_instance, "parent", "has another hash than the instance that its key generates"};
    }
    return words;
}

void text_reader::constrain(json& instance, json const& require, json const& forbid, checked_proposal& out) const {
    canonical_rules const* const rules = registry()[std::size_t(out.task)].canonical;
    if (rules == nullptr || rules->constrain == nullptr) {
        throw gate_failed{code_bad_instance, "parent",
                          "is of a task whose answers cannot be constrained: only edits are offered for it"};
    }
    if (require.size() + forbid.size() == 0 || require.size() + forbid.size() > std::size_t(max_proposal_edits)) {
        throw gate_failed{code_bad_instance, "require",
                          "and forbid must have 1 to " + std::to_string(max_proposal_edits) + " entries together"};
    }
    lifting lifted;
    rules->constrain(instance, require, forbid, lifted);
    out.lift = std::move(lifted.names);
    out.taken = std::move(lifted.taken);
}

void text_reader::read_child(flat_value const& found, checked_proposal& out) const {
    std::string const parent = json::parse(found["parent"].raw()).get<std::string>();
    std::vector<std::int32_t> const words = parent_words(parent, out.task);
    json instance =
        instance_to_json(*registry()[std::size_t(out.task)].text, {words.data(), std::int64_t(words.size())});
    auto const list_of = [&](char const* name) {
        auto const said = found.find(name);
        return said ? json::parse(said->raw()) : json::array();
    };
    if (out.kind == proposal_kind::edit) {
        apply_edits(instance, list_of("edit"));
    } else {
        constrain(instance, list_of("require"), list_of("forbid"), out);
    }
    std::string const changed = instance.dump();
    flat_json child;
    child.read(changed, max_proposal_depth - 1);
    if (child.expected != nullptr) {
        throw gate_failed{code_bad_instance, "instance", "is nested too deep"};
    }
    if (child.long_number >= 0) {
        throw gate_failed{code_too_large, "instance", long_number_rule};
    }
    out.words = words_of(out.task, child.root());
    if (out.words == words) {
        throw gate_failed{code_bad_instance, out.kind == proposal_kind::edit ? "edit" : "require",
                          "leaves the parent as it is"};
    }
}

void text_reader::require_small(checked_proposal const& of) const {
    proposal_limits const& limits = limits_of(of.task);
    words_view const instance{of.words.data(), std::int64_t(of.words.size())};
    if (instance.count > limits.words) {
        too_many("instance", "words", limits.words);
    }
    if ((**registry()[std::size_t(of.task)].builds).answer_words(instance) > limits.answer) {
        too_many("instance", "words in an answer", limits.answer);
    }
    // A task that is posed only to programs has its own statements and no prompts.
    if (engine_.tasks()[std::size_t(of.task)].direct &&
        characters_of(engine_.prompt(of.task, of.words, 0, formats()[0])) > limits.prompt) {
        too_many("instance", "characters in its prompt", limits.prompt);
    }
}

}  // namespace optgap::proposals
