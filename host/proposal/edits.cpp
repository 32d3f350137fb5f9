// Operations on an instance's JSON: replace, add and remove of RFC 6902, on paths of RFC 6901.

#include <charconv>
#include <optional>

#include <nlohmann/json.hpp>

#include "host/proposal/reading.hpp"

namespace optgap::proposals {
namespace {

[[noreturn]] void refuse(std::size_t number, char const* part, std::string const& rule) {
    throw gate_failed{code_bad_instance, "edit[" + std::to_string(number) + "]" + part, rule, std::int64_t(number)};
}

/// Splits "/weights/3" into its parts and undoes ~1 and ~0; nullopt where it is no pointer.
std::optional<std::vector<std::string>> parts_of(std::string_view path) {
    std::vector<std::string> parts;
    if (path.empty() || path[0] != '/') {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (path[i] == '/') {
            parts.emplace_back();
        } else if (path[i] != '~') {
            parts.back() += path[i];
        } else if (i + 1 < path.size() && (path[i + 1] == '0' || path[i + 1] == '1')) {
            parts.back() += path[++i] == '0' ? '~' : '/';
        } else {
            return std::nullopt;
        }
    }
    return parts;
}

/// Reads a place in a list of `size` entries, in its only spelling.
std::optional<std::size_t> place_of(std::string const& part, std::size_t size) {
    std::size_t index = 0;
    auto const [end, problem] = std::from_chars(part.data(), part.data() + part.size(), index);
    bool const spelled = part == "0" || (!part.empty() && part[0] >= '1' && part[0] <= '9');
    if (!spelled || problem != std::errc() || end != part.data() + part.size() || index >= size) {
        return std::nullopt;
    }
    return index;
}

/// The value that a part of a path leads to; nullptr where there is none.
json* inner(json& value, std::string const& part) {
    if (value.is_object()) {
        auto const found = value.find(part);
        return found == value.end() ? nullptr : &*found;
    }
    auto const at = value.is_array() ? place_of(part, value.size()) : std::nullopt;
    return at ? &value[*at] : nullptr;
}

void apply(json& instance, json const& edit, std::size_t number) {
    if (!edit.is_object() || !edit.contains("op") || !edit["op"].is_string() || !edit.contains("path") ||
        !edit["path"].is_string()) {
        refuse(number, "", "must be an object with the texts op and path");
    }
    std::string const op = edit["op"].get<std::string>();
    if (op != "replace" && op != "add" && op != "remove") {
        refuse(number, ".op", "must be replace, add or remove");
    }
    bool const gives = op != "remove";
    if (gives != edit.contains("value") || edit.size() != (gives ? 3 : 2)) {
        refuse(number, "", gives ? "must have op, path and value" : "must have op and path");
    }
    auto const parts = parts_of(edit["path"].get<std::string>());
    if (!parts) {
        refuse(number, ".path", "must be a JSON pointer such as /weights/3");
    }
    json* at = &instance;
    for (std::size_t i = 0; at != nullptr && i + 1 < parts->size(); ++i) {
        at = inner(*at, (*parts)[i]);
    }
    if (at == nullptr) {
        refuse(number, ".path", "leads nowhere");
    }
    std::string const& last = parts->back();
    json* const target = inner(*at, last);
    if (op == "add" && at->is_array()) {
        auto const place = last == "-" ? std::optional(at->size()) : place_of(last, at->size() + 1);
        if (!place) {
            refuse(number, ".path", "leads nowhere");
        }
        at->insert(at->begin() + std::ptrdiff_t(*place), edit["value"]);
    } else if (op == "add" && at->is_object()) {
        (*at)[last] = edit["value"];
    } else if (target == nullptr) {
        refuse(number, ".path", "leads nowhere");
    } else if (op == "replace") {
        *target = json(edit["value"]);
    } else if (at->is_object()) {
        at->erase(last);
    } else {
        at->erase(at->begin() + std::ptrdiff_t(*place_of(last, at->size())));
    }
}

}  // namespace

void apply_edits(json& instance, json const& edits) {
    if (edits.empty() || edits.size() > std::size_t(max_proposal_edits)) {
        throw gate_failed{code_bad_instance, "edit",
                          "must have 1 to " + std::to_string(max_proposal_edits) + " operations"};
    }
    for (std::size_t i = 0; i < edits.size(); ++i) {
        apply(instance, edits[i], i);
    }
}

}  // namespace optgap::proposals
